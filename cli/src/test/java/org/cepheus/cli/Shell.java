package org.cepheus.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Where a test types commands: a directory that knows the fake server, and both streams. */
final class Shell implements AutoCloseable {
    final FakeServer server = new FakeServer();
    final Path data = Files.createTempDirectory("shell");
    final FakeTime time = new FakeTime(3);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Terminal terminal = new Terminal(false, false, false, Optional.empty(), time);

    Shell() throws IOException {
        Files.writeString(data.resolve(ServerOptions.CLIENT_FILE), "url=" + server.url() + "\n");
        Files.writeString(data.resolve(ServerOptions.TOKEN_FILE), "the-secret\n");
    }

    /** From now on somebody sits there, who will type that. */
    Shell withPerson(String typed) {
        terminal =
                new Terminal(
                        true,
                        true,
                        false,
                        Optional.of(new BufferedReader(new StringReader(typed))),
                        time);
        return this;
    }

    /** From now on the terminal has colours. */
    Shell withColours() {
        terminal = new Terminal(true, true, true, Optional.empty(), time);
        return this;
    }

    Terminal terminal() {
        return terminal;
    }

    /** Runs a command against the fake server; words are split at spaces. */
    int run(String line) {
        return run(line.split(" ", -1));
    }

    int run(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.add("--data");
        all.add(data.toString());
        return runAsIs(all.toArray(String[]::new));
    }

    /** Without naming the server. */
    int runAsIs(String... words) {
        try {
            return line().execute(words);
        } finally {
            boolean _ = Thread.interrupted(); // The end of FakeTime is for the command alone.
        }
    }

    CommandLine line() {
        CommandSpec root = CommandTree.noun("cepheus", "for the test");
        OperatorCommands.all(terminal).forEach(each -> root.addSubcommand(each.name(), each));
        return CommandTree.of(root)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
    }

    /** Everything that was printed so far. */
    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }

    @Override
    public void close() throws IOException {
        server.close();
        try (var files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
