/** Proves the short form of what the loads of the core measure. */
@NullMarked
package org.cepheus.jmh.core;

import org.jspecify.annotations.NullMarked;
