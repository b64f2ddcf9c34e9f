/** Measures the parts. */
@NullMarked
package org.cepheus.jmh;

import org.jspecify.annotations.NullMarked;
