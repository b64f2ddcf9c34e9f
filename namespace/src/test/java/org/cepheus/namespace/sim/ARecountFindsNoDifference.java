package org.cepheus.namespace.sim;

import org.cepheus.namespace.Recount;
import org.cepheus.namespace.Snapshot;

/** What an operator's recount does on a snapshot, step by step, comes to what the counters say. */
final class ARecountFindsNoDifference implements Invariant {
    @Override
    public void check(Step step) {
        try (Snapshot snapshot = step.replica().snapshot()) {
            Recount recount = Recount.ofAll(snapshot);
            while (!recount.step(3)) {
                Step.require(recount.seen() <= snapshot.entries(), "more than there is was seen");
            }
            var comparison = recount.compare();
            Step.require(
                    comparison.differences().isEmpty(),
                    "recounted at %d: %s",
                    snapshot.head().index(),
                    comparison.differences());
            Step.require(
                    recount.seen() == snapshot.entries(),
                    "saw %d of %d entries",
                    recount.seen(),
                    snapshot.entries());
        }
    }
}
