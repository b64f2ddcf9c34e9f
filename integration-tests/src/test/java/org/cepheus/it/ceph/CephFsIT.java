package org.cepheus.it.ceph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Running;
import org.cepheus.it.harness.Sample;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The main job with both volumes on a CephFS: 1 is replicated, 2 erasure-coded. In an order that
 * changes volumes seldom: each time an FST has to hear of a quota.
 */
@TestMethodOrder(MethodOrderer.MethodName.class)
class CephFsIT {
    private static final int MIB = 1 << 20;
    private static final long BIG_BYTES = 256L * MIB + 12_345;
    private static final int TREE_FILES = 1_000;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final List<String> POOLS = List.of("plain", "coded");

    @RegisterExtension static final CephUp UP = new CephUp();

    @TempDir Path directory;

    @ParameterizedTest(name = "volume {0}")
    @ValueSource(ints = {1, 2})
    void aBigFileGoesInAndOutAndLiesInThePoolOfItsDirectory(int volume) throws IOException {
        UP.useOnly(volume);
        Set<Path> before = new HashSet<>(UP.get().dataFiles());
        Sample sample = Sample.write(directory.resolve("big"), BIG_BYTES, volume);
        Path copy = directory.resolve("copy");
        String name = "/big" + volume;
        Client xrdcp = Client.named("xrdcp").within(LONG);

        xrdcp.run("--cksum", "adler32", sample.file(), UP.get().root(name)).succeeded();
        xrdcp.run("--cksum", "adler32", UP.get().root(name), copy).succeeded();

        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
        List<Path> made =
                UP.get().dataFiles().stream().filter(file -> !before.contains(file)).toList();
        assertThat(made).hasSize(1);
        assertThat(CephCluster.get(made.getFirst(), "ceph.file.layout.pool"))
                .isEqualTo(POOLS.get(volume - 1));
        assertThat(CephCluster.get(made.getFirst(), "user.cepheus"))
                .contains("size=" + BIG_BYTES, "adler32:" + sample.adler32());
        Client.named("xrdfs").run(UP.get().server(), "rm", name).succeeded();
        Deadline.await(
                "the removed file's data is gone",
                SOON,
                () -> before.containsAll(UP.get().dataFiles()));
    }

    @ParameterizedTest(name = "volume {0}")
    @ValueSource(ints = {2, 1})
    void whatOneProtocolPutsTheOtherGets(int volume) {
        UP.useOnly(volume);
        Sample sample = Sample.write(directory.resolve("sample"), 10_000_001, volume);
        Path copy = directory.resolve("copy");
        String byCurl = "/by-curl" + volume;
        String byXrdcp = "/by-xrdcp" + volume;

        curl("-T", sample.file(), UP.get().http(byCurl)).succeeded();
        Client.named("xrdcp").run("--cksum", "adler32", UP.get().root(byCurl), copy).succeeded();
        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());

