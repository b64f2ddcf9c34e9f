package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;

/** {@code cepheus ls} and {@code cepheus stat}. */
final class NamespaceCommands {
    private NamespaceCommands() {}

    static CommandSpec ls() {
        return withPath(CommandTree.command("ls", "List a directory.", NamespaceCommands::runLs));
    }

    static CommandSpec stat() {
        return withPath(
                CommandTree.command(
                        "stat", "Show one file or directory.", NamespaceCommands::runStat));
    }

    /** Adds the one word PATH and the server's options. */
    static CommandSpec withPath(CommandSpec command) {
        return ServerOptions.addTo(command)
                .addPositional(
                        PositionalParamSpec.builder()
                                .index("0")
                                .required(true)
                                .type(String.class)
                                .paramLabel("PATH")
                                .description("Absolute path in the namespace.")
                                .build());
    }

    static String path(ParseResult given) {
        return given.matchedPositionalValue(0, "");
    }

    private static int runLs(ParseResult given, PrintWriter out) {
        boolean json = ServerOptions.isJson(given);
        try (AdminClient client = ServerOptions.client(given)) {
            Optional<String> after = Optional.of("");
            boolean first = true;
            while (after.isPresent()) {
                JsonNode page =
                        client.get(
                                "/api/v1/namespace/entries?path=%s&after=%s"
                                        .formatted(
                                                AdminClient.encoded(path(given)),
                                                AdminClient.encoded(after.get())));
                if (json) {
                    printJson(page, first, out);
                } else {
                    printRows(page.path("entries"), out);
                }
                first = false;
                after = page.path("next").asStringOpt();
            }
            if (json) {
                out.println("]}");
            }
            return ExitCode.OK;
        }
    }

    /** One document over all pages, so that a script sees the directory as one list. */
    private static void printJson(JsonNode page, boolean first, PrintWriter out) {
        boolean comma = !first;
        if (first) {
            out.println("{\"path\":" + page.path("path") + ",\"entries\":[");
        }
        for (JsonNode entry : page.path("entries")) {
            out.println((comma ? "," : "") + entry);
            comma = true;
        }
    }

    private static void printRows(JsonNode entries, PrintWriter out) {
        for (JsonNode entry : entries) {
            out.println(
                    Table.printable(
                            "%s%s  %-10s %-10s %10s  %s  %s"
                                    .formatted(
                                            letter(entry),
                                            entry.path("mode").asString(),
                                            entry.path("owner").asString(),
                                            entry.path("group").asString(),
                                            size(entry),
                                            seconds(entry.path("modified").asString()),
                                            entry.path("name").asString())));
        }
    }

    private static String letter(JsonNode entry) {
        return switch (entry.path("kind").asString()) {
            case "directory" -> "d";
            case "symlink" -> "l";
            default -> "-";
        };
    }

    private static String size(JsonNode entry) {
        return entry.path("kind").asString().equals("directory")
                ? "-"
                : ByteCount.format(entry.path("sizeBytes").asLong());
    }

    /** Without the fraction of a second. */
    static String seconds(String instant) {
        return instant.replaceFirst("\\.\\d+Z$", "Z");
    }

    private static int runStat(ParseResult given, PrintWriter out) {
        try (AdminClient client = ServerOptions.client(given)) {
            JsonNode entry =
                    client.get("/api/v1/namespace?path=" + AdminClient.encoded(path(given)));
            if (ServerOptions.isJson(given)) {
                out.println(entry.toPrettyString());
            } else {
                print(entry, out);
            }
            return ExitCode.OK;
        }
    }

    private static void print(JsonNode entry, PrintWriter out) {
        long bytes = entry.path("sizeBytes").asLong();
        Field.print(out, "path", entry.path("path").asString());
        Field.print(out, "kind", entry.path("kind").asString());
        Field.print(out, "size", "%s (%d bytes)".formatted(ByteCount.format(bytes), bytes));
        Field.print(out, "mode", entry.path("mode").asString());
        Field.print(out, "owner", entry.path("owner").asString());
        Field.print(out, "group", entry.path("group").asString());
        Field.print(out, "modified", entry.path("modified").asString());
        Field.print(out, "changed", entry.path("changed").asString());
        Field.print(out, "born", entry.path("born").asString());
        Field.print(out, "inode", entry.path("inode").asString());
        Field.print(out, "version", entry.path("version").asString());
        for (Map.Entry<String, JsonNode> sum : entry.path("checksums").properties()) {
            Field.print(out, sum.getKey(), sum.getValue().asString());
        }
        if (entry.path("underUpdate").asBoolean()) {
            Field.print(out, "note", "a writer is changing it in place");
        }
    }
}
