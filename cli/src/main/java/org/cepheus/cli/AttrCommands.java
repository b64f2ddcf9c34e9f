package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code cepheus attr ls|get|set|rm}, with the words in EOS's order. */
final class AttrCommands {
    private static final String ATTRIBUTES = "/api/v1/namespace/attributes";

    private static final Listing ROWS =
            new Listing(
                    "attributes",
                    List.of(
                            Column.text("name", "name", "name"),
                            Column.of("value", "value", AttrCommands::value)));

    private final Terminal terminal;

    AttrCommands(Terminal terminal) {
        this.terminal = terminal;
    }

    CommandSpec attr() {
        return CommandTree.noun(
                "attr",
                "Extended attributes of a file or directory: list, show, set, remove.",
                ls(),
                get(),
                set(),
                rm());
    }

    private CommandSpec ls() {
        return CommandTree.examples(
                PathWord.addTo(
                        Listing.addTo(
                                CommandTree.command(
                                        "ls",
                                        "List all attributes with their values.",
                                        this::runLs))),
                "cepheus attr ls /data");
    }

    private CommandSpec get() {
        CommandSpec get =
                ServerOptions.addTo(
                        CommandTree.command(
                                "get", "Print the value of one attribute.", AttrCommands::runGet));
        return CommandTree.examples(named(get, "NAME"), "cepheus attr get user.comment /data");
    }

    private CommandSpec set() {
        CommandSpec set =
                ServerOptions.addTo(
                        CommandTree.command("set", "Set one attribute.", AttrCommands::runSet));
        return CommandTree.examples(
                named(set, "NAME=VALUE"), "cepheus attr set user.comment='raw data' /data");
    }

    private CommandSpec rm() {
        CommandSpec rm =
                Confirmation.addTo(
                        ServerOptions.addTo(
                                CommandTree.command("rm", "Remove one attribute.", this::runRm)));
        return CommandTree.examples(named(rm, "NAME"), "cepheus attr rm user.comment /data");
    }

    private static CommandSpec named(CommandSpec command, String label) {
        PathWord.addTo(command, 0, label, "Names begin with user. or sys.");
        return PathWord.addTo(command, 1, "PATH", "Absolute path in the namespace.");
    }

    /** As text, or as {@code base64:...} if it is none. */
    private static Cell value(JsonNode attribute) {
        return attribute.has("base64")
                ? Cell.text("base64:" + attribute.path("base64").asString())
                : Cell.text(attribute.path("value").asString());
    }

    private static JsonNode attributes(AdminClient client, String path) {
        return client.get(ATTRIBUTES + "?path=" + AdminClient.encoded(path));
    }

    private int runLs(ParseResult given, PrintWriter out) {
        return ROWS.show(given, out, terminal, client -> attributes(client, PathWord.of(given)));
    }

    private static int runGet(ParseResult given, PrintWriter out) {
        String name = PathWord.of(given, 0);
        String path = PathWord.of(given, 1);
        try (AdminClient client = ServerOptions.client(given)) {
            for (JsonNode each : attributes(client, path).path("attributes")) {
                if (each.path("name").asString().equals(name)) {
                    out.println(
                            Form.of(given) == Form.JSON
                                    ? each.toPrettyString()
                                    : Table.printable(value(each).shown()));
                    return ExitCode.OK;
                }
            }
        }
        throw new CommandFailure(
                ExitCode.NOT_FOUND,
                Table.printable(
                        "%s has no attribute %s; see: cepheus attr ls".formatted(path, name)));
    }

    private static int runSet(ParseResult given, PrintWriter out) {
        String[] words = PathWord.of(given, 0).split("=", 2);
        if (words.length != 2 || words[0].isEmpty()) {
            throw new CommandFailure(
                    ExitCode.USAGE, "write NAME=VALUE, such as user.comment='raw data'");
        }
        ObjectNode order =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("path", PathWord.of(given, 1))
                        .put("name", words[0])
                        .put("value", words[1]);
        try (AdminClient client = ServerOptions.client(given)) {
            client.put(ATTRIBUTES, order);
        }
        Done.print(
                given,
                out,
                "%s of %s is set".formatted(words[0], PathWord.of(given, 1)),
                Done.document("set").put("path", PathWord.of(given, 1)).put("name", words[0]));
        return ExitCode.OK;
    }

    private int runRm(ParseResult given, PrintWriter out) {
        String name = PathWord.of(given, 0);
        String path = PathWord.of(given, 1);
        Confirmation.ask(given, terminal, "removes %s of %s".formatted(name, path));
        try (AdminClient client = ServerOptions.client(given)) {
            client.delete(
                    "%s?path=%s&name=%s"
                            .formatted(
                                    ATTRIBUTES,
                                    AdminClient.encoded(path),
                                    AdminClient.encoded(name)));
        }
        Done.print(
                given,
                out,
                "%s of %s is removed".formatted(name, path),
                Done.document("removed").put("path", path).put("name", name));
        return ExitCode.OK;
    }
}
