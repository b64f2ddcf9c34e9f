package org.cepheus.it.journey;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Running;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * All that an operator has to do with quotas, in its order: limits over what is there already, two
 * users who fill them by two protocols, the refusals they read, and what can be watched meanwhile.
 */
class AnOperatorsDayIT {
    private static final int MIB = 1 << 20;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Slow enough to look at it while it runs. */
    private static final String SLOW = "150k";

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    @Test
    void limitsOverFilesThatAreThereHoldForEverybodyAndCanBeWatched() throws IOException {
        Client.needsRoot("only root can run a client as somebody else");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        aDirectoryThatHoldsFilesAlready();
        Running tail =
                Client.cepheus()
                        .start(
                                "events",
                                "tail",
                                "/lab",
                                "--from",
                                "0",
                                "-m",
                                "--data",
                                UP.get().data());
        Optional<Running> slow = Optional.empty();
        try {
            cli("quota", "set", "/lab", "--user", "nobody", "--bytes", "6MiB");
            cli("quota", "set", "/lab", "--user", "root", "--bytes", "6MiB");
            cli("quota", "set", "/lab", "--bytes", "10MiB");
            theFilesThatWereThereAreCounted();

            asNobody(2 * MIB, "/lab/nobody-2").succeeded();
            aUserReadsOfItsOwnLimit();
            asRoot(2 * MIB, "/lab/root-2").succeeded();
            slow = Optional.of(upload(2 * MIB, "/lab/slow"));
            theOtherReadsOfTheProjectAndOfWhatIsReserved();
            theUploadIsSeen();
            slow.orElseThrow().finish(LIMIT).succeeded();

            theListShowsAFullProject();
            theEventsTellItAll(tail);
            theMetricsTellItAll();
            cli("quota", "verify").said("equal: ");
        } finally {
            tail.kill();
            slow.ifPresent(Running::kill);
        }
    }

    private void aDirectoryThatHoldsFilesAlready() throws IOException {
        cli("mkdir", "/lab", "--mode", "777");
        asNobody(2 * MIB, "/lab/nobody-1").succeeded();
        Client.named("xrdcp").run("-p", sample(MIB), UP.get().root("/lab/root-1")).succeeded();
        Client.named("xrdcp").run("-p", sample(MIB), UP.get().root("/lab/deep/root-1")).succeeded();
    }

    private static void theFilesThatWereThereAreCounted() {
        Deadline.await(
                "what was there is counted",
                LIMIT,
                () -> row("project", "").path("usedBytes").asLong() == 4 * MIB);
        assertThat(row("user", "nobody").path("usedBytes").asLong()).isEqualTo(2 * MIB);
        assertThat(row("user", "root").path("usedBytes").asLong()).isEqualTo(2 * MIB);
    }

    private void aUserReadsOfItsOwnLimit() throws IOException {
        asNobody(2 * MIB + 1, "/lab/too-much")
                .failed()
                .said(
                        "quota exceeded at /lab of user nobody: limit 6291456 bytes, used 4194304, "
                                + "reserved by running uploads 0, wanted 2097153 more");
    }

    private void theOtherReadsOfTheProjectAndOfWhatIsReserved() throws IOException {
        Deadline.await(
                "the slow upload has its room",
                LIMIT,
                () -> row("project", "").path("reservedBytes").asLong() == 2 * MIB);
        String sentence =
                "quota exceeded at /lab: limit 10485760 bytes, used 8388608, "
                        + "reserved by running uploads 2097152, wanted 1048576 more";

        asNobody(MIB, "/lab/no-room").failed().said(sentence);
        Client.named("curl")
                .run(
                        "-sS",
                        "-L",
                        "-T",
                        sample(MIB),
                        "-w",
                        "%{http_code}",
                        UP.get().http("/lab/no-room"))
                .said("quota exceeded at /lab", "507");
        assertThat(UP.get().names("/lab"))
                .containsExactly("deep", "nobody-1", "nobody-2", "root-1", "root-2");
    }

    private static void theUploadIsSeen() {
        cli("top", "-n", "1")
                .said("mgm1 leader", "uploads: 1 running", "/lab/slow", "files 5", "100.0 %");
    }

