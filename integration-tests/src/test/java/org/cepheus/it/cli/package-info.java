/** The command line as people and scripts use it. */
@NullMarked
package org.cepheus.it.cli;

import org.jspecify.annotations.NullMarked;
