package org.cepheus.it.harness;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition, never for a time. */
public final class Deadline {
    private static final long POLL_NANOS = 20_000_000;

    private Deadline() {}

    /**
     * Returns as soon as the condition holds.
     *
     * @param what completes the sentence "after 10 s still not: ..."
     */
    public static void await(String what, Duration limit, BooleanSupplier condition) {
        await(() -> what, limit, condition);
    }

    /** The same, with what is to be said looked at when the time is over. */
    public static void await(Supplier<String> what, Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError(
                        "after %d ms still not: %s".formatted(limit.toMillis(), what.get()));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
