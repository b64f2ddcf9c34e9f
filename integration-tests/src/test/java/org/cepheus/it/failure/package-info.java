/** What is left after something went wrong: nothing. */
@NullMarked
package org.cepheus.it.failure;

import org.jspecify.annotations.NullMarked;
