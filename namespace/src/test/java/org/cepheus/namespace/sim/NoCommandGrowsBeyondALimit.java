package org.cepheus.namespace.sim;

import org.cepheus.domain.command.Mutation;
import org.cepheus.quota.QuotaRow;

/** Used + reserved never grows while the result is above a limit; limits may be set below use. */
final class NoCommandGrowsBeyondALimit implements Invariant {
    @Override
    public void check(Step step) {
        if (step.has(Mutation.SetQuota.class)) {
            return; // The limit that counted may not be the one that stands afterwards.
        }
        step.after()
                .quotas()
                .forEach((key, now) -> {
                    QuotaRow old = step.before().quotas().getOrDefault(key, QuotaRow.EMPTY);
                    Step.require(
                            !exceeds(
                                            now.limitBytes(),
                                            old.usedBytes() + old.reservedBytes(),
                                            now.usedBytes() + now.reservedBytes())
                                    && !exceeds(
                                            now.limitFiles(),
                                            old.usedFiles() + old.reservedFiles(),
                                            now.usedFiles() + now.reservedFiles()),
                            "%s grew from %s to %s",
                            key,
                            old,
                            now);
                });
    }

    private static boolean exceeds(long limit, long old, long now) {
        return limit != QuotaRow.UNLIMITED && now > old && now > limit;
    }
}
