/** One contract for every volume, and what only directories have. */
@NullMarked
package org.cepheus.fst.volume;

import org.jspecify.annotations.NullMarked;
