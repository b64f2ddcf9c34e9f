/** Many clients at once, slow ones and greedy ones, and a server that has little to give. */
@NullMarked
package org.cepheus.it.crowd;

import org.jspecify.annotations.NullMarked;
