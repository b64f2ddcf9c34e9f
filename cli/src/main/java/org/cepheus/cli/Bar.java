package org.cepheus.cli;

import java.util.Locale;

/** A part of a whole as a picture that every terminal has: {@code [######....] 61.0 %}. */
final class Bar {
    private static final int WIDTH = 10;

    private Bar() {}

    /** Of nothing the part is nothing. */
    static String of(long part, long whole) {
        double percent = percent(part, whole);
        int filled = (int) Math.clamp(percent * WIDTH / 100, 0, WIDTH);
        return String.format(
                Locale.ROOT,
                "[%s%s] %5.1f %%",
                "#".repeat(filled),
                ".".repeat(WIDTH - filled),
                percent);
    }

    static double percent(long part, long whole) {
        return whole > 0 ? 100.0 * part / whole : 0;
    }

    /** With the percentage for scripts, as EOS writes it. */
    static Cell cell(long part, long whole, Tone tone) {
        return new Cell(
                of(part, whole), String.format(Locale.ROOT, "%.2f", percent(part, whole)), tone);
    }
}
