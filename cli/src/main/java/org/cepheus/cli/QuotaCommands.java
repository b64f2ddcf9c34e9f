package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code cepheus quota ls|set|rm}. */
final class QuotaCommands {
    private static final String QUOTAS = "/api/v1/quotas";

    private QuotaCommands() {}

    static CommandSpec quota() {
        return CommandTree.noun("quota", "Limits of directories.", ls(), set(), rm());
    }

    private static CommandSpec ls() {
        return ServerOptions.addTo(
                CommandTree.command("ls", "List limits and their use.", QuotaCommands::list));
    }

    private static CommandSpec set() {
        CommandSpec set =
                NamespaceCommands.withPath(
                        CommandTree.command(
                                "set",
                                "Set limits of a directory: for all, or for one user or group.",
                                QuotaCommands::set));
        return set.addOption(text("--bytes", "SIZE", "Such as 10GiB; 'none' lifts the limit."))
                .addOption(text("--files", "N", "A number of files; 'none' lifts the limit."))
                .addOption(text("--user", "NAME", "Limit what this user may hold."))
                .addOption(text("--group", "NAME", "Limit what this group may hold."));
    }

    private static CommandSpec rm() {
        return NamespaceCommands.withPath(
                CommandTree.command(
                        "rm", "Remove all limits of a directory.", QuotaCommands::remove));
    }

    private static OptionSpec text(String name, String label, String about) {
        return OptionSpec.builder(name)
                .type(String.class)
                .paramLabel(label)
                .description(about)
                .build();
    }

    private static int list(ParseResult given, PrintWriter out) {
        try (AdminClient client = ServerOptions.client(given)) {
            JsonNode answer = client.get(QUOTAS);
            if (ServerOptions.isJson(given)) {
                out.println(answer.toPrettyString());
            } else {
                print(answer.path("quotas"), out);
            }
            return ExitCode.OK;
        }
    }

    private static void print(JsonNode rows, PrintWriter out) {
        var table =
                new Table(
                        "PATH",
                        "FOR",
                        ">USED",
                        ">RESERVED",
                        ">LIMIT",
                        ">FILES",
                        ">RESERVED",
                        ">LIMIT");
        for (JsonNode row : rows) {
            table.row(
                    row.path("path").asString(),
                    whom(row),
                    ByteCount.format(row.path("usedBytes").asLong()),
                    ByteCount.format(row.path("reservedBytes").asLong()),
                    row.has("limitBytes") ? ByteCount.format(row.path("limitBytes").asLong()) : "-",
                    row.path("usedFiles").asString(),
                    row.path("reservedFiles").asString(),
                    row.path("limitFiles").asString("-"));
        }
        table.print(out);
    }

    private static String whom(JsonNode row) {
        String kind = row.path("kind").asString();
        return kind.equals("project") ? "all" : kind + " " + row.path("principal").asString();
    }

    private static int set(ParseResult given, PrintWriter out) {
        ObjectNode order = order(given);
        try (AdminClient client = ServerOptions.client(given)) {
            client.put(QUOTAS, order);
            if (ServerOptions.isJson(given)) {
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
        order.put("path", NamespaceCommands.path(given));
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

    private static int remove(ParseResult given, PrintWriter out) {
        String path = NamespaceCommands.path(given);
        try (AdminClient client = ServerOptions.client(given)) {
            client.delete(QUOTAS + "?path=" + AdminClient.encoded(path));
            if (!ServerOptions.isJson(given)) {
                out.println(Table.printable("limits of %s are removed".formatted(path)));
            }
            return ExitCode.OK;
        }
    }
}
