package org.cepheus.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * How far a long command is, on the error stream: one line that is drawn again on a terminal, else
 * a line every ten seconds. A command that is done within a second says nothing.
 */
final class Progress implements AutoCloseable {
    private static final Duration SILENT = Duration.ofSeconds(1);
    private static final Duration REDRAWN = Duration.ofMillis(200);
    private static final Duration REPEATED = Duration.ofSeconds(10);
    private static final String CLEAR = "\r\u001b[K";

    private final String what;
    private final String unit;
    private final PrintWriter err;
    private final Terminal terminal;
    private final long begin;
    private long next;
    private boolean isDrawn;

    /**
     * Begins now.
     *
     * @param what such as {@code removing /a}
     * @param unit what is counted, such as {@code entries}
     */
    Progress(String what, String unit, PrintWriter err, Terminal terminal) {
        this.what = Table.printable(what);
        this.unit = unit;
        this.err = err;
        this.terminal = terminal;
        this.begin = terminal.time().nanos();
        this.next = begin + (terminal.isErrorScreen() ? SILENT : REPEATED).toNanos();
    }

    /** Tells it if it is time; {@code total} is empty while nobody knows it. */
    void at(long done, OptionalLong total) {
        tell(done, "", total);
    }

    private void tell(long done, String guess, OptionalLong total) {
        long now = terminal.time().nanos();
        if (now - next < 0) {
            return;
        }
        next = now + (terminal.isErrorScreen() ? REDRAWN : REPEATED).toNanos();
        String line = line(done, guess, total, now - begin);
        if (terminal.isErrorScreen()) {
            err.print(CLEAR + line);
            isDrawn = true;
        } else {
            err.println(line);
        }
        err.flush();
    }

    /**
     * The same for work whose whole amount can only be guessed.
     *
     * @param part about so much of it is done, 0 to 1
     */
    void about(long done, double part) {
        if (part > 0) {
            tell(done, "about ", OptionalLong.of((long) Math.ceil(done / part)));
        } else {
            tell(done, "", OptionalLong.empty());
        }
    }

    private String line(long done, String guess, OptionalLong total, long nanos) {
        double rate = done / Math.max(nanos / 1e9, 1e-3);
        if (total.isEmpty() || total.getAsLong() <= 0) {
            return String.format(Locale.ROOT, "%s: %d %s, %.0f/s", what, done, unit, rate);
        }
        long all = Math.max(total.getAsLong(), done);
        return String.format(
                Locale.ROOT,
                "%s: %s %d of %s%d %s, %.0f/s, %s%s left",
                what,
                Bar.of(done, all),
                done,
                guess,
                all,
                unit,
                rate,
                guess,
                rate > 0 ? Ages.of(Duration.ofMillis((long) ((all - done) / rate * 1e3))) : "?");
    }

    /** Takes the line away. */
    @Override
    public void close() {
        if (isDrawn) {
            err.print(CLEAR);
            err.flush();
        }
    }
}