    private static void theListShowsAFullProject() {
        JsonNode project = row("project", "");
        assertThat(project.path("usedBytes").asLong()).isEqualTo(10 * MIB);
        assertThat(project.path("usedFiles").asLong()).isEqualTo(6);
        assertThat(project.path("reservedBytes").asLong()).isZero();
        assertThat(row("user", "root").path("usedBytes").asLong()).isEqualTo(6 * MIB);
        cli("quota", "ls", "/lab").said("Quota Node: /lab/", "100.0 %");
    }

    private static void theEventsTellItAll(Running tail) {
        Deadline.await(
                () -> "everything is told: " + tail.output(),
                LIMIT,
                () -> tail.output().contains("path=/lab/slow"));
        Deadline.await(
                () -> "the end of the upload is told: " + tail.output(),
                LIMIT,
                () -> told(tail, "type=committed .*size=2097152 .*path=/lab/slow"));
        assertThat(told(tail, "type=committed .*uid=nobody .*path=/lab/nobody-2")).isTrue();
        assertThat(tail.output().lines().filter(line -> line.contains("type=quota")))
                .as(tail::output)
                .hasSize(3);
    }

    private static boolean told(Running tail, String line) {
        return Pattern.compile(line).matcher(tail.output()).find();
    }

    private static void theMetricsTellItAll() {
        String text =
                Client.named("curl").run("-sSf", UP.get().admin("/metrics")).succeeded().output();

        assertThat(metric(text, "cepheus_quota_used_bytes", "kind=\"project\"", "path=\"/lab\""))
                .isEqualTo(10.0 * MIB);
        assertThat(metric(text, "cepheus_quota_limit_bytes", "principal=\"nobody\""))
                .isEqualTo(6.0 * MIB);
        assertThat(metric(text, "cepheus_quota_reserved_bytes", "kind=\"project\"")).isZero();
        assertThat(
                        metric(
                                text,
                                "cepheus_operation_seconds_count",
                                "protocol=\"xrootd\"",
                                "result=\"QuotaExceeded\""))
                .isEqualTo(2);
        assertThat(
                        metric(
                                text,
                                "cepheus_operation_seconds_count",
                                "protocol=\"http\"",
                                "result=\"QuotaExceeded\""))
                .isEqualTo(1);
        assertThat(metric(text, "cepheus_bytes_total", "direction=\"received\""))
                .isGreaterThanOrEqualTo(10.0 * MIB);
    }

    /** The sum of all series with those labels. */
    private static double metric(String text, String name, String... labels) {
        return text.lines()
                .filter(line -> line.startsWith(name + "{"))
                .filter(line ->
                        Pattern.compile(",|\\{|}")
                                .splitAsStream(line)
                                .toList()
                                .containsAll(List.of(labels)))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private static Run cli(String... words) {
        return UP.get().cli(words).succeeded();
    }

    private static JsonNode row(String kind, String principal) {
        for (JsonNode row : UP.get().rest("quotas").path("quotas")) {
            if (row.path("path").asString().equals("/lab")
                    && row.path("kind").asString().equals(kind)
                    && row.path("principal").asString().equals(principal)) {
                return row;
            }
        }
        throw new AssertionError("no row of %s %s".formatted(kind, principal));
    }

    /** A file that everybody may read. */
    private Path sample(int size) throws IOException {
        Path file = Sample.write(directory.resolve("of" + size), size, size).file();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        return file;
    }

    private Run asNobody(int size, String path) throws IOException {
        return Client.named("setpriv")
                .run(
                        "--reuid=nobody",
                        "--regid=nogroup",
                        "--clear-groups",
                        "xrdcp",
                        sample(size),
                        UP.get().root(path));
    }

    private Run asRoot(int size, String path) throws IOException {
        return Client.named("curl").run("-sSf", "-L", "-T", sample(size), UP.get().http(path));
    }

    private Running upload(int size, String path) throws IOException {
        return Client.named("curl")
                .start("-sSf", "-L", "--limit-rate", SLOW, "-T", sample(size), UP.get().http(path));
    }
}
