/** What rooms that speak with strangers need to be fuzzed: inputs, runs and a site behind them. */
@NullMarked
package org.cepheus.domain.fuzz;

import org.jspecify.annotations.NullMarked;
