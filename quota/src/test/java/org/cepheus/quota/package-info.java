/** Limits and charges. */
@NullMarked
package org.cepheus.quota;

import org.jspecify.annotations.NullMarked;
