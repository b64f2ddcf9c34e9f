/** The three journeys through the house, as its users make them. */
@NullMarked
package org.cepheus.it.journey;

import org.jspecify.annotations.NullMarked;
