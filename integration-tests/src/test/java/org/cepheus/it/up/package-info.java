/** The first command a newcomer types. */
@NullMarked
package org.cepheus.it.up;

import org.jspecify.annotations.NullMarked;
