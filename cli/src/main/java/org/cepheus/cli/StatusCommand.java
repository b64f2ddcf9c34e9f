package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code cepheus status}: the cluster at one glance. */
final class StatusCommand {
    private static final String STATUS = "/api/v1/status";

    private static final Details CLUSTER =
            new Details(
                    List.of(
                            Column.constant("uid", "all"),
                            Column.constant("gid", "all"),
                            Column.text("cluster", "cluster", "cluster"),
                            Column.of("member", "", StatusCommand::member),
                            Column.text("", "member", "member"),
                            Column.text("", "role", "role"),
                            Column.number("", "term", "term"),
                            Column.number("", "committed", "committedIndex"),
                            Column.number("", "applied", "appliedIndex"),
                            Column.of("leader", "master_id", StatusCommand::leader),
                            Column.of("holds", "", StatusCommand::holds),
                            Column.number("", "ns.total.files", "files"),
                            Column.number("", "ns.total.directories", "directories"),
                            Column.number("", "usedbytes", "usedBytes")));

    private static final Listing MEMBERS =
            new Listing(
                    "members",
                    List.of(
                            Column.constant("type", "membersview"),
                            Column.text("mgm", "mgm", "id"),
                            Column.state("role", "role", "role"),
                            Column.of("status", "status", NodeColumns::memberStatus),
                            Column.number("lag", "lag", "lagEntries"),
                            Column.number("", "silentms", "silentMillis")));

    private static final Listing NODES = new Listing("fsts", NodeColumns.OF_STATUS);

    private static final Listing VOLUMES = new Listing("volumes", VolumeColumns.OF_STATUS);

    private final Terminal terminal;

    StatusCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    CommandSpec spec() {
        return CommandTree.examples(
                Watch.addTo(
                        Form.addKeys(
                                ServerOptions.addTo(
                                        CommandTree.command(
                                                "status",
                                                "Show the cluster: leader, members and their lag, what it holds, FSTs and volumes.",
                                                Watch.asking(terminal, this::show))))),
                "cepheus status",
                "cepheus status --watch",
                "cepheus status -m | grep ns.total.files");
    }

    private int show(ParseResult given, AdminClient client, PrintWriter out) {
        JsonNode status = withWhatTheLeaderKnows(client, client.get(STATUS));
        CLUSTER.print(given, status, out, terminal.hasColours());
        if (Form.of(given) != Form.JSON) {
            for (Listing part : List.of(MEMBERS, NODES, VOLUMES)) {
                if (Form.of(given) == Form.TABLE) {
                    out.println();
                }
                part.print(given, status, out, terminal.hasColours());
            }
        }
        return ExitCode.OK;
    }

    /**
     * A follower has no FSTs connected and does not know how far the others are: what it says of
     * itself goes with what its leader knows.
     */
    private static JsonNode withWhatTheLeaderKnows(AdminClient client, JsonNode status) {
        JsonNode leader = status.path("leader");
        if (leader.isMissingNode() || status.path("role").asString().equals("leader")) {
            return status;
        }
        JsonNode known;
        try {
            known =
                    client.get(
                            "//%s:%d%s"
                                    .formatted(
                                            leader.path("host").asString(),
                                            leader.path("adminPort").asInt(),
                                            STATUS));
        } catch (CommandFailure _) {
            // It may just have gone; the next one is not known yet.
            return status;
        }
        return ((ObjectNode) status)
                .set("members", known.path("members"))
                .set("fsts", known.path("fsts"))
                .set("volumes", known.path("volumes"));
    }

    private static Cell member(JsonNode status) {
        return Cell.text(
                "%s, %s, term %d, applied %d"
                        .formatted(
                                status.path("member").asString(),
                                status.path("role").asString(),
                                status.path("term").asLong(),
                                status.path("appliedIndex").asLong()));
    }

    private static Cell leader(JsonNode status) {
        JsonNode leader = status.path("leader");
        if (leader.isMissingNode()) {
            return new Cell("none known", "", Tone.BAD);
        }
        String host = leader.path("host").asString();
        return new Cell(
                "root://%s:%d and http://%s:%d"
                        .formatted(
                                host,
                                leader.path("xrootdPort").asInt(),
                                host,
                                leader.path("httpPort").asInt()),
                "%s:%d".formatted(host, leader.path("xrootdPort").asInt()),
                Tone.PLAIN);
    }

    private static Cell holds(JsonNode status) {
        return Cell.text(
                "%d files, %d directories, %s"
                        .formatted(
                                status.path("files").asLong(),
                                status.path("directories").asLong(),
                                ByteCount.format(status.path("usedBytes").asLong())));
    }
}
