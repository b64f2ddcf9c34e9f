package org.cepheus.it.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.cepheus.it.harness.CepheusProcesses;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Running;
import org.cepheus.it.harness.Sample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A site that lets each stream have so much and no more. */
class StreamLimitIT {
    private static final int MIB = 1 << 20;
    private static final int MIB_PER_SECOND = 8;
    private static final String LIMIT = "stream_bytes_per_second = " + MIB_PER_SECOND * MIB;

    private static final int SIZE_MIB = 24;
    private static final Duration LEAST = Duration.ofSeconds(SIZE_MIB / MIB_PER_SECOND);
    private static final int STREAMS = 3;
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir Path directory;

    @Test
    void noStreamIsFasterAndNoneWaitsForAnother() {
        Sample sample = Sample.write(directory.resolve("sample"), (long) SIZE_MIB * MIB, 1);
        Path read = directory.resolve("read");
        try (var cluster = CepheusProcesses.startWithFst(directory, LIMIT)) {
            String url = cluster.root(0, "/file");

            assertSlow(Client.named("xrdcp").run(sample.file(), url));
            assertSlow(Client.named("xrdcp").run(url, read));
            assertThat(Sample.adler32Of(read)).isEqualTo(sample.adler32());
            assertSlow(
                    Client.named("curl")
                            .run("-sSfL", "-T", sample.file(), cluster.http(0, "/put")));
            assertSlow(Client.named("curl").run("-sSfL", "-o", read, cluster.http(0, "/put")));
            assertThat(Sample.adler32Of(read)).isEqualTo(sample.adler32());

            List<Running> together = new ArrayList<>();
            for (int i = 0; i < STREAMS; i++) {
                together.add(Client.named("xrdcp").start("-f", url, "/dev/null"));
            }
            for (Running each : together) {
                Run run = each.finish(SOON);
                assertSlow(run);
                assertThat(run.took())
                        .as("one after the other takes longer")
                        .isLessThan(LEAST.multipliedBy(STREAMS));
            }
        }
    }

    private static void assertSlow(Run run) {
        assertThat(run.succeeded().took()).as(run::toString).isGreaterThanOrEqualTo(LEAST);
    }
}
