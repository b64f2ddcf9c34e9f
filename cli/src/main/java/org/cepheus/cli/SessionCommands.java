package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code cepheus session ls|kill} and {@code cepheus transfer ls|kill}: who is at work. */
final class SessionCommands {
    private static final String TRANSFERS = "/api/v1/transfers";
    private static final String DOWNLOADS = "/api/v1/downloads";

    /** What a row shows where all are uploads. */
    static final List<Column> UPLOADS =
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

    private static final Listing BOTH_WAYS =
            new Listing(
                    "transfers",
                    List.of(
                            Column.numbers("id", "id", SessionCommands::id),
                            Column.time("since", "since", "since"),
                            Column.text("way", "direction", "direction"),
                            Column.number("fst", "fst", "fst"),
                            Column.text("state", "state", "state"),
                            Column.text("user", "uid", "user"),
                            Column.text("client", "client", "client"),
                            Column.bytes("reserved", "reservedbytes", "reservedBytes"),
                            Column.bytes("declared", "declaredbytes", "declaredBytes"),
                            Column.bytes("read", "readbytes", "readBytes"),
                            Column.bytes("size", "size", "sizeBytes"),
                            Column.text("", "trace", "trace"),
                            Column.text("path", "path", "path")));

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
                "Uploads and downloads that are running: list them, end one.",
                CommandTree.examples(
                        Listing.addTo(
                                CommandTree.command(
                                        "ls",
                                        "List running uploads, and files open for reading, oldest first. The id of a"
                                                + " download is its FST and its number there.",
                                        this::runTransfers)),
                        "cepheus transfer ls --watch",
                        "cepheus transfer ls --filter way=down",
                        "cepheus transfer ls --filter user=anna --sort reserved --reverse"),
                CommandTree.examples(
                        kill(
                                "End an upload: nothing of it becomes visible, and what it reserved is free again."
                                        + " Or end a download: its next read is refused.",
                                "ends the transfer",
                                "[0-9]{1,19}|[0-9]{1,9}/[0-9]{1,19}",
                                SessionCommands::endTransfer),
                        "cepheus transfer kill 1234",
                        "cepheus transfer kill 1/77"));
    }

    private int runTransfers(ParseResult given, PrintWriter out) {
        return BOTH_WAYS.show(
                given,
                out,
                terminal,
                client ->
                        joined(
                                client.all(TRANSFERS, "transfers"),
                                client.all(DOWNLOADS, "downloads")));
    }

    /** One list of both; what the server says beside the rows of downloads stays. */
    private static JsonNode joined(JsonNode uploads, JsonNode downloads) {
        var rows = new ArrayList<JsonNode>();
        uploads.path("transfers").forEach(row -> rows.add(with(row, "up")));
        downloads.path("downloads").forEach(row -> rows.add(with(row, "down")));
        rows.sort(Comparator.comparing(row -> row.path("since").asString()));
        ObjectNode joined = JsonNodeFactory.instance.objectNode();
        joined.putArray("transfers").addAll(rows);
        joined.put("total", uploads.path("total").asLong() + downloads.path("total").asLong());
        joined.put("leftOut", downloads.path("leftOut").asLong());
        joined.set("silentFsts", downloads.path("silentFsts"));
        return joined;
    }

    private static JsonNode with(JsonNode row, String direction) {
        return ((ObjectNode) row.deepCopy()).put("direction", direction);
    }

    private static Cell id(JsonNode row) {
        if (row.has("number")) {
            return Cell.text(
                    "%d/%d".formatted(row.path("fst").asInt(), row.path("number").asLong()));
        }
        return row.has("id") ? Cell.text(row.path("id").asString()) : Cell.NONE;
    }

    private static void endTransfer(AdminClient client, String id) {
        if (id.contains("/")) {
            client.end(DOWNLOADS + "/" + id);
        } else {
            client.delete(TRANSFERS + "/" + id);
        }
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
                                "[0-9]{1,19}",
                                (client, id) -> client.end("/api/v1/sessions/" + id)),
                        "cepheus session kill 17"));
    }

    private CommandSpec ls(String about, String target, Listing listing) {
        return listing.command(about, target, terminal);
    }

    private CommandSpec kill(
            String about, String what, String ids, BiConsumer<AdminClient, String> order) {
        CommandSpec kill =
                Confirmation.addTo(
                        ServerOptions.addTo(
                                CommandTree.command(
                                        "kill",
                                        about,
                                        (given, out) -> runKill(given, out, what, ids, order))));
        return PathWord.addTo(kill, 0, "ID", "As the list has it.");
    }

    private int runKill(
            ParseResult given,
            PrintWriter out,
            String what,
            String ids,
            BiConsumer<AdminClient, String> order) {
        String id = PathWord.of(given);
        if (!id.matches(ids)) {
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
