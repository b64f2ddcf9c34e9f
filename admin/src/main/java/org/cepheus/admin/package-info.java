/** Serves the REST API, the console, {@code /metrics} and {@code /health} over Jetty. */
@NullMarked
package org.cepheus.admin;

import org.jspecify.annotations.NullMarked;
