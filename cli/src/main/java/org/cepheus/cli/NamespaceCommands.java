package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;

/** {@code cepheus ls} and {@code cepheus stat}. */
final class NamespaceCommands {
    private static final String INODE = "inode:";
    private static final String EOS_ID = "fxid:";

    private final Terminal terminal;

    NamespaceCommands(Terminal terminal) {
        this.terminal = terminal;
    }

    CommandSpec ls() {
        return CommandTree.examples(
                PathWord.addTo(
                        Selection.addFilterTo(
                                Form.addKeys(
                                        ServerOptions.addTo(
                                                CommandTree.command(
                                                        "ls",
                                                        "List a directory in byte order of names, page by page, however large it is.",
                                                        this::runLs))))),
                "cepheus ls /data",
                "cepheus ls /data --filter 'size>10GiB' --filter owner=anna",
                "cepheus ls /data -m");
    }

    CommandSpec stat() {
        return CommandTree.examples(
                PathWord.addTo(
                        Watch.addTo(
                                Form.addKeys(
                                        ServerOptions.addTo(
                                                CommandTree.command(
                                                        "stat",
                                                        "Show one file or directory, with its checksums.",
                                                        this::runStat)))),
                        0,
                        "PATH",
                        "Absolute path in the namespace, inode:NUMBER, or fxid:HEX as EOS writes it."),
                "cepheus stat /data/run1.root",
                "cepheus stat inode:4711",
                "cepheus stat /data/run1.root -m");
    }

    private int runLs(ParseResult given, PrintWriter out) {
        Form form = Form.of(given);
        Predicate<JsonNode> wanted = Selection.of(given).wanted(EntryColumns.OF_ROW);
        try (AdminClient client = ServerOptions.client(given)) {
            var document = new StreamedDocument(out);
            Optional<String> after = Optional.of("");
            while (after.isPresent()) {
                JsonNode page =
                        client.get(
                                "/api/v1/namespace/entries?path=%s&after=%s"
                                        .formatted(
                                                PathWord.encoded(given),
                                                AdminClient.encoded(after.get())));
                List<JsonNode> entries =
                        page.path("entries").values().stream().filter(wanted).toList();
                switch (form) {
                    case TABLE -> entries.forEach(entry -> printRow(entry, out));
                    case KEYS ->
                            entries.forEach(entry ->
                                    out.println(KeyValues.line(EntryColumns.OF_ROW, entry)));
                    case JSON -> document.add(page.path("path").asString(), entries);
                }
                after = page.path("next").asStringOpt();
            }
            if (form == Form.JSON) {
                document.end();
            }
            return ExitCode.OK;
        }
    }

    private void printRow(JsonNode entry, PrintWriter out) {
        boolean isDirectory = entry.path("kind").asString().equals("directory");
        String name = Table.printable(entry.path("name").asString());
        out.println(
                Table.printable(
                                "%s%s  %-10s %-10s %10s  %s  "
                                        .formatted(
                                                letter(entry),
                                                entry.path("mode").asString(),
                                                entry.path("owner").asString(),
                                                entry.path("group").asString(),
                                                isDirectory
                                                        ? "-"
                                                        : ByteCount.format(
                                                                entry.path("sizeBytes").asLong()),
                                                seconds(entry.path("modified").asString())))
                        + (isDirectory ? Tone.HEAD.paint(name, terminal.hasColours()) : name));
    }

    private static String letter(JsonNode entry) {
        return switch (entry.path("kind").asString()) {
            case "directory" -> "d";
            case "symlink" -> "l";
            default -> "-";
        };
    }

    /** Without the fraction of a second. */
    private static String seconds(String instant) {
        return instant.replaceFirst("\\.\\d+Z$", "Z");
    }

    /** No path begins like a number of an inode. */
    private static String entry(String word) {
        if (word.startsWith(INODE)) {
            return inode(word.substring(INODE.length()));
        }
        return word.startsWith(EOS_ID)
                ? inode(decimal(word.substring(EOS_ID.length())))
                : "/api/v1/namespace?path=" + AdminClient.encoded(word);
    }

    private static String inode(String number) {
        return "/api/v1/namespace/inodes/" + AdminClient.encoded(number);
    }

    private static String decimal(String hex) {
        try {
            return Long.toString(Long.parseLong(hex, 16));
        } catch (NumberFormatException e) {
            throw new CommandFailure(
                    ExitCode.USAGE, "'%s' is no number written with 0-9 and a-f".formatted(hex));
        }
    }

    private int runStat(ParseResult given, PrintWriter out) {
        try (AdminClient client = ServerOptions.client(given)) {
            return Watch.run(
                    given,
                    out,
                    terminal,
                    frame -> {
                        JsonNode entry = client.get(entry(PathWord.of(given)));
                        EntryColumns.details(entry)
                                .print(given, entry, frame, terminal.hasColours());
                        return ExitCode.OK;
                    });
        }
    }
}
