/**
 * The simulation: several replicas over one log, a random workload, crashes and lost answers, an
 * oracle that knows what should happen, and invariants by name.
 */
@NullMarked
package org.cepheus.namespace.sim;

import org.jspecify.annotations.NullMarked;
