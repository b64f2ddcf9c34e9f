package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code cepheus quota ls|set|rm|verify}. */
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
                "quota",
                "Limits of directories: list, set, remove, verify.",
                ls(),
                set(),
                rm(),
                new QuotaVerify(terminal).spec());
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
        set.addOption(
                        FindCommand.text(
                                "--bytes",
                                "SIZE",
                                "Nothing more fits above this: 10GiB, or 'none', or 'default' for the node's default."))
                .addOption(FindCommand.text("--files", "N", "The same for a number of files."))
                .addOption(
                        FindCommand.text(
                                "--soft-bytes", "SIZE", "Warns from here on and refuses nothing."))
                .addOption(FindCommand.text("--soft-files", "N", "The same for files."))
                .addOption(FindCommand.text("--user", "NAME", "Limit what this user may hold."))
                .addOption(FindCommand.text("--group", "NAME", "Limit what this group may hold."))
                .addOption(
                        FindCommand.text(
                                "--default",
                                "users|groups",
                                "Limit what each user, or group, may hold that has no limit of its own."))
                .addOption(
                        FindCommand.flag(
                                "--wait",
                                "Wait, with progress, until what is there already is counted: a first"
                                        + " limit over much content refuses nothing before."));
        return CommandTree.examples(
                set,
                "cepheus quota set /data --bytes 10TiB --files 1000000",
                "cepheus quota set /data --user anna --bytes 500GiB --soft-bytes 450GiB",
                "cepheus quota set /data --default users --bytes 100GiB",
                "cepheus quota set /data --user anna --bytes none",
                "cepheus quota set /data --bytes 10TiB --wait");
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
        return ROWS.show(
                given,
                out,
                terminal,
                client -> below(PathWord.of(given), client.all(QUOTAS, "quotas")));
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

    private int set(ParseResult given, PrintWriter out) throws InterruptedException {
        ObjectNode order = order(given);
        String path = order.path("path").asString();
        try (AdminClient client = ServerOptions.client(given)) {
            client.put(QUOTAS, order);
            var node = new QuotaNode(client, path);
            List<JsonNode> rows =
                    given.hasMatchedOption("--wait")
                            ? node.awaitCount(given.commandSpec().commandLine().getErr(), terminal)
                            : rowsIfTold(node);
            ObjectNode document = Done.document("set").put("path", path);
            document.putArray("quotas").addAll(rows);
            Done.print(given, out, sentence(path, rows), document);
            return ExitCode.OK;
        }
    }

    /** The limits are set: that nobody says how the node is now is no failure any more. */
    private static List<JsonNode> rowsIfTold(QuotaNode node) {
        try {
            return node.rows();
        } catch (CommandFailure _) {
            return List.of();
        }
    }

    private static String sentence(String path, List<JsonNode> rows) {
        String set = "limits of %s are set".formatted(path);
        return QuotaNode.isCounting(rows)
                ? set
                        + "; what is there is being counted (%d of at most %d entries), and nothing is refused before that is done; see: cepheus quota ls %s --watch"
                                .formatted(
                                        rows.getFirst().path("countedEntries").asLong(),
                                        rows.getFirst().path("expectedEntries").asLong(),
                                        path)
                : set;
    }

    private static ObjectNode order(ParseResult given) {
        ObjectNode order = JsonNodeFactory.instance.objectNode().put("path", PathWord.of(given));
        List<String> whom =
                Stream.of("--user", "--group", "--default")
                        .filter(given::hasMatchedOption)
                        .toList();
        if (whom.size() > 1) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "give one of --user, --group and --default; each has limits of its own");
        }
        if (whom.isEmpty()) {
            order.put("kind", "project");
        } else {
            String name = given.matchedOptionValue(whom.getFirst(), "");
            switch (whom.getFirst()) {
                case "--user" -> order.put("kind", "user").put("principal", name);
                case "--group" -> order.put("kind", "group").put("principal", name);
                default -> order.put("kind", kindOfDefault(name)).put("default", true);
            }
        }
        int before = order.size();
        putLimit(given, "bytes", "bytes", order, ByteCount::parse);
        putLimit(given, "files", "files", order, QuotaCommands::fileCount);
        putLimit(given, "soft-bytes", "softBytes", order, ByteCount::parse);
        putLimit(given, "soft-files", "softFiles", order, QuotaCommands::fileCount);
        if (order.size() == before) {
            throw new CommandFailure(
                    ExitCode.USAGE, "give one of --bytes, --files, --soft-bytes, --soft-files");
        }
        return order;
    }

    private static String kindOfDefault(String whom) {
        return switch (whom) {
            case "users" -> "user";
            case "groups" -> "group";
            default ->
                    throw new CommandFailure(
                            ExitCode.USAGE, "--default is users or groups, not " + whom);
        };
    }

    private static void putLimit(
            ParseResult given,
            String option,
            String member,
            ObjectNode order,
            ToLongFunction<String> parse) {
        @Nullable String text = given.matchedOptionValue("--" + option, null);
        if (text == null) {
            return;
        }
        switch (text) {
            case "none" -> order.putNull(member);
            case "default" -> order.put(member, text);
            default -> order.put(member, parse.applyAsLong(text));
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
            Done.print(
                    given,
                    out,
                    "limits of %s are removed".formatted(path),
                    Done.document("removed").put("path", path));
            return ExitCode.OK;
        }
    }
}
