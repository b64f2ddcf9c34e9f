package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code cepheus mkdir}, {@code mv} and {@code rm}. */
final class ChangeCommands {
    private static final String NAMESPACE = "/api/v1/namespace";
    private static final String RENAME = NAMESPACE + "/rename";

    private final Terminal terminal;

    ChangeCommands(Terminal terminal) {
        this.terminal = terminal;
    }

    CommandSpec mkdir() {
        CommandSpec mkdir =
                PathWord.addTo(
                        ServerOptions.addTo(
                                CommandTree.command("mkdir", "Make a directory.", this::runMkdir)));
        mkdir.addOption(
                        FindCommand.flag(
                                "-p", "Make missing parents too; it may be there already."))
                .addOption(FindCommand.text("--mode", "OCTAL", "Its mode, such as 0750 (0755)."));
        return CommandTree.examples(
                mkdir, "cepheus mkdir -p /data/2026/run1", "cepheus mkdir /group --mode 0770");
    }

    CommandSpec mv() {
        CommandSpec mv =
                ServerOptions.addTo(
                        CommandTree.command(
                                "mv",
                                "Rename a file or directory. Bytes stay where they are, whatever its size. A large"
                                        + " directory that changes its quota node is counted first, with"
                                        + " progress; after Ctrl-C the same command goes on.",
                                this::runMv));
        PathWord.addTo(mv, 0, "PATH", "What to rename.");
        PathWord.addTo(mv, 1, "TARGET", "Its new name, a whole path.");
        mv.addOption(FindCommand.flag("-f", "Replace a file at the target; it is gone then."));
        return CommandTree.examples(
                Confirmation.addTo(mv), "cepheus mv /data/old /data/new", "cepheus mv -f /a /b");
    }

    CommandSpec rm() {
        CommandSpec rm =
                Confirmation.addTo(
                        PathWord.addTo(
                                ServerOptions.addTo(
                                        CommandTree.command(
                                                "rm",
                                                "Remove a file or an empty directory, or with -r a directory with all that"
                                                        + " is in it. There is no way back.",
                                                this::runRm))));
        rm.addOption(
                OptionSpec.builder("-r", "--recursive")
                        .description("Remove a directory and everything below it, entry by entry.")
                        .build());
        return CommandTree.examples(rm, "cepheus rm /data/run1.root", "cepheus rm -r /data/old");
    }

    private int runMkdir(ParseResult given, PrintWriter out) {
        ObjectNode order = JsonNodeFactory.instance.objectNode().put("path", PathWord.of(given));
        @Nullable String mode = given.matchedOptionValue("--mode", null);
        if (mode != null) {
            order.put("mode", mode);
        }
        if (given.hasMatchedOption("-p")) {
            order.put("parents", true);
        }
        return change(given, out, client -> client.post(NAMESPACE + "/directories", order), "made");
    }

    private int runMv(ParseResult given, PrintWriter out) throws InterruptedException {
        String source = PathWord.of(given);
        String target = PathWord.of(given, 1);
        ObjectNode order =
                JsonNodeFactory.instance.objectNode().put("path", source).put("target", target);
        if (given.hasMatchedOption("-f")) {
            Confirmation.ask(given, terminal, "replaces %s if it is there".formatted(target));
            order.put("replace", true);
        }
        try (AdminClient client = ServerOptions.client(given)) {
            PrintWriter err = given.commandSpec().commandLine().getErr();
            new CountedMove(client, source, target, () -> client.post(RENAME, order), err, terminal)
                    .run();
        }
        Done.print(
                given,
                out,
                "%s is renamed to %s".formatted(source, target),
                Done.document("renamed").put("path", source).put("target", target));
        return ExitCode.OK;
    }

    /** What is asked of the server. */
    private interface Order {
        void send(AdminClient client);
    }

    private static int change(ParseResult given, PrintWriter out, Order order, String done) {
        try (AdminClient client = ServerOptions.client(given)) {
            order.send(client);
        }
        String path = PathWord.of(given);
        Done.print(
                given,
                out,
                "%s is %s".formatted(path, done),
                Done.document(done).put("path", path));
        return ExitCode.OK;
    }

