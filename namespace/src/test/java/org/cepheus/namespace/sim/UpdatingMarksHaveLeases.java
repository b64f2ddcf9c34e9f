package org.cepheus.namespace.sim;

import java.util.HashSet;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.cepheus.namespace.rows.Entry;

/** A file is marked as written in place if and only if the lease of that writer is open. */
final class UpdatingMarksHaveLeases implements Invariant {
    @Override
    public void check(Step step) {
        var marks = new HashSet<LeaseRef>();
        step.after()
                .entries()
                .forEach((key, entry) -> {
                    if (entry instanceof Entry.File f && f.updating() != 0) {
                        marks.add(new LeaseRef(key.parent(), key.name(), f.updating(), f.inode()));
                    }
                });
        var writers = new HashSet<LeaseRef>();
        step.after()
                .leases()
                .forEach((ref, lease) -> {
                    if (lease.intent() == Intent.UPDATE) {
                        writers.add(ref);
                    }
                });
        Step.require(marks.equals(writers), "marks %s, writers in place %s", marks, writers);
    }
}
