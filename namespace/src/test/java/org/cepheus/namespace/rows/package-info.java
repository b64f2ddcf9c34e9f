/** The bytes of rows, old and new. */
@NullMarked
package org.cepheus.namespace.rows;

import org.jspecify.annotations.NullMarked;
