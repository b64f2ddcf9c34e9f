package org.cepheus.cli;

import java.time.Duration;
import java.util.Locale;

/** Lengths of time in two units at most: {@code 3d 4h}, {@code 5m 10s}, {@code 2.4s}. */
final class Ages {
    private Ages() {}

    static String of(Duration length) {
        long seconds = Math.max(0, length.toSeconds());
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%.1fs", Math.max(0, length.toMillis()) / 1e3);
        }
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3_600) {
            return "%dm %02ds".formatted(seconds / 60, seconds % 60);
        }
        return seconds < 86_400
                ? "%dh %02dm".formatted(seconds / 3_600, seconds % 3_600 / 60)
                : "%dd %02dh".formatted(seconds / 86_400, seconds % 86_400 / 3_600);
    }
}
