package org.cepheus.app;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.Function;
import org.cepheus.cli.CommandFailure;
import org.cepheus.cli.CommandTree;
import org.cepheus.cli.ExitCode;
import org.cepheus.runtime.ConfigException;
import org.cepheus.runtime.ConfigFile;
import org.cepheus.runtime.TomlTable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code cepheus mgm} and {@code cepheus fst}: one server of a cluster, told by a file. */
final class ServerCommands {
    private ServerCommands() {}

    static CommandSpec mgm() {
        return withConfig(
                CommandTree.command(
                        "mgm",
                        "Run one MGM as its configuration file says.",
                        (given, out) -> run(given, out, MgmFile::from, Servers::runMgm)));
    }

    static CommandSpec fst() {
        return withConfig(
                        CommandTree.command(
                                "fst",
                                "Run one FST as its configuration file says.",
                                ServerCommands::runFst))
                .addOption(
                        OptionSpec.builder("--init-volumes")
                                .description(
                                        "Make volumes of the directories it names; once, and they must be empty.")
                                .build());
    }

    private static int runFst(ParseResult given, PrintWriter out) throws Exception {
        boolean initialise = given.hasMatchedOption("--init-volumes");
        return run(
                given,
                out,
                FstFile::from,
                (file, ready) -> Servers.runFst(file, initialise, ready));
    }

    private static CommandSpec withConfig(CommandSpec command) {
        return command.addOption(
                        OptionSpec.builder("--config")
                                .type(Path.class)
                                .required(true)
                                .paramLabel("FILE")
                                .description("The TOML file; see docs/operating/configuration.md.")
                                .build())
                .addOption(
                        OptionSpec.builder("--check-config")
                                .description("Report every problem of the file, start nothing.")
                                .build());
    }

    /** Runs until the process is told to end. */
    interface Server<T> {
        int run(T config, PrintWriter out) throws Exception;
    }

    private static <T> int run(
            ParseResult given, PrintWriter out, Function<TomlTable, T> reader, Server<T> server)
            throws Exception {
        Path file = given.matchedOptionValue("--config", Path.of(""));
        T config = read(file, reader);
        if (given.hasMatchedOption("--check-config")) {
            out.println(file + " has no problems");
            return ExitCode.OK;
        }
        return server.run(config, out);
    }

    private static <T> T read(Path file, Function<TomlTable, T> reader) {
        try {
            return ConfigFile.read(file, reader);
        } catch (ConfigException e) {
            throw unusable(file, e);
        }
    }

    /** Every problem of a file, as one end of a command. */
    static CommandFailure unusable(Path file, ConfigException e) {
        return new CommandFailure(
                ExitCode.FAILED,
                "%s cannot be used:%n  %s"
                        .formatted(file, String.join(System.lineSeparator() + "  ", e.problems())));
    }
}
