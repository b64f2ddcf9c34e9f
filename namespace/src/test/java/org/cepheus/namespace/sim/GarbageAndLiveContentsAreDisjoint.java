package org.cepheus.namespace.sim;

import java.util.HashMap;
import java.util.Map;
import org.cepheus.domain.Location;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.cepheus.namespace.rows.Entry;

/** A content ever handed out is exactly one of: live, being uploaded, garbage, gone. */
final class GarbageAndLiveContentsAreDisjoint implements Invariant {
    @Override
    public void check(Step step) {
        State state = step.after();
        Map<Long, String> where = new HashMap<>();
        state.entries()
                .forEach((key, entry) -> {
                    if (entry instanceof Entry.File f) {
                        for (Location at : f.locations()) {
                            only(where, at.dataId(), "live at " + key);
                        }
                    }
                });
        state.leases()
                .forEach((ref, lease) -> {
                    if (lease.intent() != Intent.UPDATE) {
                        only(where, lease.dataId(), "written by " + ref);
                    }
                });
        state.garbage().keySet().forEach(key -> only(where, key.dataId(), "garbage"));
        step.journal().collected().forEach(id -> only(where, id, "gone"));
        for (long id : step.journal().handedOut()) {
            Step.require(where.containsKey(id), "content %d is nowhere: it leaks", id);
        }
        Step.require(
                where.size() == step.journal().handedOut().size(),
                "there are contents that nobody was given: %s",
                where.keySet());
    }

    private static void only(Map<Long, String> where, long dataId, String place) {
        String other = where.put(dataId, place);
        Step.require(other == null, "content %d is %s and %s", dataId, place, other);
    }
}
