/** Loads XRootD servers, ours and others, from one cheap thread over raw connections. */
@NullMarked
package org.cepheus.jmh.load;

import org.jspecify.annotations.NullMarked;
