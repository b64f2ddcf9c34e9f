/**
 * Replication: the aggregator in front of Ratis, the state machine behind it, and what must be
 * right with the log before and while it runs.
 */
@NullMarked
package org.cepheus.mgm.raft;

import org.jspecify.annotations.NullMarked;
