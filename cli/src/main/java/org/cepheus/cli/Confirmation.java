package org.cepheus.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Whoever destroys something says so twice: at the keyboard, or with {@code --yes}. */
final class Confirmation {
    private Confirmation() {}

    static CommandSpec addTo(CommandSpec command) {
        return command.addOption(
                OptionSpec.builder("-y", "--yes")
                        .description("Do it without a question; needed where nobody can be asked.")
                        .build());
    }

    /**
     * Returns if it may be done.
     *
     * @param what completes "this ...", such as {@code removes /a}
     * @throws CommandFailure with {@link ExitCode#DECLINED} if nobody said yes; nothing was done
     */
    static void ask(ParseResult given, Terminal terminal, String what) {
        if (given.hasMatchedOption("--yes")) {
            return;
        }
        String sentence = Table.printable("this " + what);
        if (terminal.keyboard().isEmpty()) {
            throw new CommandFailure(
                    ExitCode.DECLINED,
                    sentence + "; nobody can be asked here, so say --yes if it is meant");
        }
        PrintWriter err = given.commandSpec().commandLine().getErr();
        err.print("%s. Go on? [y/N] ".formatted(sentence));
        err.flush();
        if (!isYes(terminal)) {
            throw new CommandFailure(ExitCode.DECLINED, "nothing was done");
        }
    }

    private static boolean isYes(Terminal terminal) {
        try {
            String answer = terminal.keyboard().orElseThrow().readLine();
            return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
        } catch (IOException e) {
            return false;
        }
    }
}
