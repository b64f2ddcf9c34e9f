/**
 * The one command: starts an MGM, an FST, both in one process ({@code up}), or the CLI; holds the
 * distribution.
 */
@NullMarked
package org.cepheus.app;

import org.jspecify.annotations.NullMarked;
