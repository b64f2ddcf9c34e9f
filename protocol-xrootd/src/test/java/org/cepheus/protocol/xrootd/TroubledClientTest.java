package org.cepheus.protocol.xrootd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.QuotaUnit;
import org.cepheus.domain.clients.RealClients;
import org.cepheus.domain.loopback.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Debian's xrdcp when bytes are damaged, connections are cut, or storage is slow. */
final class TroubledClientTest {
    private static final List<String> FAST_RECOVERY =
            List.of("XRD_STREAMERRORWINDOW=1", "XRD_CONNECTIONWINDOW=2");

    private static final List<String> PLAIN_RECOVERY =
            List.of("XRD_STREAMERRORWINDOW=1", "XRD_CONNECTIONWINDOW=2", "XRD_CPUSEPGWRTRD=0");

    /** Neither the first nor the last of its answer. */
    private static final long DAMAGED_PAGE = 4096L * 1000;

    private TestCluster cluster;
    private MeddlingProxy proxy;
    private String url;
    @TempDir private Path local;

    @BeforeAll
    static void requireClients() {
        RealClients.require("xrdcp", "xrootd-client");
    }

    @BeforeEach
    void start() throws IOException {
        cluster = new TestCluster();
        proxy = new MeddlingProxy(cluster.fst.port());
        cluster.site.fst = new FstAddress(1, "127.0.0.1", proxy.port(), 0);
        url = "root://127.0.0.1:" + cluster.mgm.port() + "/";
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        cluster.close();
    }

