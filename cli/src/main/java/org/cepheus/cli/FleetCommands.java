package org.cepheus.cli;

import java.io.PrintWriter;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code cepheus node|fs|space}: the machines, what they store on, and what it is called. */
final class FleetCommands {
    private static final String STATES = "rw, ro, drain or off";

    private final Terminal terminal;
    private final Listing nodes;
    private final Listing fileSystems;
    private final Listing spaces;

    FleetCommands(Terminal terminal) {
        this.terminal = terminal;
        this.nodes =
                new Listing(
                        "nodes",
                        List.of(
                                Column.constant("type", "nodesview"),
                                Column.text("kind", "kind", "kind"),
                                Column.text("id", "id", "id"),
                                Column.of("hostport", "hostport", NodeColumns::hostport),
                                Column.number("http", "http", "httpPort"),
                                Column.of("status", "status", FleetCommands::status),
                                Column.state("activated", "configstatus", "state"),
                                Column.numbers("heartbeat", "heartbeatdelta", this::heartbeat),
                                Column.state("role", "role", "role"),
                                Column.number("lag", "lag", "lagEntries"),
                                Column.number("streams", "streams", "streams"),
                                Column.numbers("nofs", "nofs", FleetCommands::count),
                                Column.of("fs", "fs", row -> list(row, "volumes"))));
        this.fileSystems =
                new Listing(
                        "fs",
                        List.of(
                                Column.of("host", "host", row -> list(row, "fsts")),
                                Column.number("id", "id", "id"),
                                Column.text("", "uuid", "uuid"),
                                Column.of("boot", "stat.boot", FleetCommands::boot),
                                Column.state("configstatus", "configstatus", "state"),
                                Column.of("active", "stat.active", FleetCommands::active),
                                Column.number("wopen", "stat.wopen", "uploads"),
                                Column.numbers(
                                        "used", "stat.statfs.usedbytes", VolumeColumns::used),
                                Column.bytes("free", "stat.statfs.freebytes", "freeBytes"),
                                Column.bytes("capacity", "stat.statfs.capacity", "totalBytes"),
                                Column.of("usage", "stat.statfs.filled", VolumeColumns::usage)));
        this.spaces =
                new Listing(
                        "spaces",
                        List.of(
                                Column.constant("type", "spaceview"),
                                Column.text("name", "name", "name"),
                                Column.numbers("N(fs)", "nofs", FleetCommands::count),
                                Column.number("N(fs-rw)", "nofs.rw", "writable"),
                                Column.number("files", "sum.stat.usedfiles", "files"),
                                Column.bytes("used", "sum.stat.usedbytes", "usedBytes"),
                                Column.bytes("free", "sum.stat.statfs.freebytes", "freeBytes"),
                                Column.bytes("capacity", "sum.stat.statfs.capacity", "totalBytes"),
                                Column.of(
                                        "usage", "sum.stat.statfs.filled", VolumeColumns::usage)));
    }

    CommandSpec node() {
        return CommandTree.noun(
                "node",
                "MGMs and FSTs: list them, say what an FST is used for.",
                CommandTree.examples(
                        nodes.command(
                                "List MGMs with role and lag, and FSTs with state and the age of their last sign of life.",
                                "/api/v1/nodes",
                                terminal),
                        "cepheus node ls",
                        "cepheus node ls --filter status=offline",
                        "cepheus node ls --watch"),
                set(
                        "ID",
                        "The FST, such as fst2 or 2.",
                        "Say what an FST is used for: "
                                + STATES
                                + ". Transfers that run go on in every state.",
                        "/api/v1/nodes/",
                        "cepheus node set fst2 drain"));
    }

