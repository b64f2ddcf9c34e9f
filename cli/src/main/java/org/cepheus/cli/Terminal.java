package org.cepheus.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What is at the ends of the three streams, and the time.
 *
 * @param isScreen whether standard output is a terminal, where a picture may be drawn again
 * @param isErrorScreen the same of the error stream, where progress is told
 * @param hasColours a terminal whose user has not said {@code NO_COLOR}
 * @param keyboard the person who can be asked; empty if standard input is none
 */
public record Terminal(
        boolean isScreen,
        boolean isErrorScreen,
        boolean hasColours,
        Optional<BufferedReader> keyboard,
        Time time) {
    /** The clocks that a command looks at, and its pauses. */
    public interface Time {
        Instant now();

        /** Runs evenly; for differences only. */
        long nanos();

        /** Waits that long. */
        void pause(Duration length) throws InterruptedException;
    }

    private static final Time OF_THE_MACHINE =
            new Time() {
                @Override
                public Instant now() {
                    return Instant.now();
                }

                @Override
                public long nanos() {
                    return System.nanoTime();
                }

                @Override
                public void pause(Duration length) throws InterruptedException {
                    Thread.sleep(length);
                }
            };

    /** The streams of this process. */
    public static Terminal ofProcess(Map<String, String> environment) {
        boolean screen = isTerminal(1);
        boolean wantsColours =
                environment.getOrDefault("NO_COLOR", "").isEmpty()
                        && !environment.getOrDefault("TERM", "dumb").equals("dumb");
        return new Terminal(
                screen,
                isTerminal(2),
                screen && wantsColours,
                isTerminal(0)
                        ? Optional.of(
                                new BufferedReader(
                                        new InputStreamReader(System.in, Charset.defaultCharset())))
                        : Optional.empty(),
                OF_THE_MACHINE);
    }

    /** {@code System.console()} knows about input and output together only. */
    private static boolean isTerminal(int descriptor) {
        try {
            String target =
                    Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
            return target.startsWith("/dev/pts/")
                    || target.startsWith("/dev/tty")
                    || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
