/** The house rules: what may import what, what must stay pure, how things are called. */
@NullMarked
package org.cepheus.it.house;

import org.jspecify.annotations.NullMarked;
