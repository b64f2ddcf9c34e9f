package org.cepheus.namespace.sim;

import java.util.HashMap;
import java.util.Map;
import org.cepheus.domain.FsPath;
import org.cepheus.namespace.rows.Rows.Directory;

/**
 * Every name that is there has a path, and no directory has more levels below it than it knows of.
 */
final class EveryNameIsWithinReach implements Invariant {
    private static final long ROOT = 1;

    @Override
    public void check(Step step) {
        State state = step.after();
        Map<Long, Integer> depths = new HashMap<>();
        state.directories().values().forEach(dir -> depths.put(dir.id(), climb(state, dir)));
        state.entries().keySet().forEach(key -> within(depths, key.parent(), key.name()));
        state.leases().keySet().forEach(ref -> within(depths, ref.parent(), ref.name()));
    }

    // The depth, looking on the way at what those above know.
    private static int climb(State state, Directory from) {
        int up = 0;
        for (Directory at = from; ; up++) {
            Step.require(at.levels() >= up, "%s has %s %d levels below it", at, from, up);
            if (at.id() == ROOT) {
                return up;
            }
            at = java.util.Objects.requireNonNull(state.directories().get(at.parent()), "parent");
        }
    }

    private static void within(Map<Long, Integer> depths, long parent, String name) {
        int depth = depths.getOrDefault(parent, 0) + 1;
        Step.require(
                depth <= FsPath.MAX_DEPTH, "'%s' in %d lies %d levels deep", name, parent, depth);
    }
}