    private int runRm(ParseResult given, PrintWriter out) {
        String path = PathWord.of(given);
        if (!given.hasMatchedOption("-r")) {
            Confirmation.ask(given, terminal, "removes %s".formatted(path));
            return change(given, out, client -> remove(client, path), "removed");
        }
        try (AdminClient client = ServerOptions.client(given)) {
            JsonNode entry = client.get(NAMESPACE + "?path=" + AdminClient.encoded(path));
            if (!Walk.isDirectory(entry)) {
                Confirmation.ask(given, terminal, "removes %s".formatted(path));
                return change(given, out, same -> remove(same, path), "removed");
            }
            return removeTree(given, client, path, out);
        }
    }

    private static void remove(AdminClient client, String path) {
        client.delete(NAMESPACE + "?path=" + AdminClient.encoded(path));
    }

    private int removeTree(ParseResult given, AdminClient client, String path, PrintWriter out) {
        PrintWriter err = given.commandSpec().commandLine().getErr();
        var size = new TreeSize();
        try (var progress = new Progress("counting " + path, "entries", err, terminal)) {
            new Walk(client, Integer.MAX_VALUE, size, Optional.of(progress)).below(path);
        }
        Confirmation.ask(
                given,
                terminal,
                "removes %s with %d files and %d directories below it, %s"
                        .formatted(
                                path, size.files, size.directories, ByteCount.format(size.bytes)));
        var removal = new Removal(client, size.files + size.directories + 1);
        try (var progress = new Progress("removing " + path, "entries", err, terminal)) {
            removal.run(path, progress);
        }
        removal.failures.forEach(each -> err.println(Table.printable("cepheus: " + each)));
        Done.print(
                given,
                out,
                removal.left == 0
                        ? "%d entries are removed".formatted(removal.done)
                        : "%d entries are removed, %d could not be"
                                .formatted(removal.done, removal.left),
                Done.document("removed")
                        .put("path", path)
                        .put("removed", removal.done)
                        .put("left", removal.left));
        err.flush();
        return removal.left == 0 ? ExitCode.OK : ExitCode.PARTIAL;
    }

    /** How much a person is about to lose. */
    private static final class TreeSize implements Walk.Visitor {
        private long files;
        private long directories;
        private long bytes;

        @Override
        public void entry(String path, JsonNode entry, int depth) {
            if (Walk.isDirectory(entry)) {
                directories++;
            } else {
                files++;
                bytes += entry.path("sizeBytes").asLong();
            }
        }
    }

    /** Removes a tree from its leaves; what cannot be removed is told, and the rest goes on. */
    private static final class Removal implements Walk.Visitor {
        private static final int TOLD = 20;

        private final AdminClient client;
        private final long total;
        private final List<String> failures = new ArrayList<>();
        private long done;
        private long left;
        private @Nullable Progress progress;

        private Removal(AdminClient client, long total) {
            this.client = client;
            this.total = total;
        }

        private void run(String path, Progress told) {
            progress = told;
            new Walk(client, Integer.MAX_VALUE, this).below(path);
        }

        @Override
        public void entry(String path, JsonNode entry, int depth) {
            if (!Walk.isDirectory(entry)) {
                remove(path);
            }
        }

        @Override
        public void leave(String directory, int depth) {
            remove(directory);
        }

        private void remove(String path) {
            try {
                client.end(NAMESPACE + "?path=" + AdminClient.encoded(path));
                done++;
            } catch (CommandFailure e) {
                switch (e.exitCode()) {
                    case ExitCode.NOT_FOUND -> done++; // Somebody else was faster.
                    case ExitCode.DENIED, ExitCode.CONFLICT -> note(path, e);
                    default -> throw e;
                }
            }
            if (progress != null) {
                progress.at(done + left, OptionalLong.of(total));
            }
        }

        private void note(String path, CommandFailure failure) {
            left++;
            if (failures.size() < TOLD) {
                failures.add(path + ": " + failure.getMessage());
            }
        }
    }
}