    private static byte[] random(int size) {
        var bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private static RealClient.Outcome xrdClSix(String source, String target) throws Exception {
        String copy =
                """
                import sys
                from XRootD import client
                process = client.CopyProcess()
                process.add_job(sys.argv[1], sys.argv[2])
                assert process.prepare().ok
                status, results = process.run()
                assert status.ok, results
                """;
        return RealClient.run(FAST_RECOVERY, RealClient.python(), "-c", copy, source, target);
    }

    @Test
    void damagedPageIsSentAgain() throws Exception {
        byte[] bytes = random(20_000_000);
        Path file = Files.write(local.resolve("a"), bytes);
        proxy.damagingByte(5_000_000);

        RealClient.run("xrdcp", "-s", file.toString(), url + "/a").succeeded();

        assertThat(cluster.site.content("/a")).contains(bytes);
        assertThat(cluster.site.upload("/a").orElseThrow().mended).hasValue(1);
    }

    @Test
    void damagedPageIsAskedForAgain() throws Exception {
        byte[] bytes = random(20_000_000);
        cluster.site.put("/a", bytes);
        proxy.damagingPage(DAMAGED_PAGE);

        RealClient.run("xrdcp", "-s", url + "/a", local.resolve("b").toString()).succeeded();

        assertThat(proxy.pagesAskedForAgain()).containsExactly(DAMAGED_PAGE);
        assertThat(Files.readAllBytes(local.resolve("b"))).isEqualTo(bytes);
    }

    @Test
    void damagedPageIsAskedForAgainByXrdClSix() throws Exception {
        byte[] bytes = random(20_000_000);
        cluster.site.put("/a", bytes);
        proxy.damagingPage(DAMAGED_PAGE);

        xrdClSix(url + "/a", "file://" + local.resolve("b")).succeeded();

        assertThat(proxy.pagesAskedForAgain()).containsExactly(DAMAGED_PAGE);
        assertThat(Files.readAllBytes(local.resolve("b"))).isEqualTo(bytes);
    }

    @Test
    void interruptedUploadGoesOnWithTheSameTicket() throws Exception {
        byte[] bytes = random(20_000_000);
        Path file = Files.write(local.resolve("a"), bytes);
        proxy.cuttingAfter(12_000_000);

        RealClient.run(PLAIN_RECOVERY, "xrdcp", "-s", file.toString(), url + "/a").succeeded();

        assertThat(cluster.site.content("/a")).contains(bytes);
        assertThat(cluster.site.opens).hasSize(1);
        assertThat(proxy.connections()).isEqualTo(2);
        assertThat(cluster.site.upload("/a").orElseThrow().detached).hasPositiveValue();
    }

    /**
     * Cut in the middle of a pgwrite, XrdCl 5.5 now and then sends its head and only the rest of
     * its body again, whoever the server is, and now and then it crashes.
     */
    @Test
    void interruptedUploadWithPagesStoresAllOrNothing() throws Exception {
        byte[] bytes = random(20_000_000);
        Path file = Files.write(local.resolve("a"), bytes);
        for (int i = 0; i < 5; i++) {
            proxy.cuttingAfter(3_000_000 * (i + 1L));
            String name = "/a" + i;

            var outcome = RealClient.run(FAST_RECOVERY, "xrdcp", "-s", file.toString(), url + name);

            Optional<byte[]> stored = cluster.site.content(name);
            assertThat(stored.isPresent()).as(outcome.text()).isEqualTo(outcome.code() == 0);
            stored.ifPresent(content -> assertThat(content).isEqualTo(bytes));
        }
    }

    @Test
    void interruptedUploadWithPagesGoesOnByXrdClSix() throws Exception {
        byte[] bytes = random(20_000_000);
        Path file = Files.write(local.resolve("a"), bytes);
        proxy.cuttingAfter(12_000_000);

        xrdClSix("file://" + file, url + "/a").succeeded();

        assertThat(cluster.site.content("/a")).contains(bytes);
        assertThat(cluster.site.opens).hasSize(1);
        assertThat(proxy.connections()).isEqualTo(2);
    }

    @Test
    void interruptedDownloadGoesOn() throws Exception {
        byte[] bytes = random(20_000_000);
        cluster.site.put("/a", bytes);
        proxy.cuttingAnswersAfter(7_000_000);

        RealClient.run(FAST_RECOVERY, "xrdcp", "-s", url + "/a", local.resolve("b").toString())
                .succeeded();

        assertThat(Files.readAllBytes(local.resolve("b"))).isEqualTo(bytes);
    }

    @Test
    void failedWriteFailsTheCopyAndLeavesNothing() throws Exception {
        Path file = Files.write(local.resolve("a"), random(9_000_000));
        var full =
                new FsError.QuotaExceeded(
                        FsPath.ROOT, QuotaKind.PROJECT, "", QuotaUnit.BYTES, 10, 9, 0, 5);
        cluster.site.storage =
                () -> CompletableFuture.failedFuture(new org.cepheus.domain.FsException(full));

        var outcome = RealClient.run("xrdcp", "-s", file.toString(), url + "/a");

        assertThat(outcome.code()).isNotZero();
        assertThat(outcome.text()).contains("[3021]").contains("quota exceeded at /");
        assertThat(cluster.site.content("/a")).isEmpty();
    }

    @Test
    void lateCloseIsAnnouncedAndAnswered() throws Exception {
        Path file = Files.write(local.resolve("a"), random(1000));
        cluster.site.storage =
                () ->
                        CompletableFuture.supplyAsync(
                                () -> null,
                                CompletableFuture.delayedExecutor(
                                        3 * TestCluster.LATE_AFTER.toMillis(),
                                        TimeUnit.MILLISECONDS));

        RealClient.run("xrdcp", "-s", file.toString(), url + "/a").succeeded();

        assertThat(cluster.site.content("/a")).isPresent();
    }

    @Test
    void expiredTicketIsSentToTheManagerForAFreshOne() throws Exception {
        cluster.site.put("/a", random(1000));
        String direct = "root://127.0.0.1:%d//a?cph.tkt=1.expired".formatted(cluster.fst.port());

        RealClient.run("xrdcp", "-s", direct, local.resolve("b").toString()).succeeded();

        assertThat(Files.readAllBytes(local.resolve("b"))).isEqualTo(random(1000));
        assertThat(cluster.site.opens).hasSize(1);
    }

    @Test
    void managerWithoutLeaderMakesClientsWait() throws Exception {
        cluster.site.put("/a", random(1000));
        cluster.site.trouble = Optional.of(new FsError.NotLeader(Optional.empty()));
        var outcome =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return RealClient.run(
                                "xrdcp", "-s", url + "/a", local.resolve("b").toString());
                    } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
        while (cluster.site.lastCaller.equals(org.cepheus.domain.Caller.SYSTEM)) {
            Thread.onSpinWait();
        }
        cluster.site.trouble = Optional.empty();

        outcome.get(30, TimeUnit.SECONDS).succeeded();
    }

    @Test
    void clientsOutliveALeaderThatDiedUnnoticed() throws Exception {
        cluster.site.put("/a", random(1000));
        var dead = new MgmAddress("127.0.0.1", FreePorts.firstOf(1), 0, 0, 0);
        cluster.site.trouble = Optional.of(new FsError.NotLeader(Optional.of(dead)));
        var outcome =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return RealClient.run(
                                FAST_RECOVERY,
                                "xrdcp",
                                "-s",
                                url + "/a",
                                local.resolve("b").toString());
                    } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });

        // An election takes seconds; a client that was redirected without pause has failed by then.
        assertThatThrownBy(() -> outcome.get(2, TimeUnit.SECONDS))
                .isInstanceOf(TimeoutException.class);
        cluster.site.trouble = Optional.empty();

        outcome.get(30, TimeUnit.SECONDS).succeeded();
    }
}
