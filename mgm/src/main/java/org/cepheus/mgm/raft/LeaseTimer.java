package org.cepheus.mgm.raft;

/**
 * The leader's lease clock: advances with the monotonic time that really passed while it leads, but
 * never by much at once, so that a suspended machine or a stopped process expires nobody's lease.
 * Owned by the aggregator's thread; any thread may read it.
 */
final class LeaseTimer {
    /** The most one step advances, whatever time passed. */
    static final long MAX_STEP_NANOS = 3_000_000_000L;

    private long lastMonotonic;
    private boolean running;
    private volatile long now;

    /** Starts at the clock of the state, if it stood still until now. */
    void startAt(long leaseNanos, long monotonicNanos) {
        if (!running) {
            running = true;
            now = Math.max(now, leaseNanos);
            lastMonotonic = monotonicNanos;
        }
    }

    /** Stands still: there is no leader here. */
    void stop() {
        running = false;
    }

    /** Advances; called at least once a second while leading. */
    void tick(long monotonicNanos) {
        if (running) {
            long passed = Math.clamp(monotonicNanos - lastMonotonic, 0, MAX_STEP_NANOS);
            long before = now;
            now = before + passed;
            lastMonotonic = monotonicNanos;
        }
    }

    long now() {
        return now;
    }
}
