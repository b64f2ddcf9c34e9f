package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code cepheus du}: how much is below directories, counted by walking them. */
final class DuCommand {
    private static final List<Column> COLUMNS =
            List.of(
                    Column.bytes("size", "treesize", "sizeBytes"),
                    Column.number("files", "treefiles", "files"),
                    Column.number("directories", "treecontainers", "directories"),
                    Column.text("path", "path", "path"));

    private final Terminal terminal;

    DuCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    CommandSpec spec() {
        CommandSpec du =
                PathWord.addTo(
                        Form.addKeys(
                                ServerOptions.addTo(
                                        CommandTree.command(
                                                "du",
                                                "Add up sizes, files and directories below a directory; the total comes last.",
                                                this::run))));
        du.addOption(
                OptionSpec.builder("--depth")
                        .type(Integer.class)
                        .paramLabel("N")
                        .description(
                                "Show a line for each directory down to N levels (1); 0 is the total alone.")
                        .build());
        return CommandTree.examples(
                du, "cepheus du /data", "cepheus du /data --depth 0", "cepheus du /data -m");
    }

    private int run(ParseResult given, PrintWriter out) {
        int depth = given.matchedOptionValue("--depth", 1);
        if (depth < 0) {
            throw new CommandFailure(ExitCode.USAGE, "--depth must be 0 or more");
        }
        String root = PathWord.of(given);
        try (AdminClient client = ServerOptions.client(given);
                var progress =
                        new Progress(
                                "counting " + root,
                                "entries",
                                given.commandSpec().commandLine().getErr(),
                                terminal)) {
            var sums = new Sums(Form.of(given), depth, root, out);
            new Walk(client, Integer.MAX_VALUE, sums, Optional.of(progress)).below(root);
            sums.end();
        }
        return ExitCode.OK;
    }

    /** One sum for each level above the entry that is met. */
    private static final class Sums implements Walk.Visitor {
        private final Form form;
        private final int shownDepth;
        private final String root;
        private final PrintWriter out;
        private final StreamedDocument document;
        private final Deque<long[]> levels = new ArrayDeque<>();

        private Sums(Form form, int shownDepth, String root, PrintWriter out) {
            this.form = form;
            this.shownDepth = shownDepth;
            this.root = root;
            this.out = out;
            this.document = new StreamedDocument(out);
        }

        @Override
        public void enter(String directory, int depth) {
            levels.addLast(new long[3]);
        }

        @Override
        public void entry(String path, JsonNode entry, int depth) {
            long[] sums = levels.getLast();
            if (Walk.isDirectory(entry)) {
                sums[2]++;
            } else {
                sums[0] += entry.path("sizeBytes").asLong();
                sums[1]++;
            }
        }

        @Override
        public void leave(String directory, int depth) {
            long[] sums = levels.removeLast();
            if (!levels.isEmpty()) {
                long[] above = levels.getLast();
                for (int i = 0; i < sums.length; i++) {
                    above[i] += sums[i];
                }
            }
            if (depth <= shownDepth) {
                print(row(directory, sums));
            }
        }

        private static ObjectNode row(String directory, long[] sums) {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("path", directory)
                    .put("sizeBytes", sums[0])
                    .put("files", sums[1])
                    .put("directories", sums[2]);
        }

        private void print(ObjectNode row) {
            switch (form) {
                case TABLE ->
                        out.println(
                                Table.printable(
                                        "%10s  %10d files  %8d directories  %s"
                                                .formatted(
                                                        ByteCount.format(
                                                                row.path("sizeBytes").asLong()),
                                                        row.path("files").asLong(),
                                                        row.path("directories").asLong(),
                                                        row.path("path").asString())));
                case KEYS -> out.println(KeyValues.line(COLUMNS, row));
                case JSON -> document.add(root, List.of(row));
            }
        }

        private void end() {
            if (form == Form.JSON) {
                document.end();
            }
        }
    }
}
