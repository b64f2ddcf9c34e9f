package org.cepheus.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * A cluster of several processes on this machine, each with a configuration file. FSTs count from
 * 1.
 */
public final class CepheusProcesses implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final String SMALL_HEAP = "-Xms64m -Xmx512m";
    private static final UUID CLUSTER = UUID.fromString("5f0c8a52-7c3e-4d0e-9b7a-0d6f3c1b2a94");

    /** Ports of member i are the base plus ten times i; those of FSTs come after the members'. */
    private static final int PORTS_EACH = 10;

    private final Path directory;
    private final int members;
    private final String mgmKeys;
    private final String fstKeys;
    private final int base = Ports.freeBase();
    private final Map<String, Running> running = new HashMap<>();

    private CepheusProcesses(Path directory, int members, String mgmKeys, String fstKeys) {
        this.directory = directory;
        this.members = members;
        this.mgmKeys = mgmKeys;
        this.fstKeys = fstKeys;
    }

    /** Starts so many MGMs (at most three) and one FST, and waits until the FST is offered. */
    public static CepheusProcesses start(Path directory, int members) {
        return start(directory, members, "");
    }

    /** The same with further lines in the configuration of each MGM. */
    public static CepheusProcesses start(Path directory, int members, String mgmKeys) {
        return start(new CepheusProcesses(directory, members, mgmKeys, ""));
    }

    /** Starts one MGM and one FST, whose configuration has further lines. */
    public static CepheusProcesses startWithFst(Path directory, String fstKeys) {
        return start(new CepheusProcesses(directory, 1, "", fstKeys));
    }

    /** Starts one MGM and two FSTs that serve the same volume, and waits until both are offered. */
    public static CepheusProcesses startWithTwoFsts(Path directory) {
        CepheusProcesses cluster = startWithFst(directory, "");
        return started(
                cluster,
                () -> {
                    cluster.startFst(2);
                    Deadline.await(
                            () -> "a second FST: " + cluster.output(),
                            START,
                            () -> cluster.isServing() && cluster.offeredFsts() == 2);
                });
    }

    private static CepheusProcesses start(CepheusProcesses cluster) {
        return started(
                cluster,
                () -> {
                    cluster.writeSecrets();
                    for (int i = 0; i < cluster.members; i++) {
                        cluster.startMgm(i);
                    }
                    cluster.startFst(1);
                    Deadline.await(
                            "a leader with an FST: " + cluster.output(), START, cluster::isServing);
                });
    }

    /** Some of its processes begin. */
    private interface Beginning {
        void run() throws IOException;
    }

    /** The cluster, or nothing that runs. */
    private static CepheusProcesses started(CepheusProcesses cluster, Beginning beginning) {
        try {
            beginning.run();
            return cluster;
        } catch (IOException e) {
            cluster.close();
            throw new UncheckedIOException(e);
        } catch (RuntimeException | AssertionError e) {
            cluster.close();
            throw e;
        }
    }

    private void writeSecrets() throws IOException {
        Path secret = directory.resolve("cluster.secret");
        Files.writeString(secret, "0123456789abcdef".repeat(4) + "\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    }

    private Path writeKey(int fst) throws IOException {
        Path secret = directory.resolve("cluster.secret");
        String key =
                Client.cepheus()
                        .run("key", "fst", "--id", fst, "--secret-file", secret)
                        .succeeded()
                        .text();
        Path keyFile = directory.resolve("fst%d.key".formatted(fst));
        Files.writeString(keyFile, key + "\n");
        Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
        return keyFile;
    }

    /** Starts member i, for the first time or again. */
    public void startMgm(int i) throws IOException {
        String rows =
                IntStream.range(0, members).mapToObj(this::memberRow).collect(Collectors.joining());
        launch(
                "mgm",
                "mgm" + i,
                """
                member = "mgm%d"
                cluster = "%s"
                data = "%s"
                secret_file = "%s"
                """
                                .formatted(
                                        i,
                                        CLUSTER,
                                        directory.resolve("mgm" + i),
                                        directory.resolve("cluster.secret"))
                        + mgmKeys
                        + "\n"
                        + rows);
    }

    private String memberRow(int i) {
        int port = base + PORTS_EACH * i;
        return """
        [[members]]
        id = "mgm%d"
        host = "127.0.0.1"
        xrootd = %d
        http = %d
        admin = %d
        raft = %d
        control = %d
        """
                .formatted(i, port, port + 1, port + 2, port + 3, port + 4);
    }

    private void startFst(int id) throws IOException {
        int port = fstPort(id);
        String mgms =
                IntStream.range(0, members)
                        .mapToObj(i -> "\"127.0.0.1:%d\"".formatted(base + PORTS_EACH * i + 4))
                        .collect(Collectors.joining(", "));
        Path volume = Files.createDirectories(directory.resolve("volume"));
        launch(
                "fst",
                "fst" + id,
                """
                id = %d
                cluster = "%s"
                host = "127.0.0.1"
                xrootd = %d
                http = %d
                admin = %d
                key_file = "%s"
                audit_file = "%s"
                mgms = [%s]
                %s
                [[volume]]
                id = 1
                path = "%s"
                """
                        .formatted(
                                id,
                                CLUSTER,
                                port,
                                port + 1,
                                port + 2,
                                writeKey(id),
                                directory.resolve("fst%d-audit.jsonl".formatted(id)),
                                mgms,
                                fstKeys,
                                volume));
    }

    private void launch(String kind, String name, String toml) throws IOException {
        Path file = directory.resolve(name + ".toml");
        Files.writeString(file, toml);
        var command =
                new ArrayList<>(
                        List.of(
                                Tree.ROOT.resolve("cepheus").toString(),
                                kind,
                                "--config",
                                file.toString()));
        if (kind.equals("fst")) {
            command.add("--init-volumes");
        }
        running.put(
                name,
                Running.start(
                        command,
                        Map.of("CEPHEUS_JVM_FLAGS", SMALL_HEAP),
                        directory,
                        directory.resolve(name + ".log")));
    }

    private boolean isServing() {
        running.forEach((name, process) -> {
            if (!process.isAlive()) {
                throw new AssertionError(name + " has ended: " + process.output());
            }
        });
        return leader() >= 0 && offeredFsts() > 0;
    }

    private long offeredFsts() {
        return status(leader()).path("fsts").values().stream()
                .filter(fst -> fst.path("alive").asBoolean())
                .count();
    }

    /** The number of the leading member, or -1 while none leads. */
    public int leader() {
        for (int i = 0; i < members; i++) {
            if (isAlive(i) && status(i).path("role").asString().equalsIgnoreCase("leader")) {
                return i;
            }
        }
        return -1;
    }

    /** What a member says of the cluster; empty while it does not answer. */
    public JsonNode status(int member) {
        return Rest.tryGet(rest(member, "status"), token(member));
    }

    /** A request to one member's REST API; {@code headers} are names and values in turn. */
    public HttpResponse<String> ask(
            int member, String method, String resource, String body, String... headers) {
        return askAt(member, method, "/api/v1/" + resource, body, headers);
    }

    /** The same with all of the path. */
    public HttpResponse<String> askAt(
            int member, String method, String target, String body, String... headers) {
        return Rest.send(method, admin(member, target), token(member), body, headers);
    }

    /** The URL of the admin port of one member. */
    public URI admin(int member, String target) {
        return URI.create(
                "http://127.0.0.1:%d%s".formatted(base + PORTS_EACH * member + 2, target));
    }

    /** What an operator brings to one member. */
    public String adminToken(int member) {
        try {
            return Files.readString(token(member)).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Counts every quota node again at the leader, and fails if a counter is wrong. */
    public void recount() {
        Deadline.await("a member leads", START, () -> leader() >= 0);
        int leader = leader();
        Recount.isEqual(rest(leader, "quotas/check"), token(leader));
    }

    private URI rest(int member, String resource) {
        return admin(member, "/api/v1/" + resource);
    }

    private Path token(int member) {
        return directory.resolve("mgm" + member).resolve("admin.token");
    }

    public boolean isAlive(int member) {
        return Objects.requireNonNull(running.get("mgm" + member)).isAlive();
    }

    /** Where a member keeps its log and its store. */
    public Path data(int member) {
        return directory.resolve("mgm" + member).resolve("mgm");
    }

    /** kill -9. */
    public void killMgm(int member) {
        Objects.requireNonNull(running.get("mgm" + member)).kill();
    }

    /** kill -9. */
    public void killFst(int id) {
        Objects.requireNonNull(running.get("fst" + id)).kill();
    }

    /** Keeps its sockets and does nothing until it is killed. */
    public void stopFst(int id) {
        Objects.requireNonNull(running.get("fst" + id)).signal("STOP");
    }

    /** The URL of a path at one member. */
    public String root(int member, String path) {
        return "root://127.0.0.1:%d/%s".formatted(base + PORTS_EACH * member, path);
    }

    /** The URL of a path at one member. */
    public String http(int member, String path) {
        return "http://127.0.0.1:%d%s".formatted(base + PORTS_EACH * member + 1, path);
    }

    /** Where XRootD clients reach an FST. */
    public int fstPort(int id) {
        return base + PORTS_EACH * (members + id - 1);
    }

    /** Where XRootD clients reach a member. */
    public int xrootdPort(int member) {
        return base + PORTS_EACH * member;
    }

    /** The URL of a path at the FST, for HTTP clients that follow no redirects. */
    public String door(String path) {
        return "http://127.0.0.1:%d%s".formatted(fstPort(1) + 1, path);
    }

    /** The process of the FST. */
    public Gauges fstGauges() {
        return new Gauges(
                Objects.requireNonNull(running.get("fst1")).pid(),
                URI.create("http://127.0.0.1:%d/metrics".formatted(fstPort(1) + 2)));
    }

    /** What each process has printed. */
    public String output() {
        return running.entrySet().stream()
                .map(each -> "%n== %s%n%s".formatted(each.getKey(), each.getValue().output()))
                .collect(Collectors.joining());
    }

    /** kill -9 for all of them. */
    @Override
    public void close() {
        new ArrayList<>(running.values()).forEach(Running::kill);
    }
}
