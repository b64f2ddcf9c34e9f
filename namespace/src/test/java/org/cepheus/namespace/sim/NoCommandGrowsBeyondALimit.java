package org.cepheus.namespace.sim;

import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.QuotaLimits;
import org.cepheus.domain.command.Mutation;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.quota.QuotaRow;

/** Used + reserved never grows while the result is above a limit; limits may be set below use. */
final class NoCommandGrowsBeyondALimit implements Invariant {
    @Override
    public void check(Step step) {
        if (step.has(Mutation.SetQuota.class) || step.has(Mutation.SetDefaultQuota.class)) {
            return; // The limit that counted may not be the one that stands afterwards.
        }
        step.after().quotas().forEach((key, now) -> check(step, key, now));
    }

    private static void check(Step step, QuotaKey key, QuotaRow now) {
        if (step.before().isCounting(key.node()) || step.after().isCounting(key.node())) {
            return; // What is used there is not known.
        }
        QuotaRow old = step.before().quotas().getOrDefault(key, QuotaRow.EMPTY);
        QuotaLimits limits = limits(step.after(), key, now);
        Step.require(
                !exceeds(
                                limits.bytes(),
                                old.usedBytes() + old.reservedBytes(),
                                now.usedBytes() + now.reservedBytes())
                        && !exceeds(
                                limits.files(),
                                old.usedFiles() + old.reservedFiles(),
                                now.usedFiles() + now.reservedFiles()),
                "%s grew from %s to %s",
                key,
                old,
                now);
    }

    private static QuotaLimits limits(State state, QuotaKey key, QuotaRow row) {
        if (key.kind() == QuotaKind.PROJECT) {
            return row.limits();
        }
        var defaults = new QuotaKey(key.node(), key.kind(), 0);
        return row.limits().over(state.quotas().getOrDefault(defaults, QuotaRow.EMPTY).limits());
    }

    private static boolean exceeds(long limit, long old, long now) {
        return limit >= 0 && now > old && now > limit;
    }
}
