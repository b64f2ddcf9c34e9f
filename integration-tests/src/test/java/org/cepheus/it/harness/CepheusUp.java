package org.cepheus.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** {@code ./cepheus up} as a process, from its first start to the removal of its data. */
public final class CepheusUp implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration STOP = Duration.ofSeconds(20);
    private static final int SHOWN_CHARS = 8_000;

    /** {@code <8 hex>/<8 or more hex>} below the root of a volume. */
    private static final Pattern DATA_FILE = Pattern.compile(".*/[0-9a-f]{8}/[0-9a-f]{8,16}");

    private final Path directory;
    private final int base;
    private final List<String> options;
    private final String jvmFlags;
    private Running process;

    private CepheusUp(
            Path directory, int base, String jvmFlags, List<String> options, List<Path> volumes) {
        this.directory = directory;
        this.base = base;
        this.options = options;
        this.jvmFlags = jvmFlags;
        if (!volumes.isEmpty()) {
            placeVolumes(volumes);
        }
        this.process = launch();
    }

    /** Starts it on fresh data and free ports, and returns when it is ready. */
    public static CepheusUp start(String... options) {
        return startWith("", options);
    }

    /** The same with further flags for its JVM. */
    public static CepheusUp startWith(String jvmFlags, String... options) {
        try {
            return start(Files.createTempDirectory("cepheus-it"), jvmFlags, List.of(options));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts it with {@code directory/data} and free ports, and returns when it is ready. */
    public static CepheusUp start(Path directory, String... options) {
        return start(directory, "", List.of(options));
    }

    private static CepheusUp start(Path directory, String jvmFlags, List<String> options) {
        var up = new CepheusUp(directory, Ports.freeBase(), jvmFlags, options, List.of());
        up.awaitReady();
        return up;
    }

    /**
     * The same with its two volumes in those directories, which are empty and may be on any file
     * system; they are not removed at the end.
     */
    public static CepheusUp startOn(Path volume1, Path volume2) {
        try {
            Path directory = Files.createTempDirectory("cepheus-it");
            var up =
                    new CepheusUp(
                            directory, Ports.freeBase(), "", List.of(), List.of(volume1, volume2));
            up.awaitReady();
            return up;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As a start leaves it that came as far as to say whose directory it is. */
    private void placeVolumes(List<Path> volumes) {
        try {
            Files.createDirectory(data());
            Files.writeString(
                    data().resolve("cepheus.version"),
                    "format = 1%ncluster = %s%n".formatted(UUID.randomUUID()));
            for (int i = 0; i < volumes.size(); i++) {
                Files.createSymbolicLink(data().resolve("volume" + (i + 1)), volumes.get(i));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Running launch() {
        var command =
                new ArrayList<>(
                        List.of(
                                Tree.ROOT.resolve("cepheus").toString(),
                                "up",
                                "--data",
                                data().toString(),
                                "--port-base",
                                Integer.toString(base)));
        command.addAll(options);
        Map<String, String> environment =
                jvmFlags.isEmpty() ? Map.of() : Map.of("CEPHEUS_JVM_FLAGS", jvmFlags);
        return Running.start(command, environment, directory, directory.resolve("up.log"));
    }

    private void awaitReady() {
        long before = readyCount();
        Deadline.await(
                "ready\n" + process.output(),
                START,
                () -> !process.isAlive() || readyCount() > before);
        assertThat(process.isAlive()).as("up has ended:%n%s", process.output()).isTrue();
    }

    private long readyCount() {
        return process.output().lines().filter(line -> line.strip().equals("ready")).count();
    }

    /** Starts it again on the same data and ports, after a stop or a kill. */
    public void restart() {
        assertThat(process.isAlive()).as("still running").isFalse();
        process = launch();
        awaitReady();
    }

    /** kill -9. */
    public void kill() {
        process.kill();
    }

    /** Ctrl-C, and a clean end: the JVM exits with 130 after its parts have stopped. */
    public void interrupt() {
        process.signal("INT");
        Run run = process.finish(STOP);
        assertThat(run.exitCode()).as(run::toString).isIn(0, 130);
        assertThat(run.output()).doesNotContain("Exception");
    }

    /** The process that serves, all of it. */
    public Gauges gauges() {
        return new Gauges(process.pid(), admin("/metrics"));
    }

    public boolean isRunning() {
        return process.isAlive();
    }

    /** Adds the end of what it has printed to the failure of an assertion. */
    public void tellWith(Throwable failure) {
        if (failure instanceof AssertionError) {
            String output = output();
            failure.addSuppressed(
                    new AssertionError(
                            "the server said:\n"
                                    + output.substring(
                                            Math.max(0, output.length() - SHOWN_CHARS))));
        }
    }

    /** Everything it has printed, over all starts. */
    public String output() {
        return process.output();
    }

    /** What the server has logged, over all starts. */
    public String log() {
        try {
            Path log = data().resolve("cepheus.log");
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public Path data() {
        return directory.resolve("data");
    }

    public int portBase() {
        return base;
    }

    /** The URL that xrdcp takes. */
    public String root(String path) {
        return server() + "/" + path;
    }

    /** The server that xrdfs takes. */
    public String server() {
        return "root://127.0.0.1:" + base;
    }

    /** The MGM's URL for HTTP clients that follow redirects. */
    public String http(String path) {
        return "http://127.0.0.1:" + (base + 10) + path;
    }

    /** The URL at an FST for HTTP clients that do not. */
    public String door(String path) {
        return "http://127.0.0.1:" + (base + 11) + path;
    }

    /** The URL of the admin port. */
    public URI admin(String path) {
        return URI.create("http://127.0.0.1:" + (base + 20) + path);
    }

    /** A command of the command line against this server, such as {@code quota ls --json}. */
    public Run cli(String... arguments) {
        var all = new ArrayList<Object>(List.of(arguments));
        all.add("--data");
        all.add(data());
        return Client.cepheus().run(all.toArray());
    }

    /** An answer of the REST API, such as of {@code quotas}. */
    public JsonNode rest(String resource) {
        return Rest.get(admin("/api/v1/" + resource), data().resolve("admin.token"));
    }

    /** The sum of a metric over all its labels, or over those like {@code operation="readv"}. */
    public double metric(String name, String... labels) {
        return Rest.text(admin("/metrics"), data().resolve("admin.token"))
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .filter(line -> Stream.of(labels).allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** A request to the REST API; {@code headers} are names and values in turn. */
    public HttpResponse<String> ask(
            String method, String resource, String body, String... headers) {
        return Rest.send(
                method, admin("/api/v1/" + resource), data().resolve("admin.token"), body, headers);
    }

    /** Counts every quota node again, beside what runs, and fails if a counter is wrong. */
    public void recount() {
        Recount.isEqual(admin("/api/v1/quotas/check"), data().resolve("admin.token"));
    }

    /** The row of a quota node's project limit. */
    public JsonNode quota(String node) {
        for (JsonNode row : rest("quotas").path("quotas")) {
            if (row.path("path").asString().equals(node)
                    && row.path("kind").asString().equals("project")) {
                return row;
            }
        }
        throw new AssertionError("no quota node " + node);
    }

    /** The entries of a directory of at most a thousand, as the MGM shows them. */
    public List<JsonNode> entries(String path) {
        JsonNode page = rest("namespace/entries?after=&path=" + path);
        assertThat(page.has("next")).as("a second page of " + path).isFalse();
        return page.path("entries").values().stream().toList();
    }

    /** The names in a directory of at most a thousand. */
    public List<String> names(String path) {
        return entries(path).stream().map(entry -> entry.path("name").asString()).toList();
    }

    /** The running uploads. */
    public List<JsonNode> transfers() {
        return rest("transfers").path("transfers").values().stream().toList();
    }

    /** The data files on all volumes, whosever they are. */
    public List<Path> dataFiles() {
        return LiveFiles.below(data()).stream()
                .filter(file -> DATA_FILE.matcher(file.toString()).matches())
                .toList();
    }

    /**
     * Ends it, by force if need be, and removes its data. Fails the test if a buffer of the network
     * was not given back.
     */
    @Override
    public void close() {
        process.kill();
        String log = log();
        removeAll();
        int leak = log.indexOf("LEAK:");
        assertThat(leak < 0 ? "" : log.substring(leak, Math.min(log.length(), leak + SHOWN_CHARS)))
                .as("leaks in the server's log")
                .isEmpty();
    }

    private void removeAll() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
