package org.cepheus.jmh.load;

import java.util.Arrays;

/** Every latency of a run, for exact quantiles. */
final class LatencyLog {
    private long[] nanos = new long[1 << 16];
    private int size;

    void add(long elapsedNanos) {
        if (size == nanos.length) {
            nanos = Arrays.copyOf(nanos, size * 2);
        }
        nanos[size++] = elapsedNanos;
    }

    void clear() {
        size = 0;
    }

    /** The latency that this part of the operations did not exceed; 0 if there was none. */
    double quantileMicros(double part) {
        if (size == 0) {
            return 0;
        }
        long[] sorted = Arrays.copyOf(nanos, size);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(size - 1L, (long) (size * part))] / 1e3;
    }
}
