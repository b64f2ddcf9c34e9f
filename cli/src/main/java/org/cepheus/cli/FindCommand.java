package org.cepheus.cli;

import java.io.PrintWriter;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code cepheus find}: everything below a directory that looks as asked. */
final class FindCommand {
    private final Terminal terminal;

    FindCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    CommandSpec spec() {
        CommandSpec find =
                PathWord.addTo(
                        Selection.addFilterTo(
                                Form.addKeys(
                                        ServerOptions.addTo(
                                                CommandTree.command(
                                                        "find",
                                                        "Print the paths below a directory that look as asked; all of several options must hold.",
                                                        this::run)))));
        find.addOption(flag("-f", "Files only."))
                .addOption(flag("-d", "Directories only."))
                .addOption(
                        text("--name", "GLOB", "Whose name matches, such as '*.root'; quote it."))
                .addOption(
                        text("--older", "AGE", "Not modified for so long: 90s, 15m, 12h, 30d, 1y."))
                .addOption(text("--newer", "AGE", "Modified within so long."))
                .addOption(
                        OptionSpec.builder("--maxdepth")
                                .type(Integer.class)
                                .paramLabel("N")
                                .description("Go down N levels; 1 is the directory's own entries.")
                                .build())
                .addOption(flag("--count", "Print only how many there are, and their bytes."));
        return CommandTree.examples(
                find,
                "cepheus find /data -f --name '*.root' --older 30d",
                "cepheus find /data -f --filter 'size>10GiB' --filter owner=anna",
                "cepheus find /data --count");
    }

    static OptionSpec flag(String name, String about) {
        return OptionSpec.builder(name).description(about).build();
    }

    static OptionSpec text(String name, String label, String about) {
        return OptionSpec.builder(name)
                .type(String.class)
                .paramLabel(label)
                .description(about)
                .build();
    }

    private int run(ParseResult given, PrintWriter out) {
        int depth = given.matchedOptionValue("--maxdepth", Integer.MAX_VALUE);
        if (depth < 1) {
            throw new CommandFailure(ExitCode.USAGE, "--maxdepth must be 1 or more");
        }
        var found = new Found(given, wanted(given), out);
        try (AdminClient client = ServerOptions.client(given);
                var progress =
                        new Progress(
                                "looking below " + PathWord.of(given),
                                "entries",
                                given.commandSpec().commandLine().getErr(),
                                terminal)) {
            // On a screen what is found is itself the progress.
            boolean isTold = !terminal.isScreen() || found.countsOnly;
            new Walk(
                            client,
                            depth - 1,
                            (path, entry, level) -> found.met(path, entry),
                            Optional.of(progress).filter(_ -> isTold))
                    .below(PathWord.of(given));
        }
        found.end();
        return ExitCode.OK;
    }

    private BiPredicate<String, JsonNode> wanted(ParseResult given) {
        var all = new ArrayList<BiPredicate<String, JsonNode>>();
        if (given.hasMatchedOption("-f")) {
            all.add((path, entry) -> entry.path("kind").asString().equals("file"));
        }
        if (given.hasMatchedOption("-d")) {
            all.add((path, entry) -> Walk.isDirectory(entry));
        }
        @Nullable String glob = given.matchedOptionValue("--name", null);
        if (glob != null) {
            PathMatcher matcher = matcher(glob);
            all.add((path, entry) -> matcher.matches(Path.of(entry.path("name").asString())));
        }
        @Nullable String older = given.matchedOptionValue("--older", null);
        if (older != null) {
            Instant limit = terminal.time().now().minus(age(older));
            all.add((path, entry) -> modified(entry).isBefore(limit));
        }
        @Nullable String newer = given.matchedOptionValue("--newer", null);
        if (newer != null) {
            Instant limit = terminal.time().now().minus(age(newer));
            all.add((path, entry) -> modified(entry).isAfter(limit));
        }
        Predicate<JsonNode> filters = Selection.of(given).wanted(EntryColumns.OF_ROW);
        all.add((path, entry) -> filters.test(entry));
        return (path, entry) -> all.stream().allMatch(each -> each.test(path, entry));
    }

    private static PathMatcher matcher(String glob) {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + glob);
        } catch (PatternSyntaxException e) {
            throw new CommandFailure(
                    ExitCode.USAGE, "'%s' is no pattern: %s".formatted(glob, e.getDescription()));
        }
    }

    private static Instant modified(JsonNode entry) {
        try {
            return Instant.parse(entry.path("modified").asString());
        } catch (DateTimeException e) {
            return Instant.EPOCH;
        }
    }

    private static Duration age(String text) {
        if (text.matches("[0-9]{1,9}[smhdy]")) {
            long number = Long.parseLong(text.substring(0, text.length() - 1));
            return switch (text.charAt(text.length() - 1)) {
                case 's' -> Duration.ofSeconds(number);
                case 'm' -> Duration.ofMinutes(number);
                case 'h' -> Duration.ofHours(number);
                case 'd' -> Duration.ofDays(number);
                default -> Duration.ofDays(365 * number);
            };
        }
        throw new CommandFailure(
                ExitCode.USAGE, "'%s' is no age; write 90s, 15m, 12h, 30d or 1y".formatted(text));
    }

    /** What becomes of the entries that were met. */
    private static final class Found {
        private final Form form;
        private final boolean countsOnly;
        private final BiPredicate<String, JsonNode> wanted;
        private final PrintWriter out;
        private final StreamedDocument document;
        private final String root;
        private long count;
        private long bytes;

        private Found(ParseResult given, BiPredicate<String, JsonNode> wanted, PrintWriter out) {
            this.form = Form.of(given);
            this.countsOnly = given.hasMatchedOption("--count");
            this.wanted = wanted;
            this.out = out;
            this.root = PathWord.of(given);
            this.document = new StreamedDocument(out);
        }

        private void met(String path, JsonNode entry) {
            if (entry instanceof ObjectNode row) {
                row.put("path", path);
            }
            if (!wanted.test(path, entry)) {
                return;
            }
            count++;
            bytes += entry.path("sizeBytes").asLong();
            if (!countsOnly) {
                print(path, entry);
            }
        }

        private void print(String path, JsonNode entry) {
            switch (form) {
                case TABLE -> out.println(Table.printable(path));
                case KEYS -> out.println(KeyValues.line(EntryColumns.OF_ROW, entry));
                case JSON -> document.add(root, List.of(entry));
            }
        }

        private void end() {
            if (countsOnly) {
                switch (form) {
                    case TABLE ->
                            out.println("%d found, %s".formatted(count, ByteCount.format(bytes)));
                    case KEYS -> out.println("nfound=%d sum.size=%d".formatted(count, bytes));
                    case JSON ->
                            out.println("{\"count\":%d,\"sizeBytes\":%d}".formatted(count, bytes));
                }
            } else if (form == Form.JSON) {
                document.add(root, List.of());
                document.end();
            }
        }
    }
}