        Client.named("xrdcp").run(sample.file(), UP.get().root(byXrdcp)).succeeded();
        curl("-o", copy, UP.get().http(byXrdcp)).succeeded();
        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
    }

    @ParameterizedTest(name = "volume {0}")
    @ValueSource(ints = {2, 1})
    void aTreeOfSmallFilesGoesInIsRenamedAndComesOut(int volume) throws IOException {
        UP.useOnly(volume);
        Path tree = directory.resolve("tree" + volume);
        for (int i = 0; i < TREE_FILES; i++) {
            Path file = tree.resolve("d%d/f%03d".formatted(i % 5, i));
            Files.createDirectories(file.getParent());
            Sample.write(file, i * 37L, i);
        }
        Client xrdcp = Client.named("xrdcp").within(LONG);

        xrdcp.run("-r", "--cksum", "adler32", tree, UP.get().root("/")).succeeded();
        List<Path> stored = UP.get().dataFiles();
        Client.named("xrdfs")
                .run(UP.get().server(), "mv", "/tree" + volume, "/moved" + volume)
                .succeeded();
        Path out = Files.createDirectory(directory.resolve("out"));
        xrdcp.run("-r", "--cksum", "adler32", UP.get().root("/moved" + volume), out).succeeded();

        assertThat(sums(out.resolve("moved" + volume))).isEqualTo(sums(tree)).hasSize(TREE_FILES);
        assertThat(UP.get().dataFiles()).as("a rename touches no data file").isEqualTo(stored);
    }

    @ParameterizedTest(name = "volume {0}")
    @ValueSource(ints = {1, 2})
    void aRefusedQuotaLeavesNothing(int volume) {
        UP.useOnly(volume);
        String node = "/node" + volume;
        Client.named("xrdfs").run(UP.get().server(), "mkdir", node).succeeded();
        UP.get().cli("quota", "set", node, "--bytes", "20MiB").succeeded();
        Sample sample = Sample.write(directory.resolve("sample"), 64 * MIB, volume);
        List<Path> before = UP.get().dataFiles();

        Client.named("sh")
                .run(
                        "-c",
                        "cat %s | xrdcp - %s"
                                .formatted(sample.file(), UP.get().root(node + "/endless")))
                .failed()
                .said("quota exceeded");

        assertNothingIsLeft(node, before);
    }

    /** EDQUOT comes from a write that has begun, or from the sync at the end. */
    @ParameterizedTest(name = "volume {0}")
    @ValueSource(ints = {2, 1})
    void aQuotaOfTheCephFsItselfIsAFullDisk(int volume) {
        UP.useOnly(volume);
        String node = "/full" + volume;
        Client.named("xrdfs").run(UP.get().server(), "mkdir", node).succeeded();
        UP.get().cli("quota", "set", node, "--bytes", "1GiB").succeeded();
        Sample sample = Sample.write(directory.resolve("sample"), 160 * MIB, volume);
        List<Path> before = UP.get().dataFiles();
        Running xrdcp =
                Client.named("xrdcp")
                        .start("--xrate", "20m", sample.file(), UP.get().root(node + "/large"));
        Deadline.await(
                "the upload runs",
                SOON,
                () -> UP.get().dataFiles().size() > before.size() || !xrdcp.isAlive());
        assertThat(xrdcp.isAlive()).as(xrdcp::output).isTrue();

        CephCluster.set(UP.volume(volume), "ceph.quota.max_bytes", 1);

        xrdcp.finish(LONG).failed().said("no space left");
        assertNothingIsLeft(node, before);
    }

    @Test
    void theRoomOfAVolumeIsTheQuotaOfItsDirectory() {
        UP.useOnly(2);

        CephCluster.set(UP.volume(2), "ceph.quota.max_bytes", 1L << 30);

        Deadline.await(
                "the quota is the room: " + UP.row(2),
                SOON,
                () ->
                        UP.row(2).path("totalBytes").asLong() == 1L << 30
                                && UP.freeBytes(2) <= 1L << 30);
        Client.named("xrdfs")
                .run(UP.get().server(), "spaceinfo", "/")
                .succeeded()
                .said("Total:              " + (1L << 30));
    }

    @ParameterizedTest(name = "volume {0}")
    @ValueSource(ints = {1, 2})
    void afterKillNineWhatWasAcknowledgedIsThereAndNothingElse(int volume) {
        UP.useOnly(volume);
        String node = "/kill" + volume;
        Client.named("xrdfs").run(UP.get().server(), "mkdir", node).succeeded();
        UP.get().cli("quota", "set", node, "--bytes", "1GiB").succeeded();
        Sample sample = Sample.write(directory.resolve("sample"), 100 * MIB, volume);
        Sample small = Sample.write(directory.resolve("small"), 3_000_000, volume);
        curl("-T", small.file(), UP.get().http(node + "/acknowledged")).succeeded();
        List<Path> acknowledged = UP.get().dataFiles();
        Running curl =
                Client.named("curl")
                        .start(
                                "-sS",
                                "-L",
                                "--limit-rate",
                                "10m",
                                "-T",
                                sample.file(),
                                UP.get().http(node + "/unfinished"));
        Deadline.await(
                "bytes have arrived",
                SOON,
                () ->
                        UP.get().dataFiles().stream()
                                .anyMatch(file ->
                                        !acknowledged.contains(file)
                                                && file.toFile().length() > 4 * MIB));

        UP.get().kill();
        curl.finish(SOON).failed();
        UP.get().restart();

        assertThat(UP.get().names(node)).containsExactly("acknowledged");
        Path copy = directory.resolve("copy");
        curl("-o", copy, UP.get().http(node + "/acknowledged")).succeeded();
        assertThat(Sample.adler32Of(copy)).isEqualTo(small.adler32());
        Deadline.await(
                "what was not finished is removed",
                SOON,
                () ->
                        UP.get().dataFiles().equals(acknowledged)
                                && UP.get().quota(node).path("reservedBytes").asLong() == 0);
        assertThat(UP.get().quota(node).path("usedBytes").asLong()).isEqualTo(small.sizeBytes());
    }

    private static void assertNothingIsLeft(String node, List<Path> before) {
        assertThat(UP.get().names(node)).isEmpty();
        Deadline.await(
                "nothing is charged and no data file is left: " + UP.get().quota(node),
                SOON,
                () ->
                        UP.get().quota(node).path("usedBytes").asLong() == 0
                                && UP.get().quota(node).path("reservedBytes").asLong() == 0
                                && UP.get().dataFiles().equals(before));
    }

    private static Run curl(Object... arguments) {
        return Client.named("curl")
                .run(
                        Stream.concat(
                                        Stream.of("-sS", "--fail-with-body", "-L"),
                                        Stream.of(arguments))
                                .toArray());
    }

    private static Map<String, String> sums(Path tree) throws IOException {
        var sums = new TreeMap<String, String>();
        try (Stream<Path> files = Files.walk(tree)) {
            files.filter(Files::isRegularFile)
                    .forEach(file ->
                            sums.put(tree.relativize(file).toString(), Sample.adler32Of(file)));
        }
        return sums;
    }
}
