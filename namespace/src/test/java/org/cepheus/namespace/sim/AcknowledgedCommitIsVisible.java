package org.cepheus.namespace.sim;

import java.util.HashSet;
import org.cepheus.namespace.rows.Entry;

/** A content whose commit was answered is there until somebody removes or replaces it. */
final class AcknowledgedCommitIsVisible implements Invariant {
    @Override
    public void check(Step step) {
        var live = new HashSet<Long>();
        step.after()
                .entries()
                .values()
                .forEach(entry -> {
                    if (entry instanceof Entry.File f) {
                        live.add(f.version());
                    }
                });
        for (long version : step.oracle().mustBeVisible()) {
            Step.require(live.contains(version), "content version %d is lost", version);
        }
    }
}
