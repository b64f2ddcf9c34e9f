package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code cepheus transfer ls}: the uploads that no directory shows yet. */
final class TransferCommands {
    private static final int MAX_ROWS = 10_000;

    static final List<Column> COLUMNS =
            List.of(
                    Column.time("since", "since", "since"),
                    Column.number("fst", "fst", "fst"),
                    Column.text("state", "state", "state"),
                    Column.text("user", "uid", "user"),
                    Column.text("client", "client", "client"),
                    Column.bytes("reserved", "reservedbytes", "reservedBytes"),
                    Column.bytes("declared", "declaredbytes", "declaredBytes"),
                    Column.text("", "trace", "trace"),
                    Column.text("path", "path", "path"));

    private static final Listing TRANSFERS = new Listing("transfers", COLUMNS);

    private final Terminal terminal;

    TransferCommands(Terminal terminal) {
        this.terminal = terminal;
    }

    CommandSpec transfer() {
        return CommandTree.noun("transfer", "Uploads that are running.", ls());
    }

    private CommandSpec ls() {
        return CommandTree.examples(
                Listing.addTo(
                        CommandTree.command(
                                "ls", "List running uploads, oldest first.", this::list)),
                "cepheus transfer ls --watch",
                "cepheus transfer ls --filter user=anna --sort reserved --reverse");
    }

    private int list(ParseResult given, PrintWriter out) {
        try (AdminClient client = ServerOptions.client(given)) {
            return Watch.run(
                    given,
                    out,
                    terminal,
                    frame -> {
                        TRANSFERS.print(
                                given,
                                client.get("/api/v1/transfers?max=" + MAX_ROWS),
                                frame,
                                terminal.hasColours());
                        return ExitCode.OK;
                    });
        }
    }
}
