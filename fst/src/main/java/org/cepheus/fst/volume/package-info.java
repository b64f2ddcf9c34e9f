/** Where data files lie: directories, memory for tests, and the thread pools that touch them. */
@NullMarked
package org.cepheus.fst.volume;

import org.jspecify.annotations.NullMarked;
