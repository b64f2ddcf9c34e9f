package org.cepheus.app;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.cepheus.cli.CommandTree;
import org.cepheus.cli.ServerOptions;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code cepheus up}: a whole cluster in one process, on loopback. */
final class UpCommand {
    private UpCommand() {}

    static CommandSpec spec() {
        return CommandTree.command(
                        "up",
                        "Start one MGM and two FSTs in this process, for this machine only.",
                        UpCommand::run)
                .addOption(
                        OptionSpec.builder("--data")
                                .type(Path.class)
                                .paramLabel("DIR")
                                .description("Where to keep everything (./cepheus-data).")
                                .build())
                .addOption(
                        OptionSpec.builder("--port-base")
                                .type(Integer.class)
                                .paramLabel("N")
                                .description(
                                        "XRootD on N and up, HTTP on N+10, admin N+20, Raft N+30.")
                                .build())
                .addOption(
                        OptionSpec.builder("--log-format")
                                .type(LogFormat.class)
                                .paramLabel("text|json")
                                .description(
                                        "Lines of cepheus.log in the data directory: text, or a JSON object each.")
                                .build());
    }

    private static int run(ParseResult given, PrintWriter out) throws Exception {
        Path data = given.matchedOptionValue("--data", Path.of(ServerOptions.DEFAULT_DATA));
        Ports ports =
                given.hasMatchedOption("--port-base")
                        ? Ports.from(given.matchedOptionValue("--port-base", 0))
                        : Ports.USUAL;
        LogFormat format = given.matchedOptionValue("--log-format", LogFormat.TEXT);
        return Up.run(data, ports, format, out);
    }
}
