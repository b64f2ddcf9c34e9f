package org.cepheus.fst;

/**
 * When the bytes of one stream may pass so that it keeps to a rate: each piece waits for as long as
 * it takes at that rate, so that no moment sees more. Safe for several threads.
 */
final class Pace {
    private static final double NANOS_PER_SECOND = 1e9;

    private final long bytesPerSecond;
    private boolean begun;
    private long freeNanos;

    Pace(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    /** How long a piece of so many bytes has to wait, behind all that came before it. */
    synchronized long waitNanos(long bytes, long nowNanos) {
        if (!begun || freeNanos - nowNanos < 0) {
            begun = true;
            freeNanos = nowNanos;
        }
        freeNanos += (long) Math.ceil(bytes * NANOS_PER_SECOND / bytesPerSecond);
        return freeNanos - nowNanos;
    }
}
