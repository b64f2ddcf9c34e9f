package org.cepheus.namespace.sim;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import org.cepheus.domain.QuotaKind;
import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.quota.Charge;
import org.cepheus.quota.QuotaRow;

/** What each node, user and group is said to use is exactly what the files below add up to. */
final class UsedEqualsSumOfFiles implements Invariant {
    @Override
    public void check(Step step) {
        State state = step.after();
        compare(state, sums(state), row -> Charge.used(row.usedBytes(), row.usedFiles()));
    }

    static Map<QuotaKey, Charge> sums(State state) {
        Map<QuotaKey, Charge> sums = new HashMap<>();
        state.entries()
                .forEach((key, entry) -> {
                    if (entry instanceof Entry.File f) {
                        add(
                                state,
                                sums,
                                key.parent(),
                                f.owner(),
                                f.group(),
                                Charge.used(f.sizeBytes(), 1));
                    }
                });
        return sums;
    }

    static void add(
            State state,
            Map<QuotaKey, Charge> sums,
            long directory,
            int owner,
            int group,
            Charge charge) {
        for (long node : state.nodesAbove(directory)) {
            sums.merge(new QuotaKey(node, QuotaKind.PROJECT, 0), charge, Charge::plus);
            sums.merge(new QuotaKey(node, QuotaKind.USER, owner), charge, Charge::plus);
            sums.merge(new QuotaKey(node, QuotaKind.GROUP, group), charge, Charge::plus);
        }
    }

    static void compare(
            State state,
            Map<QuotaKey, Charge> sums,
            java.util.function.Function<QuotaRow, Charge> part) {
        var keys = new HashSet<>(sums.keySet());
        keys.addAll(state.quotas().keySet());
        keys.removeIf(key -> state.isCounting(key.node()));
        for (QuotaKey key : keys) {
            Charge counted = part.apply(state.quotas().getOrDefault(key, QuotaRow.EMPTY));
            Charge sum = sums.getOrDefault(key, Charge.NONE);
            Step.require(counted.equals(sum), "%s says %s, the sum is %s", key, counted, sum);
        }
    }
}