    CommandSpec fs() {
        return CommandTree.noun(
                "fs",
                "File systems (volumes): list them, say what one is used for.",
                CommandTree.examples(
                        fileSystems.command(
                                "List volumes with the FSTs that serve them, state, room and uploads.",
                                "/api/v1/fs",
                                terminal),
                        "cepheus fs ls",
                        "cepheus fs ls --filter active=offline",
                        "cepheus fs ls --sort usage --reverse"),
                set(
                        "ID",
                        "The number of a volume.",
                        "Say what a volume is used for: "
                                + STATES
                                + ". Nothing is written to one that is ro or drain; off is not even read.",
                        "/api/v1/fs/",
                        "cepheus fs set 3 ro"));
    }

    CommandSpec space() {
        return CommandTree.noun(
                "space",
                "Spaces: what files are placed in.",
                CommandTree.examples(
                        spaces.command(
                                "List spaces with their volumes, files and room; shared storage counts once.",
                                "/api/v1/spaces",
                                terminal),
                        "cepheus space ls"));
    }

    private CommandSpec set(
            String label, String aboutLabel, String about, String target, String example) {
        CommandSpec set =
                Confirmation.addTo(
                        ServerOptions.addTo(
                                CommandTree.command(
                                        "set", about, (given, out) -> runSet(given, out, target))));
        PathWord.addTo(set, 0, label, aboutLabel);
        PathWord.addTo(set, 1, "STATE", STATES + ".");
        return CommandTree.examples(set, example);
    }

    private int runSet(ParseResult given, PrintWriter out, String target) {
        String id = PathWord.of(given, 0);
        String state = PathWord.of(given, 1);
        if (!id.matches("(fst)?[0-9]{1,9}")) {
            throw new CommandFailure(
                    ExitCode.USAGE, "'%s' names none; see the list for ids".formatted(id));
        }
        if (!List.of("rw", "ro", "drain", "off").contains(state)) {
            throw new CommandFailure(
                    ExitCode.USAGE, "'%s' is no state; there are %s".formatted(state, STATES));
        }
        if (state.equals("off")) {
            Confirmation.ask(given, terminal, "makes what only %s has unreachable".formatted(id));
        }
        try (AdminClient client = ServerOptions.client(given)) {
            client.patch(target + id, JsonNodeFactory.instance.objectNode().put("state", state));
        }
        Done.print(
                given,
                out,
                "%s is %s".formatted(id, state),
                Done.document("set").put("id", id).put("state", state));
        return ExitCode.OK;
    }

    private static Cell status(JsonNode node) {
        return node.path("kind").asString().equals("fst")
                ? NodeColumns.status(node)
                : NodeColumns.memberStatus(node);
    }

    /** Seconds for scripts, as EOS writes it. */
    private Cell heartbeat(JsonNode node) {
        if (node.has("silentMillis")) {
            return age(Duration.ofMillis(node.path("silentMillis").asLong()));
        }
        try {
            return node.has("lastSeen")
                    ? age(
                            Duration.between(
                                    Instant.parse(node.path("lastSeen").asString()),
                                    terminal.time().now()))
                    : Cell.NONE;
        } catch (DateTimeException e) {
            return Cell.NONE;
        }
    }

    private static Cell age(Duration age) {
        return new Cell(Ages.of(age), Long.toString(Math.max(0, age.toSeconds())), Tone.PLAIN);
    }

    private static Cell count(JsonNode row) {
        return row.has("volumes") ? Cell.number(row.path("volumes").size()) : Cell.NONE;
    }

    private static Cell list(JsonNode row, String member) {
        String all =
                row.path(member).values().stream()
                        .map(JsonNode::asString)
                        .collect(Collectors.joining(","));
        return all.isEmpty() ? Cell.NONE : Cell.text(all);
    }

    private static Cell boot(JsonNode fileSystem) {
        return Column.state(fileSystem.path("totalBytes").asLong() > 0 ? "booted" : "down");
    }

    private static Cell active(JsonNode fileSystem) {
        return Column.state(fileSystem.path("usable").asBoolean() ? "online" : "offline");
    }
}
