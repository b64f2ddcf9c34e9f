package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code cepheus quota ls|set|rm}. */
final class QuotaCommands {
    private static final String QUOTAS = "/api/v1/quotas";

    private static final Listing ROWS =
            new Listing("quotas", QuotaColumns.ALL, QuotaColumns::title);

    private final Terminal terminal;

    QuotaCommands(Terminal terminal) {
        this.terminal = terminal;
    }

    CommandSpec quota() {
        return CommandTree.noun(
                "quota", "Limits of directories: list, set, remove.", ls(), set(), rm());
    }

    private CommandSpec ls() {
        CommandSpec ls =
                Listing.addTo(
                        CommandTree.command(
                                "ls",
                                "List quota nodes with limits, use, and what running uploads hold. 'aval' is the"
                                        + " hard limit, 'filled' counts used and reserved, as the limit does.",
                                this::list));
        ls.addPositional(
                PositionalParamSpec.builder()
                        .index("0")
                        .arity("0..1")
                        .type(String.class)
                        .paramLabel("PATH")
                        .description("Only this node and those below it.")
                        .build());
        return CommandTree.examples(
                ls,
                "cepheus quota ls",
                "cepheus quota ls /data --filter 'user anna'",
                "cepheus quota ls --sort filled[%] --reverse",
                "cepheus quota ls --filter vol-status=warning,exceeded -m");
    }

    private CommandSpec set() {
        CommandSpec set =
                PathWord.addTo(
                        ServerOptions.addTo(
                                CommandTree.command(
                                        "set",
                                        "Set limits of a directory: for all that is in it, or for one user or group."
                                                + " It becomes a quota node if it is none.",
                                        this::set)));
        set.addOption(FindCommand.text("--bytes", "SIZE", "Such as 10GiB; 'none' lifts the limit."))
                .addOption(
                        FindCommand.text(
                                "--files", "N", "A number of files; 'none' lifts the limit."))
                .addOption(FindCommand.text("--user", "NAME", "Limit what this user may hold."))
                .addOption(FindCommand.text("--group", "NAME", "Limit what this group may hold."));
        return CommandTree.examples(
                set,
                "cepheus quota set /data --bytes 10TiB --files 1000000",
                "cepheus quota set /data --user anna --bytes 500GiB",
                "cepheus quota set /data --user anna --bytes none");
    }

    private CommandSpec rm() {
        return CommandTree.examples(
                Confirmation.addTo(
                        PathWord.addTo(
                                ServerOptions.addTo(
                                        CommandTree.command(
                                                "rm",
                                                "Remove all limits of a directory, which is a quota node no more. Files stay.",
                                                this::remove)))),
                "cepheus quota rm /data");
    }

    private int list(ParseResult given, PrintWriter out) {
        try (AdminClient client = ServerOptions.client(given)) {
            return Watch.run(
                    given,
                    out,
                    terminal,
                    frame -> {
                        JsonNode answer = client.all(QUOTAS, "quotas");
                        ROWS.print(
                                given,
                                below(PathWord.of(given), answer),
                                frame,
                                terminal.hasColours());
                        return ExitCode.OK;
                    });
        }
    }

    /** The answer with the rows of this node and those below it. */
    private static JsonNode below(String path, JsonNode answer) {
        if (path.isEmpty() || !(answer instanceof ObjectNode document)) {
            return answer;
        }
        ObjectNode copy = document.deepCopy();
        ArrayNode kept = copy.putArray("quotas");
        String inside = PathWord.join(path, "");
        for (JsonNode row : answer.path("quotas")) {
            if (PathWord.join(row.path("path").asString(), "").startsWith(inside)) {
                kept.add(row);
            }
        }
        return copy;
    }

    private int set(ParseResult given, PrintWriter out) {
        ObjectNode order = order(given);
        try (AdminClient client = ServerOptions.client(given)) {
            client.put(QUOTAS, order);
            if (Form.of(given) == Form.JSON) {
                out.println(order.toPrettyString());
            } else {
                out.println(
                        Table.printable(
                                "limits of %s are set".formatted(order.path("path").asString())));
            }
            return ExitCode.OK;
        }
    }

    private static ObjectNode order(ParseResult given) {
        @Nullable String user = given.matchedOptionValue("--user", null);
        @Nullable String group = given.matchedOptionValue("--group", null);
        if (user != null && group != null) {
            throw new CommandFailure(
                    ExitCode.USAGE, "give --user or --group, not both; each has limits of its own");
        }
        if (!given.hasMatchedOption("--bytes") && !given.hasMatchedOption("--files")) {
            throw new CommandFailure(ExitCode.USAGE, "give --bytes or --files or both");
        }
        ObjectNode order = JsonNodeFactory.instance.objectNode();
        order.put("path", PathWord.of(given));
        if (user != null) {
            order.put("kind", "user").put("principal", user);
        } else if (group != null) {
            order.put("kind", "group").put("principal", group);
        } else {
            order.put("kind", "project");
        }
        putLimit(given, "bytes", order, ByteCount::parse);
        putLimit(given, "files", order, QuotaCommands::fileCount);
        return order;
    }

    private static void putLimit(
            ParseResult given, String name, ObjectNode order, ToLongFunction<String> parse) {
        @Nullable String text = given.matchedOptionValue("--" + name, null);
        if (text == null) {
            return;
        }
        if (text.equals("none")) {
            order.putNull(name);
        } else {
            order.put(name, parse.applyAsLong(text));
        }
    }

    private static long fileCount(String text) {
        try {
            long count = Long.parseLong(text);
            if (count >= 0) {
                return count;
            }
        } catch (NumberFormatException e) {
            // The same sentence as for a negative number.
        }
        throw new CommandFailure(
                ExitCode.USAGE,
                "'%s' is no number of files; write 0 or more, or none".formatted(text));
    }

    private int remove(ParseResult given, PrintWriter out) {
        String path = PathWord.of(given);
        Confirmation.ask(given, terminal, "removes all limits of %s; files stay".formatted(path));
        try (AdminClient client = ServerOptions.client(given)) {
            client.delete(QUOTAS + "?path=" + PathWord.encoded(given));
            if (Form.of(given) != Form.JSON) {
                out.println(Table.printable("limits of %s are removed".formatted(path)));
            }
            return ExitCode.OK;
        }
    }
}
