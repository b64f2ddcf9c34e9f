package org.cepheus.namespace.sim;

import java.util.HashMap;
import java.util.Map;
import org.cepheus.domain.command.QuotaCommand;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.quota.Charge;

/**
 * While a node is counted, the sum of what is there less what its rows have noted never changes: so
 * any leader may work it out at any index. Only a part that is brought makes it less.
 */
final class WhatACountMissesStaysTheSame implements Invariant {
    @Override
    public void check(Step step) {
        for (long node : step.after().counts().keySet()) {
            Step.require(step.after().isCounting(node), "directory %d is counted for nobody", node);
        }
        if (step.has(QuotaCommand.AddCounted.class)) {
            return;
        }
        step.after()
                .counts()
                .forEach((node, count) -> {
                    if (count.equals(step.before().counts().get(node))) {
                        var before = missing(step.before(), node);
                        var after = missing(step.after(), node);
                        Step.require(
                                before.equals(after),
                                "node %d missed %s and misses %s",
                                node,
                                before,
                                after);
                    }
                });
    }

    private static Map<QuotaKey, Charge> missing(State state, long node) {
        var missing = new HashMap<>(UsedEqualsSumOfFiles.sums(state));
        ReservedEqualsSumOfLeases.sums(state)
                .forEach((key, sum) -> missing.merge(key, sum, Charge::plus));
        state.quotas().forEach((key, row) -> missing.merge(key, row.use().negated(), Charge::plus));
        missing.entrySet().removeIf(e -> e.getKey().node() != node || e.getValue().isNone());
        return missing;
    }
}
