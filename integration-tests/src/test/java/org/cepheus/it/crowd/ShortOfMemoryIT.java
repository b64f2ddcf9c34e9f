package org.cepheus.it.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.cepheus.it.harness.CepheusProcesses;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Gauges;
import org.cepheus.it.harness.RawXrootd;
import org.cepheus.it.harness.Running;
import org.cepheus.it.harness.Sample;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An FST that may hold little: who comes when that is used up waits, and is served in the end. */
class ShortOfMemoryIT {
    private static final int MIB = 1 << 20;
    private static final int LIMIT_MIB = 8;
    private static final String LITTLE = "buffer_limit_mib = " + LIMIT_MIB;

    private static final int MAX_SLOW = LIMIT_MIB;

    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir Path directory;

    @Test
    void clientsWaitUntilThereIsRoom() throws Exception {
        Sample sample = Sample.write(directory.resolve("sample"), 32L * MIB, 1);
        Path read = directory.resolve("read");
        Path got = directory.resolve("got");
        try (var cluster = CepheusProcesses.startWithFst(directory, LITTLE)) {
            Client.named("xrdcp").run(sample.file(), cluster.root(0, "/large")).succeeded();
            List<RawXrootd> slow = useUpTheMemory(cluster);

            String head = Client.named("curl").run("-sSi", cluster.door("/large")).text();
            assertThat(head).startsWith("HTTP/1.1 503").containsIgnoringCase("Retry-After: ");
            Running xrdcp =
                    Client.named("xrdcp")
                            .with("XRD_LOGLEVEL", "Dump")
                            .start(cluster.root(0, "/large"), read);
            Running curl =
                    Client.named("curl")
                            .start(
                                    "-sSfL",
                                    "--retry",
                                    20,
                                    "--retry-max-time",
                                    60,
                                    "-o",
                                    got,
                                    cluster.door("/large"));
            Deadline.await(
                    "xrdcp is told to wait", SOON, () -> xrdcp.output().contains("kXR_wait"));
            assertThat(xrdcp.isAlive()).isTrue();
            assertThat(curl.isAlive()).isTrue();
            assertThat(cluster.fstGauges().bufferBytes())
                    .as("never much more than the limit")
                    .isLessThan(2L * LIMIT_MIB * MIB);

            slow.forEach(RawXrootd::close);

            xrdcp.finish(SOON).succeeded();
            curl.finish(SOON).succeeded();
            assertThat(Sample.adler32Of(read)).isEqualTo(sample.adler32());
            assertThat(Sample.adler32Of(got)).isEqualTo(sample.adler32());
        }
    }

    /** By clients that do not take the pages they asked for: what has no checksums is not held. */
    private static List<RawXrootd> useUpTheMemory(CepheusProcesses cluster) {
        var slow = new ArrayList<RawXrootd>();
        Gauges fst = cluster.fstGauges();
        while (fst.bufferBytes() <= (long) LIMIT_MIB * MIB) {
            assertThat(slow).hasSizeLessThan(MAX_SLOW);
            RawXrootd client =
                    RawXrootd.open(cluster.xrootdPort(0), "/large", XrootdRequest.Open.FOR_READ);
            slow.add(client.send(new XrootdRequest.PageRead(client.handle(), 0, 32 * MIB, 0, 0)));
            Deadline.await(
                    "it holds more than a MiB",
                    SOON,
                    () -> fst.bufferBytes() > (long) slow.size() * MIB);
        }
        return slow;
    }
}
