package org.cepheus.app;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.cepheus.cli.CommandTree;
import org.cepheus.cli.OperatorCommands;
import org.cepheus.cli.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The one command. */
public final class Cepheus {
    private Cepheus() {}

    /** Ends the process with one of {@link org.cepheus.cli.ExitCode}. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        Terminal terminal = Terminal.ofProcess(System.getenv());
        CommandSpec root =
                CommandTree.noun(
                        "cepheus",
                        "XRootD and HTTP for many files over safe storage.",
                        UpCommand.spec(),
                        ServerCommands.mgm(),
                        ServerCommands.fst(),
                        InitCommand.spec(),
                        new ConfigCommands(terminal).spec(),
                        KeyCommand.spec());
        OperatorCommands.all(terminal).forEach(each -> root.addSubcommand(each.name(), each));
        return CommandTree.of(root)
                .setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
    }
}
