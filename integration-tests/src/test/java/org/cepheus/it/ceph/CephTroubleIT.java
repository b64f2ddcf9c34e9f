package org.cepheus.it.ceph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.cepheus.it.harness.CepheusUp;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.LiveFiles;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Running;
import org.cepheus.it.harness.Sample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What only a CephFS can do to an FST: stall, go away, come back, and fail at the sync. */
class CephTroubleIT {
    private static final int MIB = 1 << 20;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final List<String> OSDS = List.of("osd.0", "osd.1", "osd.2");

    /** After that long a write of volume 1 that gets no answer fails; on volume 2 it waits. */
    private static final Duration WRITE_LIMIT = Duration.ofSeconds(15);

    @RegisterExtension
    static final CephUp UP = new CephUp("--rados_osd_op_timeout=" + WRITE_LIMIT.toSeconds());

    @TempDir Path directory;

    @Test
    void anOsdThatHangsOrDiesOnlySlowsUploadsDown() {
        UP.useOnly(2);
        Sample sample = Sample.write(directory.resolve("sample"), 60 * MIB, 1);
        Running hangs = underWay(2, () -> slowXrdcp(sample, "/osd-hangs", "10m"));

        UP.cluster().pause("osd.1");
        try {
            hangs.finish(LONG).succeeded();
        } finally {
            UP.cluster().resume("osd.1");
        }
        // Two of three parts of an erasure-coded object are needed: not one away and one behind.
        UP.cluster().settle();
        Running dies = underWay(2, () -> slowXrdcp(sample, "/osd-dies", "10m"));
        UP.cluster().kill("osd.2");
        try {
            dies.finish(LONG).succeeded();
        } finally {
            UP.cluster().restart("osd.2");
        }
        for (String name : List.of("/osd-hangs", "/osd-dies")) {
            assertThat(read(name)).isEqualTo(sample.adler32());
            remove(name);
        }
    }

    /** The threads of volume 2 wait in the kernel; nobody else does. */
    @Test
    void aMountThatHangsHoldsUpNobodyElse() {
        Sample sample = Sample.write(directory.resolve("sample"), 30 * MIB, 2);
        UP.useOnly(1);
        put(sample, "/on-1");
        UP.useOnly(2);
        put(sample, "/on-2");
        CephCluster.set(UP.volume(1), "ceph.quota.max_bytes", 2L << 30);
        Running upload = underWay(2, () -> slowXrdcp(sample, "/hangs", "5m"));
        Running download;

        UP.cluster().pause(UP.volume(2));
        try {
            download = patient().start("-f", UP.get().root("/on-2"), directory.resolve("late"));
            for (int i = 0; i < 5; i++) {
                assertThat(read("/on-1")).isEqualTo(sample.adler32());
            }
            assertThat(UP.get().names("/")).contains("on-2", "on-1");
            Deadline.await("the watchdog sees it: " + UP.row(2), SOON, () -> !UP.isUsable(2));
            put(sample, "/meanwhile");
            assertThat(upload.isAlive()).as(upload::output).isTrue();
            assertThat(UP.isUsable(1)).isTrue();
        } finally {
            UP.cluster().resume(UP.volume(2));
        }

        upload.finish(LONG).succeeded();
        download.finish(LONG).succeeded();
        Deadline.await("it is usable again", SOON, () -> UP.isUsable(2));
        for (String name : List.of("/on-2", "/hangs", "/meanwhile")) {
            assertThat(read(name)).isEqualTo(sample.adler32());
            remove(name);
        }
        remove("/on-1");
    }

    @Test
    void aMountThatIsGoneIsNeitherWrittenToNorForgotten() throws IOException {
        UP.useOnly(1);
        Path point = UP.volume(1);
        Sample sample = Sample.write(directory.resolve("sample"), MIB, 3);
        put(sample, "/kept");
        put(sample, "/removed");
        List<Path> stored = UP.get().dataFiles();

        Deadline.await("nothing is open below it", SOON, () -> umounted(point));
        Run refused = curl("-T", sample.file(), UP.get().http("/refused")).failed();
        Run unread = curl(UP.get().http("/kept")).failed();
        remove("/removed");
        Deadline.await("the MGM hears of it", SOON, () -> !UP.isUsable(1));

        assertThat(refused.output()).containsAnyOf("the storage of volume 1 failed", "no volume");
        assertThat(unread.output()).as("not: there is no such file").contains("error: 500");
        try (Stream<Path> below = Files.list(point)) {
            assertThat(below).as("under the mount point").isEmpty();
        }
        UP.mount(1);
        Deadline.await("it is usable again", SOON, () -> UP.isUsable(1));
        assertThat(read("/kept")).isEqualTo(sample.adler32());
        assertThat(UP.get().names("/")).doesNotContain("refused", "removed");
        Deadline.await(
                "the data file of what was removed meanwhile is deleted now",
                SOON,
                () -> UP.get().dataFiles().size() == stored.size() - 1);
        remove("/kept");
    }

    @Test
    void anFstDoesNotStartOnAMountPointWithoutItsMount() throws IOException {
        CepheusUp up = UP.get();
        up.interrupt();
        UP.cluster().umount(UP.volume(2));

        Run run =
                Client.cepheus()
                        .run("up", "--data", up.data(), "--port-base", up.portBase())
                        .failed();

        run.said("volume 2 has no label", "mount the file system");
        try (Stream<Path> below = Files.list(UP.volume(2))) {
            assertThat(below).isEmpty();
        }
        UP.mount(2);
        up.restart();
    }

