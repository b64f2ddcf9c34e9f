/** The rows of the namespace as records, and their bytes: a version, then varints and texts. */
@NullMarked
package org.cepheus.namespace.rows;

import org.jspecify.annotations.NullMarked;
