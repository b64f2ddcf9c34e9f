/** What an FST does with uploads, reads and delete orders, without a network. */
@NullMarked
package org.cepheus.fst;

import org.jspecify.annotations.NullMarked;
