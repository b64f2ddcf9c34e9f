package org.cepheus.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code --watch}: the same command again and again, until Ctrl-C. */
final class Watch {
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_ALL = "\u001b[2J";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";
    private static final double LEAST_SECONDS = 0.1;
    private static final double MOST_SECONDS = 3_600;

    /** One picture. */
    interface Frame {
        /**
         * Asks and prints.
         *
         * @return one of {@link ExitCode}
         */
        int show(PrintWriter out);
    }

    /** What a command asks a server for one picture. */
    interface Question {
        /**
         * Asks and prints.
         *
         * @return one of {@link ExitCode}
         */
        int show(ParseResult given, AdminClient client, PrintWriter out);
    }

    private Watch() {}

    /** A command that asks its question once, or as often as {@code --watch} says. */
    static CommandTree.Action asking(Terminal terminal, Question question) {
        return (given, out) -> {
            try (AdminClient client = ServerOptions.client(given)) {
                return run(given, out, terminal, frame -> question.show(given, client, frame));
            }
        };
    }

    static CommandSpec addTo(CommandSpec command) {
        return command.addOption(
                OptionSpec.builder("--watch")
                        .type(Double.class)
                        .arity("0..1")
                        .fallbackValue("2")
                        .paramLabel("SECONDS")
                        .description(
                                "Repeat it every 2 seconds, or as often as said, until Ctrl-C.")
                        .build());
    }

    /** Shows one picture, or one after the other if the options say so. */
    static int run(ParseResult given, PrintWriter out, Terminal terminal, Frame frame) {
        if (!given.hasMatchedOption("--watch")) {
            return frame.show(out);
        }
        Duration pause = pause(given.matchedOptionValue("--watch", 2.0));
        return repeat(given, out, terminal, pause, Integer.MAX_VALUE, frame);
    }

    /** The time between two pictures. */
    static Duration pause(double seconds) {
        if (!(seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS)) {
            throw new CommandFailure(
                    ExitCode.USAGE, "again after 0.1..3600 seconds, not after " + seconds);
        }
        return Duration.ofMillis(Math.round(seconds * 1_000));
    }

    /** Shows so many pictures, unless Ctrl-C comes first. */
    static int repeat(
            ParseResult given,
            PrintWriter out,
            Terminal terminal,
            Duration pause,
            int pictures,
            Frame frame) {
        boolean draws = terminal.isScreen() && Form.of(given) == Form.TABLE;
        if (draws) {
            out.print(CLEAR_ALL);
        }
        try {
            for (int shown = 0; shown < pictures; shown++) {
                if (shown > 0) {
                    terminal.time().pause(pause);
                }
                String text = picture(frame);
                if (draws) {
                    draw(given, text, pause, out, terminal);
                } else {
                    out.print(text);
                }
                out.flush();
                if (out.checkError()) {
                    return ExitCode.OK; // Nobody reads any more.
                }
            }
            return ExitCode.OK;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.OK;
        }
    }

    /** A server that is away for a moment does not end the watching. */
    private static String picture(Frame frame) {
        var text = new StringWriter();
        try (var out = new PrintWriter(text)) {
            frame.show(out);
        } catch (CommandFailure e) {
            if (e.exitCode() != ExitCode.UNAVAILABLE) {
                throw e;
            }
            return "cepheus: %s%n".formatted(e.getMessage());
        }
        return text.toString();
    }

    /** Over the picture before, without a moment of an empty screen. */
    private static void draw(
            ParseResult given, String text, Duration pause, PrintWriter out, Terminal terminal) {
        out.print(HOME);
        out.print(
                String.format(
                        Locale.ROOT,
                        "every %.1f s: %s  %s",
                        pause.toMillis() / 1e3,
                        given.commandSpec().qualifiedName(),
                        terminal.time().now().truncatedTo(ChronoUnit.SECONDS)));
        out.print(CLEAR_LINE + "\n" + CLEAR_LINE + "\n");
        text.lines().forEach(line -> out.print(line + CLEAR_LINE + "\n"));
        out.print(CLEAR_BELOW);
    }
}