    @Test
    void anUploadIsRefusedWhenItsCephFuseIsKilledAndLeavesNothing() {
        UP.useOnly(1);
        Sample sample = Sample.write(directory.resolve("sample"), 40 * MIB, 4);
        Running upload = underWay(1, () -> slowCurl(sample, "/cut", "5m"));

        UP.cluster().kill(UP.volume(1));

        upload.finish(SOON).failed();
        Deadline.await("the MGM hears of it", SOON, () -> !UP.isUsable(1));
        Client.named("umount").run("-l", UP.volume(1)).succeeded();
        UP.mount(1);
        Deadline.await("it is usable again", SOON, () -> UP.isUsable(1));
        assertNothingIsLeftOf("cut");
        put(sample, "/again");
        assertThat(read("/again")).isEqualTo(sample.adler32());
        remove("/again");
    }

    /** The writes were taken by the cache; only the sync tells that they are lost. */
    @Test
    void anUploadWhoseSyncFailsIsRefusedAndLeavesNothing() throws IOException {
        UP.useOnly(1);
        Sample sample = Sample.write(directory.resolve("sample"), 3 * MIB, 5);
        List<Path> before = dataFiles(1);
        Running upload = underWay(1, () -> slowCurl(sample, "/unsynced", "400k"));
        Path stored =
                dataFiles(1).stream()
                        .filter(file -> !before.contains(file))
                        .findAny()
                        .orElseThrow();
        // The MDS has the name of the data file in its journal after this; it would wait, too.
        Path other = Files.createFile(UP.volume(1).resolve("other"));
        Client.named("sync").run(other).succeeded();
        assertThat(upload.isAlive()).as(upload::output).isTrue();

        OSDS.forEach(UP.cluster()::pause);
        try {
            Deadline.await(
                    "all bytes are in the cache of ceph-fuse",
                    SOON,
                    () -> stored.toFile().length() == sample.sizeBytes());
            // Only its write has a time limit: the rest of the sync waits until the MDS can write,
            // too.
            Instant written = Instant.now();
            Deadline.await(
                    "its write has failed",
                    SOON,
                    () ->
                            !upload.isAlive()
                                    || Instant.now()
                                            .isAfter(written.plus(WRITE_LIMIT.multipliedBy(2))));
        } finally {
            OSDS.forEach(UP.cluster()::resume);
        }

        upload.finish(LONG).failed().said("the storage of volume 1 failed");
        Files.delete(other);
        Deadline.await("it is usable again", SOON, () -> UP.isUsable(1));
        assertNothingIsLeftOf("unsynced");
        put(sample, "/synced");
        remove("/synced");
    }

    private static boolean umounted(Path point) {
        try {
            UP.cluster().umount(point);
            return true;
        } catch (AssertionError _) {
            return false;
        }
    }

    /** Starts an upload and returns when bytes of it are in a data file of the volume. */
    private static Running underWay(int volume, Supplier<Running> start) {
        Set<Path> before = Set.copyOf(dataFiles(volume));
        Running upload = start.get();
        Deadline.await(
                "bytes of the upload have arrived",
                SOON,
                () ->
                        !upload.isAlive()
                                || dataFiles(volume).stream()
                                        .anyMatch(file ->
                                                !before.contains(file)
                                                        && file.toFile().length() > 0));
        assertThat(upload.isAlive()).as(upload::output).isTrue();
        return upload;
    }

    private static List<Path> dataFiles(int volume) {
        Path root = UP.volume(volume);
        return LiveFiles.below(root).stream()
                .filter(file -> !root.equals(file.getParent()))
                .toList();
    }

    private static void assertNothingIsLeftOf(String name) {
        assertThat(UP.get().names("/")).doesNotContain(name);
        Deadline.await(
                "no upload is left and every data file belongs to a name",
                SOON,
                () ->
                        UP.get().transfers().isEmpty()
                                && UP.get().dataFiles().size() == UP.get().names("/").size());
    }

    /** A client that waits for as long as a stall may take. */
    private static Client patient() {
        return Client.named("xrdcp")
                .with("XRD_REQUESTTIMEOUT", "300")
                .with("XRD_STREAMTIMEOUT", "300")
                .within(LONG);
    }

    private static Running slowXrdcp(Sample sample, String name, String rate) {
        return patient().start("--xrate", rate, sample.file(), UP.get().root(name));
    }

    private static Running slowCurl(Sample sample, String name, String rate) {
        return Client.named("curl")
                .start(
                        "-sS",
                        "-L",
                        "--fail-with-body",
                        "--limit-rate",
                        rate,
                        "-T",
                        sample.file(),
                        UP.get().http(name));
    }

    private static void put(Sample sample, String name) {
        Client.named("xrdcp")
                .run("--cksum", "adler32", sample.file(), UP.get().root(name))
                .succeeded();
    }

    private String read(String name) {
        Path copy = directory.resolve("copy");
        Client.named("xrdcp").run("-f", UP.get().root(name), copy).succeeded();
        return Sample.adler32Of(copy);
    }

    private static void remove(String name) {
        Client.named("xrdfs").run(UP.get().server(), "rm", name).succeeded();
    }

    private static Run curl(Object... arguments) {
        return Client.named("curl")
                .run(
                        Stream.concat(
                                        Stream.of("-sS", "--fail-with-body", "-L"),
                                        Stream.of(arguments))
                                .toArray());
    }
}
