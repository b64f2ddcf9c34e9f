package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.BiConsumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code cepheus session ls|kill} and {@code cepheus transfer ls|kill}: who is at work. */
final class SessionCommands {
    /** What a row about an upload shows. */
    static final List<Column> TRANSFERS =
            List.of(
                    Column.number("id", "id", "id"),
                    Column.time("since", "since", "since"),
                    Column.number("fst", "fst", "fst"),
                    Column.text("state", "state", "state"),
                    Column.text("user", "uid", "user"),
                    Column.text("client", "client", "client"),
                    Column.bytes("reserved", "reservedbytes", "reservedBytes"),
                    Column.bytes("declared", "declaredbytes", "declaredBytes"),
                    Column.text("", "trace", "trace"),
                    Column.text("path", "path", "path"));

    private static final List<Column> SESSIONS =
            List.of(
                    Column.number("id", "id", "id"),
                    Column.time("since", "since", "since"),
                    Column.text("protocol", "protocol", "protocol"),
                    Column.text("user", "uid", "user"),
                    Column.text("client", "client", "client"));

    private final Terminal terminal;

    SessionCommands(Terminal terminal) {
        this.terminal = terminal;
    }

    CommandSpec transfer() {
        return CommandTree.noun(
                "transfer",
                "Uploads that are running: list them, end one.",
                CommandTree.examples(
                        ls(
                                "List running uploads, oldest first.",
                                "/api/v1/transfers",
                                new Listing("transfers", TRANSFERS)),
                        "cepheus transfer ls --watch",
                        "cepheus transfer ls --filter user=anna --sort reserved --reverse"),
                CommandTree.examples(
                        kill(
                                "End an upload: nothing of it becomes visible, and what it reserved is free again.",
                                "ends the upload",
                                (client, id) -> client.delete("/api/v1/transfers/" + id)),
                        "cepheus transfer kill 1234"));
    }

    CommandSpec session() {
        return CommandTree.noun(
                "session",
                "Clients that are logged in at an MGM: list them, cut one off.",
                CommandTree.examples(
                        ls(
                                "List the sessions at the XRootD port of the member that is asked.",
                                "/api/v1/sessions",
                                new Listing("sessions", SESSIONS)),
                        "cepheus session ls --filter user=anna"),
                CommandTree.examples(
                        kill(
                                "Cut the connection of a session. The client may log in again; uploads go on.",
                                "cuts the session",
                                (client, id) -> client.end("/api/v1/sessions/" + id)),
                        "cepheus session kill 17"));
    }

    private CommandSpec ls(String about, String target, Listing listing) {
        return listing.command(about, target, terminal);
    }

    private CommandSpec kill(String about, String what, BiConsumer<AdminClient, String> order) {
        CommandSpec kill =
                Confirmation.addTo(
                        ServerOptions.addTo(
                                CommandTree.command(
                                        "kill",
                                        about,
                                        (given, out) -> runKill(given, out, what, order))));
        return PathWord.addTo(kill, 0, "ID", "As the list has it.");
    }

    private int runKill(
            ParseResult given,
            PrintWriter out,
            String what,
            BiConsumer<AdminClient, String> order) {
        String id = PathWord.of(given);
        if (!id.matches("[0-9]{1,19}")) {
            throw new CommandFailure(
                    ExitCode.USAGE, "'%s' is no id; see the list for ids".formatted(id));
        }
        Confirmation.ask(given, terminal, "%s %s".formatted(what, id));
        try (AdminClient client = ServerOptions.client(given)) {
            order.accept(client, id);
        }
        Done.print(given, out, "%s is ended".formatted(id), Done.document("ended").put("id", id));
        return ExitCode.OK;
    }
}
