/** Reads the config file, starts and stops parts in order, counts and reports health. */
@NullMarked
package org.cepheus.runtime;

import org.jspecify.annotations.NullMarked;
