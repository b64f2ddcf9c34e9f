package org.cepheus.it.harness;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.cepheus.domain.clients.RealClients;

/** A real client program, run as a user would, with a deadline. */
public final class Client {
    /** XrdCl tries a silent server for minutes unless told otherwise. */
    private static final Map<String, String> PATIENCE =
            Map.of(
                    "XRD_CONNECTIONWINDOW", "5",
                    "XRD_CONNECTIONRETRY", "1",
                    "XRD_REQUESTTIMEOUT", "30",
                    "XRD_STREAMTIMEOUT", "30",
                    "XRD_TIMEOUTRESOLUTION", "1",
                    // Debian's gfal tools are for its own Python, whatever PATH says.
                    "GFAL_PYTHONBIN", "/usr/bin/python3");

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final List<String> program;
    private final Map<String, String> environment;
    private final Duration limit;
    private final Path directory;

    private Client(
            List<String> program, Map<String, String> environment, Duration limit, Path directory) {
        this.program = program;
        this.environment = environment;
        this.limit = limit;
        this.directory = directory;
    }

    /**
     * A program of the machine. When it is missing the test is skipped by name, or fails where the
     * clients are required.
     */
    public static Client named(String program) {
        Optional<Path> found =
                Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                        .filter(directory -> !directory.isEmpty())
                        .map(directory -> Path.of(directory, program))
                        .filter(Files::isExecutable)
                        .findFirst();
        if (found.isEmpty()) {
            RealClients.missing(program + " is not installed: run ./dev packages");
        }
        return of(List.of(found.orElseThrow().toString()));
    }

    /** Python with the newer generation of clients. */
    public static Client python() {
        Optional<String> python = Optional.ofNullable(System.getProperty("cepheus.python"));
        if (python.filter(at -> Files.isExecutable(Path.of(at))).isEmpty()) {
            RealClients.missing(
                    "no Python with the clients of requirements.txt: run ./dev packages");
        }
        return of(List.of(python.orElseThrow()));
    }

    /** A tool of the JDK that runs the tests. */
    public static Client ofJdk(String tool) {
        return of(List.of(Path.of(System.getProperty("java.home"), "bin", tool).toString()));
    }

    /** The command line of Cepheus itself. */
    public static Client cepheus() {
        return of(List.of(Tree.ROOT.resolve("cepheus").toString()));
    }

    private static Client of(List<String> program) {
        return new Client(program, PATIENCE, LIMIT, Path.of("/tmp"));
    }

    /** The same for what only root may do. */
    public static void needsRoot(String why) {
        if (!System.getProperty("user.name").equals("root")) {
            RealClients.missing(why);
        }
    }

    /** The same with one more variable in its environment. */
    public Client with(String name, String value) {
        var more = new java.util.HashMap<>(environment);
        more.put(name, value);
        return new Client(program, more, limit, directory);
    }

    /** The same with another deadline. */
    public Client within(Duration other) {
        return new Client(program, environment, other, directory);
    }

    /** The same in that directory. */
    public Client in(Path other) {
        return new Client(program, environment, limit, other);
    }

    /** Runs it to its end. */
    public Run run(Object... arguments) {
        return start(arguments).finish(limit);
    }

    /** Starts it; whoever starts it finishes or kills it. */
    public Running start(Object... arguments) {
        var command = new ArrayList<>(program);
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return Running.startOnce(command, environment, directory);
    }
}
