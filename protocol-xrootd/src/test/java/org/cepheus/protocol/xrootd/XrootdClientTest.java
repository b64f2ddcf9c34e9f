package org.cepheus.protocol.xrootd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FstAddress;
import org.cepheus.protocol.xrootd.client.XrootdClient;
import org.cepheus.protocol.xrootd.client.XrootdClientSettings;
import org.cepheus.protocol.xrootd.client.XrootdEndpoint;
import org.cepheus.protocol.xrootd.client.XrootdFile;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Our client against our servers. */
final class XrootdClientTest {
    private TestCluster cluster;
    private XrootdClient client;

    @BeforeEach
    void start() throws IOException {
        cluster = new TestCluster();
        client = client(cluster.mgm.port(), Duration.ofSeconds(20));
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    private XrootdClient client(int port, Duration deadline) {
        return new XrootdClient(
                cluster.loops,
                new XrootdEndpoint("127.0.0.1", port),
                new XrootdClientSettings(
                        "annabelle", List.of("staff", "atlas"), Duration.ofSeconds(5), deadline));
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }

    private static FsError errorOf(CompletionStage<?> stage) {
        try {
            get(stage);
        } catch (RuntimeException e) {
            return FsException.errorOf(e);
        }
        throw new AssertionError("it succeeded");
    }

    private static byte[] random(int size) {
        var bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    @Test
    void writesAndReadsPagesAtAnyOffset() {
        byte[] bytes = random(3_000_007);
        XrootdFile file = get(client.openForWriting("/d/a", false, true));
        var writes = new ArrayList<CompletionStage<Void>>();
        for (int at = 0; at < bytes.length; at += 700_001) {
            int length = Math.min(700_001, bytes.length - at);
            writes.add(file.writePages(at, ByteBuffer.wrap(bytes, at, length).slice()));
        }
        writes.forEach(XrootdClientTest::get);
        get(file.close());

        XrootdFile read = get(client.openForReading("/d/a"));
        ByteBuffer into = ByteBuffer.allocate(bytes.length + 10);
        int first = get(read.readPages(0, into.slice(0, 1_234_567)));
        int second = get(read.readPages(1_234_567, into.slice(1_234_567, 1_765_450)));

        assertThat(first).isEqualTo(1_234_567);
        assertThat(second).isEqualTo(bytes.length - first);
        assertThat(Arrays.copyOf(into.array(), bytes.length)).isEqualTo(bytes);
        assertThat(get(read.readPages(bytes.length, ByteBuffer.allocate(10)))).isZero();
    }

    @Test
    void writesAndReadsPlainBytes() {
        byte[] bytes = random(2_000_003);
        XrootdFile file = get(client.openForWriting("/a", false, false));
        get(file.write(0, ByteBuffer.wrap(bytes)));
        get(file.sync());
        assertThat(get(file.stat()).size()).isEqualTo(bytes.length);
        get(file.truncate(1_500_000));
        get(file.close());

        XrootdFile read = get(client.openForReading("/a"));
        ByteBuffer into = ByteBuffer.allocate(2_000_000);

        assertThat(read.statAtOpen().orElseThrow().size()).isEqualTo(1_500_000);
        assertThat(get(read.read(0, into))).isEqualTo(1_500_000);
        assertThat(Arrays.copyOf(into.array(), 1_500_000))
                .isEqualTo(Arrays.copyOf(bytes, 1_500_000));
    }

    @Test
    void damagedPageIsSentAgainByItself() throws IOException {
        byte[] bytes = random(500_000);
        try (var proxy = new MeddlingProxy(cluster.fst.port())) {
            proxy.damagingByte(300_000);
            cluster.site.fst = new FstAddress(1, "127.0.0.1", proxy.port(), 0);
            XrootdFile file = get(client.openForWriting("/a", false, false));

            get(file.writePages(0, ByteBuffer.wrap(bytes)));
            get(file.close());
        }

        assertThat(cluster.site.content("/a")).contains(bytes);
        assertThat(cluster.site.upload("/a").orElseThrow().mended).hasValue(1);
    }

    @Test
    void metadataOperationsWork() {
        get(client.makeDirectory("/d/e", 0755, true));
        cluster.site.put("/d/f", "hello".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        get(client.move("/d/f", "/d/e/g"));

        assertThat(get(client.stat("/d/e/g")).size()).isEqualTo(5);
        assertThat(get(client.checksum("/d/e/g", ChecksumType.ADLER32)).hex())
                .isEqualTo("062c0215");
        assertThat(get(client.list("/d")))
                .singleElement()
                .matches(entry -> entry.name().equals("e") && entry.stat().isDirectory());
        get(client.remove("/d/e/g"));
        get(client.removeDirectory("/d/e"));
        assertThat(get(client.list("/d"))).isEmpty();
        assertThat(cluster.site.lastCaller.identity().user()).isEqualTo("annabelle");
        assertThat(cluster.site.lastCaller.identity().groups()).containsExactly("staff", "atlas");
        assertThat(cluster.audit.lines)
                .contains("allowed annabelle mkdir /d/e", "allowed annabelle rm /d/e/g")
                .noneMatch(line -> line.contains("stat"));
    }

    @Test
    void theAuditIsToldOfEveryRefusalToChangeOrOpen() {
        cluster.site.put("/a", new byte[3]);

        errorOf(client.openForWriting("/a", false, false));
        errorOf(client.openForReading("/none"));
        errorOf(client.remove("/none"));
        errorOf(client.stat("/none"));
        errorOf(client.list("/none"));

        assertThat(cluster.audit.lines)
                .containsExactly(
                        "refused annabelle open /a",
                        "refused annabelle open /none",
                        "refused annabelle rm /none");
    }

    @Test
    void theAuditIsToldWhatARuleForbidsWhoOnlyLooks() {
        cluster.site.trouble = Optional.of(new FsError.PermissionDenied("not yours"));

        errorOf(client.stat("/a"));

        assertThat(cluster.audit.lines).containsExactly("refused annabelle stat /a");
    }

    @Test
    void theAuditIsToldOfWhichFileAWriteWasRefused() {
        XrootdFile file = get(client.openForWriting("/a", false, false));
        cluster.site.storage =
                () ->
                        CompletableFuture.failedFuture(
                                new FsException(new FsError.NoSpace("the volume is full")));

        errorOf(file.write(0, ByteBuffer.allocate(10)));

        assertThat(cluster.audit.lines)
                .containsOnlyOnce("refused annabelle write /a")
                .noneMatch(line -> line.contains("allowed annabelle write"));
    }

    @Test
    void listsMoreThanOnePage() {
        for (int i = 0; i < 3 * DirectoryListing.PAGE_ENTRIES; i++) {
            cluster.site.put("/f%05d".formatted(i), new byte[1]);
        }

        assertThat(get(client.list("/"))).hasSize(3 * DirectoryListing.PAGE_ENTRIES);
    }

    @Test
    void errorsKeepTheirKind() {
        cluster.site.put("/a", new byte[3]);

        assertThat(errorOf(client.stat("/none"))).isInstanceOf(FsError.NotFound.class);
        assertThat(errorOf(client.openForWriting("/a", false, false)))
                .isInstanceOf(FsError.AlreadyExists.class);
        assertThat(errorOf(client.openForReading("/"))).isInstanceOf(FsError.IsDirectory.class);
        assertThat(errorOf(client.query(16, "a"))).isInstanceOf(FsError.Unsupported.class);
        assertThat(errorOf(client.stat("relative"))).isInstanceOf(FsError.InvalidArgument.class);
    }

    @Test
    void refusedLoginFailsTheRequest() {
        try (var mallory =
                new XrootdClient(
                        cluster.loops,
                        new XrootdEndpoint("127.0.0.1", cluster.mgm.port()),
                        XrootdClientSettings.of("mallory", "staff"))) {
            assertThat(errorOf(mallory.stat("/"))).isInstanceOf(FsError.PermissionDenied.class);
        }
    }

    @Test
    void unreachableServerFailsTheRequest() {
        int port = cluster.fst.port();
        cluster.fst.close();
        try (XrootdClient lost = client(port, Duration.ofSeconds(1))) {
            assertThat(errorOf(lost.stat("/"))).isInstanceOf(FsError.IoFailure.class);
        }
    }

    @Test
    void overloadedServerIsAskedAgainUntilTheDeadline() {
        cluster.site.trouble = Optional.of(new FsError.Overloaded("too much", 1));
        CompletionStage<?> patient = client.stat("/");
        try (XrootdClient hasty = client(cluster.mgm.port(), Duration.ofMillis(500))) {
            assertThat(errorOf(hasty.stat("/"))).isInstanceOf(FsError.Unavailable.class);
        }
        cluster.site.trouble = Optional.empty();

        assertThat(get(patient)).isNotNull();
    }

    @Test
    void silentServerEndsAtTheDeadline() {
        cluster.site.put("/a", new byte[10]);
        try (XrootdClient hasty = client(cluster.mgm.port(), Duration.ofMillis(500))) {
            XrootdFile file = get(hasty.openForReading("/a"));
            var gate = new CompletableFuture<Void>();
            cluster.site.storage = () -> gate;

            assertThat(errorOf(file.read(0, ByteBuffer.allocate(10))))
                    .isInstanceOf(FsError.Unavailable.class);
            gate.complete(null); // Until then the storage keeps the buffer.
        }
    }

    @Test
    void lateAnswersArrive() {
        XrootdFile file = get(client.openForWriting("/a", false, false));
        var gate = new CompletableFuture<Void>();
        cluster.site.storage = () -> gate;
        CompletableFuture<Void> closed = file.close().toCompletableFuture();
        assertThatThrownBy(() ->
                        closed.copy()
                                .orTimeout(
                                        2 * TestCluster.LATE_AFTER.toMillis(),
                                        TimeUnit.MILLISECONDS)
                                .join())
                .hasCauseInstanceOf(java.util.concurrent.TimeoutException.class);

        gate.complete(null);

        get(closed);
        assertThat(cluster.site.content("/a")).isPresent();
    }

    @Test
    void lateFailuresArrive() {
        XrootdFile file = get(client.openForWriting("/a", false, false));
        var gate = new CompletableFuture<Void>();
        cluster.site.storage = () -> gate;
        CompletableFuture<Void> closed = file.close().toCompletableFuture();
        assertThatThrownBy(() ->
                        closed.copy()
                                .orTimeout(
                                        2 * TestCluster.LATE_AFTER.toMillis(),
                                        TimeUnit.MILLISECONDS)
                                .join())
                .hasCauseInstanceOf(java.util.concurrent.TimeoutException.class);

        gate.completeExceptionally(new FsException(new FsError.NoSpace("full")));

        assertThat(errorOf(closed)).isInstanceOf(FsError.NoSpace.class);
    }

    @Test
    void declaredSizeIsCheckedAtClose() {
        XrootdFile file =
                get(
                        client.open(
                                new XrootdRequest.Open(
                                        0644,
                                        XrootdRequest.Open.NEW | XrootdRequest.Open.UPDATE,
                                        0,
                                        "/a?oss.asize=10")));
        get(file.write(0, ByteBuffer.allocate(7)));

        FsError error = errorOf(file.close());

        assertThat(error).isInstanceOf(FsError.IoFailure.class);
        assertThat(error.message()).contains("7 bytes arrived, 10 were declared");
        assertThat(cluster.site.content("/a")).isEmpty();
    }
}
