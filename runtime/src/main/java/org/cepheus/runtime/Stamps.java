package org.cepheus.runtime;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Times as ISO 8601 in UTC with microseconds, {@code 2026-11-22T00:01:02.000003Z}. What they share
 * with the last one is not made again: lines of a log come thousands in a second. For one thread.
 */
final class Stamps {
    private static final int MICROS_PER_SECOND = 1_000_000;

    private long second = Long.MIN_VALUE;
    private String upToSecond = "";

    String of(Instant time) {
        if (time.getEpochSecond() != second) {
            second = time.getEpochSecond();
            String text = time.truncatedTo(ChronoUnit.SECONDS).toString();
            upToSecond = text.substring(0, text.length() - 1);
        }
        // The leading one keeps the zeros, and gives its place to the point.
        String micros = Integer.toString(MICROS_PER_SECOND + time.getNano() / 1_000);
        return upToSecond + "." + micros.substring(1) + "Z";
    }
}
