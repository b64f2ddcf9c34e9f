package org.cepheus.it.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.cepheus.it.harness.CepheusProcesses;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.LiveFiles;
import org.cepheus.it.harness.Running;
import org.cepheus.it.harness.Sample;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 of one of two FSTs that serve the same volume: its clients end at the other. */
class LostFstIT {
    private static final int MIB = 1 << 20;
    private static final int LOST = 1;
    private static final int OTHER = 2;
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @TempDir Path directory;

    private CepheusProcesses cluster;

    @BeforeEach
    void start() {
        cluster = CepheusProcesses.startWithTwoFsts(directory);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void aReaderOnItsWayComesBackAndReadsAtTheOther() {
        Sample sample = Sample.write(directory.resolve("sample"), 3 * MIB, 1);
        Path copy = directory.resolve("copy");
        Client.named("xrdcp").run(sample.file(), cluster.root(0, "/file")).succeeded();

        Running xrdcp = sentToTheLost(cluster.root(0, "/file"), copy);

        xrdcp.finish(LIMIT).succeeded().said("tried=");
        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
    }

    @Test
    void aWriterOnItsWayComesBackAndWritesAtTheOther() {
        Sample sample = Sample.write(directory.resolve("sample"), 3 * MIB, 2);

        Running xrdcp = sentToTheLost(sample.file(), cluster.root(0, "/file"));

        xrdcp.finish(LIMIT).succeeded().said("tried=");
        assertStored(sample);
    }

    @Test
    void aReaderInTheMiddleGoesOnAtTheOther() {
        Sample sample = Sample.write(directory.resolve("sample"), 48 * MIB, 3);
        Path copy = directory.resolve("copy");
        Client.named("xrdcp").run(sample.file(), cluster.root(0, "/file")).succeeded();
        setState(OTHER, "drain");
        Running xrdcp =
                Client.named("xrdcp").start("--xrate", "8m", cluster.root(0, "/file"), copy);
        Deadline.await("a third is here", SOON, () -> copy.toFile().length() > 16 * MIB);
        setState(OTHER, "rw");

        cluster.killFst(LOST);

        xrdcp.finish(LIMIT).succeeded();
        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
    }

    @Test
    void aWriterInTheMiddleLeavesNothingAndWritesAtTheOtherWhenItBeginsAgain() {
        Sample sample = Sample.write(directory.resolve("sample"), 48 * MIB, 4);
        Running xrdcp = cutInTheMiddle(sample);

        // The ticket that it comes back with is for the FST that is gone.
        xrdcp.finish(LIMIT).failed();

        assertThat(cluster.ask(0, "GET", "namespace?path=/file", "").statusCode()).isEqualTo(404);
        Client.named("xrdcp").run(sample.file(), cluster.root(0, "/file")).succeeded();
        assertStored(sample);
    }

    private Running cutInTheMiddle(Sample sample) {
        setState(OTHER, "drain");
        Running xrdcp =
                Client.named("xrdcp")
                        .start("--xrate", "8m", sample.file(), cluster.root(0, "/file"));
        Deadline.await("a third has arrived", SOON, () -> storedBytes() > 16 * MIB);
        setState(OTHER, "rw");
        cluster.killFst(LOST);
        return xrdcp;
    }

    /** Starts a copy that is sent to an FST which dies before it has answered anything. */
    private Running sentToTheLost(Object source, Object target) {
        setState(OTHER, "drain");
        cluster.stopFst(LOST);
        Running xrdcp =
                Client.named("xrdcp").with("XRD_LOGLEVEL", "Debug").start("-s", source, target);
        Deadline.await("it is sent there", SOON, () -> isConnected(LOST));
        setState(OTHER, "rw");
        cluster.killFst(LOST);
        return xrdcp;
    }

    private boolean isConnected(int fst) {
        return !Client.named("ss")
                .run("-Htn", "state", "established", "dport", "=", ":" + cluster.fstPort(fst))
                .output()
                .isBlank();
    }

    private long storedBytes() {
        return LiveFiles.below(directory.resolve("volume")).stream()
                .mapToLong(file -> file.toFile().length())
                .sum();
    }

    private void assertStored(Sample sample) {
        String entry = cluster.ask(0, "GET", "namespace?path=/file", "").body();
        assertThat(entry).contains(sample.adler32());
    }

    private void setState(int fst, String state) {
        var answer =
                cluster.ask(0, "PATCH", "nodes/fst" + fst, "{\"state\":\"%s\"}".formatted(state));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
    }
}
