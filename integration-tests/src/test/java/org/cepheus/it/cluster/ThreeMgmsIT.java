package org.cepheus.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import org.cepheus.it.harness.CepheusProcesses;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Sample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three MGM processes and an FST process: one MGM less is no loss. */
class ThreeMgmsIT {
    private static final Duration ELECTION = Duration.ofSeconds(30);
    private static final int FILES = 12;

    @TempDir Path directory;

    @Test
    void theNextXrdcpWorksAfterTheLeaderWasKilled() throws Exception {
        var acknowledged = new LinkedHashMap<String, Sample>();
        try (var cluster = CepheusProcesses.start(directory, 3)) {
            for (int i = 0; i < FILES; i++) {
                Sample sample = Sample.write(directory.resolve("before" + i), 100_000L * i, i);
                put(sample, cluster.root(i % 3, "/before" + i));
                acknowledged.put("/before" + i, sample);
            }
            int killed = cluster.leader();

            cluster.killMgm(killed);
            int survivor = (killed + 1) % 3;
            Sample after = Sample.write(directory.resolve("after"), 1_000_000, 99);
            put(after, cluster.root(survivor, "/after"));
            acknowledged.put("/after", after);

            acknowledged.forEach(
                    (path, sample) -> assertIntact(cluster.root(survivor, path), sample));
            int other = (killed + 2) % 3;
            acknowledged.forEach((path, sample) -> assertIntact(cluster.root(other, path), sample));

            cluster.startMgm(killed);
            Deadline.await(
                    "the killed member has caught up",
                    ELECTION,
                    () ->
                            cluster.leader() >= 0
                                    && cluster.status(killed).path("appliedIndex").asLong(-1)
                                            >= cluster.status(survivor)
                                                    .path("appliedIndex")
                                                    .asLong());
            acknowledged.forEach(
                    (path, sample) -> assertIntact(cluster.root(killed, path), sample));
            assertThat(cluster.status(killed).path("files").asLong()).isEqualTo(FILES + 1L);
            cluster.recount();
        }
    }

    @Test
    void curlAtAFollowerReachesTheLeader() {
        try (var cluster = CepheusProcesses.start(directory, 3)) {
            int follower = (cluster.leader() + 1) % 3;
            Sample sample = Sample.write(directory.resolve("sample"), 1_000_000, 1);
            Path copy = directory.resolve("copy");

            Client.named("curl")
                    .run("-sS", "--fail", "-L", "-T", sample.file(), cluster.http(follower, "/f"))
                    .succeeded();
            Client.named("curl")
                    .run("-sS", "--fail", "-L", "-o", copy, cluster.http(follower, "/f"))
                    .succeeded();

            assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
        }
    }

    private static void put(Sample sample, String url) {
        Client.named("xrdcp").run("--cksum", "adler32", sample.file(), url).succeeded();
    }

    private void assertIntact(String url, Sample sample) {
        Path copy = directory.resolve("copy");
        Client.named("xrdcp").run("-f", url, copy).succeeded();
        assertThat(Sample.adler32Of(copy)).as(url).isEqualTo(sample.adler32());
    }
}
