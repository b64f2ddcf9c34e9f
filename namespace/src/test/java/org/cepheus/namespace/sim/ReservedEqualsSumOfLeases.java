package org.cepheus.namespace.sim;

import java.util.HashMap;
import java.util.Map;
import org.cepheus.namespace.rows.Rows.Lease;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.quota.Charge;

/** What each node, user and group has reserved is exactly what the open leases add up to. */
final class ReservedEqualsSumOfLeases implements Invariant {
    @Override
    public void check(Step step) {
        State state = step.after();
        UsedEqualsSumOfFiles.compare(
                state,
                sums(state),
                row -> Charge.reserved(row.reservedBytes(), row.reservedFiles()));
    }

    static Map<QuotaKey, Charge> sums(State state) {
        Map<QuotaKey, Charge> sums = new HashMap<>();
        for (Lease lease : state.leases().values()) {
            UsedEqualsSumOfFiles.add(
                    state,
                    sums,
                    lease.ref().parent(),
                    lease.owner(),
                    lease.group(),
                    Charge.reserved(lease.reservedBytes(), lease.reservedFiles()));
        }
        return sums;
    }
}
