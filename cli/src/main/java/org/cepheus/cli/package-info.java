/** {@code cepheus <noun> <verb>} for people and scripts, over the REST API. */
@NullMarked
package org.cepheus.cli;

import org.jspecify.annotations.NullMarked;
