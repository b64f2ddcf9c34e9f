package org.cepheus.protocol.xrootd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.fuzz.Corpus;
import org.cepheus.domain.fuzz.StillSite;
import org.cepheus.domain.port.Admission;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.Metrics;
import org.cepheus.protocol.socket.EpollLoops;
import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that want no good, or are badly broken, or very slow. */
class HostileClientTest {
    private static final Patience SHORT =
            new Patience(Duration.ofMillis(400), Duration.ofMillis(400), Duration.ofMillis(1_500));

    private static final int OPEN_READ = 0x10;

    private TestCluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new TestCluster(new FakeLogin(List.of()), SHORT);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private RawConnection mgm() throws IOException {
        return new RawConnection(cluster.mgm.port());
    }

    private RawConnection fst() throws IOException {
        return new RawConnection(cluster.fst.port());
    }

    private int open(RawConnection fst, String path, int options) throws IOException {
        String target;
        try (RawConnection mgm = mgm().loggedIn()) {
            XrootdResponse answer =
                    mgm.ask(new XrootdRequest.Open(0644, options, 0, path)).decoded();
            target = path + "?" + ((XrootdResponse.Redirect) answer).opaque();
        }
        XrootdResponse answer = fst.ask(new XrootdRequest.Open(0, 0, 0, target)).decoded();
        return ResponseCodec.opened(((XrootdResponse.Ok) answer).body()).handle();
    }

    @Test
    void nothingIsDoneThatFollowsAnAbsurdLength() throws IOException {
        byte[] absurd = RawConnection.bytes(9, new XrootdRequest.Remove(""));
        Unpooled.wrappedBuffer(absurd).setInt(20, -1);
        byte[] make = RawConnection.bytes(9, new XrootdRequest.MakeDirectory(0, 0755, "/made"));
        try (RawConnection mgm = mgm().loggedIn()) {
            mgm.send(ByteBufUtil.getBytes(Unpooled.wrappedBuffer(absurd, make)));

            assertThat(mgm.isClosedByServer()).isTrue();
        }

        try (RawConnection mgm = mgm().loggedIn()) {
            assertThat(mgm.ask(new XrootdRequest.Stat(0, 0, "/made")).errorCode())
                    .isEqualTo(ErrorCode.NOT_FOUND);
        }
    }

    @Test
    void whoSaysNothingIsNotWaitedForLong() throws IOException {
        for (int i = 0; i < 2; i++) {
            try (RawConnection mgm = mgm()) {
                assertThat(mgm.isClosedByServer()).isTrue();
            }
        }

        assertThat(cluster.faults).as("no line for each").hasSize(1);
        assertThat(cluster.faults.getFirst()).contains("closed: it did not log in within");
    }

    @Test
    void whoDoesNotLogInIsNotWaitedForLong() throws IOException {
        try (RawConnection mgm = mgm()) {
            mgm.send(RawConnection.hello()).answer();

            assertThat(mgm.isClosedByServer()).isTrue();
        }
    }

    @Test
    void aRequestCannotBeDripped() throws IOException {
        byte[] stat = RawConnection.bytes(9, new XrootdRequest.Stat(0, 0, "/" + "a".repeat(200)));
        try (RawConnection mgm = mgm().loggedIn()) {
            assertThat(mgm.isClosedWhileDripping(stat, 100)).isTrue();
        }
    }

    @Test
    void dataThatWasAnnouncedHasToCome() throws IOException {
        try (RawConnection fst = fst().loggedIn()) {
            int handle = open(fst, "/a", XrootdRequest.Open.NEW | XrootdRequest.Open.UPDATE);
            fst.send(9, new XrootdRequest.Write(handle, 0, 1000, 0)).send(new byte[10]);

            assertThat(fst.isClosedByServer()).isTrue();
        }
        var upload = cluster.site.upload("/a").orElseThrow();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (upload.detached.get() == 0 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(upload.detached).as("held for the client's return").hasValue(1);
    }

    @Test
    void dataMayComeSlowly() throws IOException {
        int size = 300_000;
        byte[] beginning = new byte[50_000];
        byte[] drops = new byte[15];
        try (RawConnection fst = fst().loggedIn()) {
            int handle = open(fst, "/a", XrootdRequest.Open.NEW | XrootdRequest.Open.UPDATE);
            fst.send(9, new XrootdRequest.Write(handle, 0, size, 0)).send(beginning);
            assertThat(fst.isClosedWhileDripping(drops, 100)).isFalse();

            fst.send(new byte[size - beginning.length - drops.length]);

            assertThat(fst.answer().status()).isZero();
        }
    }

    @Test
    void whoTakesNoAnswersIsNotServedForEver() throws IOException {
        int size = 8 << 20;
        int reads = 20;
        cluster.site.put("/a", new byte[size]);
        try (RawConnection fst = fst().loggedIn()) {
            int handle = open(fst, "/a", OPEN_READ);
            for (int i = 0; i < reads; i++) {
                fst.send(9, new XrootdRequest.Read(handle, 0, size, 0));
            }
            try (RawConnection other = mgm().loggedIn()) {
                // It is the other's idle limit that says how long nothing is taken.
                assertThat(other.isClosedByServer()).isTrue();
            }

            assertThat(fst.drain()).isLessThan((long) reads * size);
        }
    }

    @Test
    void whoOwesNothingIsWaitedForLonger() throws IOException {
        try (RawConnection mgm = mgm().loggedIn()) {
            try (RawConnection silent = mgm()) {
                assertThat(silent.isClosedByServer()).isTrue();
            }

            assertThat(mgm.ask(new XrootdRequest.Ping()).status()).isZero();
            assertThat(mgm.isClosedByServer()).as("closed in the end").isTrue();
        }
    }

    @Test
    void numbersAtTheirLimitsAreAnsweredAndTheConnectionLivesOn() throws IOException {
        cluster.site.put("/a", new byte[5000]);
        List<Long> offsets =
                List.of(-1L, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 1, 4999L, 5000L);
        List<Integer> lengths =
                List.of(-1, 0, 1, 4095, 4096, 4097, Integer.MAX_VALUE, Integer.MIN_VALUE);
        try (RawConnection fst = fst().loggedIn()) {
            int handle = open(fst, "/a", OPEN_READ);
            for (long offset : offsets) {
                for (int length : lengths) {
                    for (int id : List.of(XrootdRequest.READ, XrootdRequest.PGREAD)) {
                        byte[] wire =
                                RawConnection.bytes(9, new XrootdRequest.Read(handle, 0, 0, 0));
                        Unpooled.wrappedBuffer(wire)
                                .setShort(2, id)
                                .setLong(8, offset)
                                .setInt(16, length);
                        boolean impossible =
                                offset < 0 || length < 0 || offset > Long.MAX_VALUE - length;
                        RawConnection.Answer answer = fst.send(wire).answer();

                        assertThat(answer.errorCode())
                                .as("%d: %d at %d", id, length, offset)
                                .isEqualTo(impossible ? ErrorCode.ARG_INVALID : 0);
                    }
                }
            }
        }
    }

    @Test
    void handlesThatAreNotOpenAreRefused() throws IOException {
        cluster.site.put("/a", new byte[10]);
        try (RawConnection fst = fst().loggedIn()) {
            int handle = open(fst, "/a", OPEN_READ);
            assertThat(fst.ask(new XrootdRequest.Close(handle)).status()).isZero();
            for (int closed : List.of(handle, handle + 1, -1, Integer.MAX_VALUE)) {
                for (XrootdRequest request :
                        List.of(
                                new XrootdRequest.Read(closed, 0, 10, 0),
                                new XrootdRequest.Close(closed),
                                new XrootdRequest.Sync(closed),
                                new XrootdRequest.Stat(0, closed, ""),
                                new XrootdRequest.Truncate(closed, 5, ""))) {
                    assertThat(fst.ask(request).errorCode())
                            .as("%s of %d", request.operation(), closed)
                            .isEqualTo(ErrorCode.FILE_NOT_OPEN);
                }
                fst.send(9, new XrootdRequest.Write(closed, 0, 3, 0)).send(new byte[3]);
                assertThat(fst.answer().errorCode()).isEqualTo(ErrorCode.FILE_NOT_OPEN);
            }
        }
    }

    @Test
    void noPathLeadsOutOfTheNamespace() throws IOException {
        try (RawConnection mgm = mgm().loggedIn()) {
            for (String path :
                    List.of("/..", "/../etc/passwd", "/a/../../etc", "/a/..", "..", "/./../x")) {
                assertThat(mgm.ask(new XrootdRequest.Stat(0, 0, path)).errorCode())
                        .as(path)
                        .isEqualTo(ErrorCode.ARG_INVALID);
            }
            // XRootD does not decode: these are names like any other, and nobody has made them.
            for (String path : List.of("/%2e%2e/etc", "/..%2f", "/\u2025", "/.. ")) {
                assertThat(mgm.ask(new XrootdRequest.Stat(0, 0, path)).errorCode())
                        .as(path)
                        .isEqualTo(ErrorCode.NOT_FOUND);
            }
        }
    }

    @Test
    void withoutMemoryNewWorkWaitsAndRunningWorkGoesOn() throws IOException {
        cluster.site.put("/a", new byte[100]);
        try (RawConnection mgm = mgm().loggedIn();
                RawConnection fst = fst().loggedIn()) {
            int handle = open(fst, "/a", OPEN_READ);
            cluster.admission().refuses = true;

            XrootdRequest open = new XrootdRequest.Open(0, OPEN_READ, 0, "/a");
            assertThat(mgm.ask(open).decoded())
                    .isEqualTo(new XrootdResponse.Wait(7, "no memory in this test"));
            assertThat(fst.ask(open).decoded()).isInstanceOf(XrootdResponse.Wait.class);
            assertThat(mgm.ask(new XrootdRequest.DirList(0, "/")).decoded())
                    .isInstanceOf(XrootdResponse.Wait.class);
            assertThat(mgm.ask(new XrootdRequest.Stat(0, 0, "/a")).status()).isZero();
            assertThat(fst.ask(new XrootdRequest.Read(handle, 0, 10, 0)).body()).hasSize(10);

            cluster.admission().isShort = true;
            assertThat(fst.ask(new XrootdRequest.Read(handle, 0, 10, 0)).decoded())
                    .isInstanceOf(XrootdResponse.Wait.class);

            cluster.admission().isShort = false;
            cluster.admission().refuses = false;
            assertThat(mgm.ask(open).decoded()).isInstanceOf(XrootdResponse.Redirect.class);
        }
    }

    @Test
    void withoutMemoryWritesAreToBeSentAgain() throws IOException {
        try (RawConnection fst = fst().loggedIn()) {
            int handle = open(fst, "/a", XrootdRequest.Open.NEW | XrootdRequest.Open.UPDATE);
            cluster.admission().refuses = true;
            cluster.admission().isShort = true;
            XrootdRequest write = new XrootdRequest.Write(handle, 0, 300_000, 0);
            fst.send(9, write).send(new byte[300_000]);
            assertThat(fst.answer().decoded()).isInstanceOf(XrootdResponse.Wait.class);

            cluster.admission().isShort = false;
            fst.send(9, write).send(new byte[300_000]);
            assertThat(fst.answer().status()).isZero();
            assertThat(fst.ask(new XrootdRequest.Close(handle)).status()).isZero();
        }
        assertThat(cluster.site.content("/a").orElseThrow()).hasSize(300_000);
    }

    @Test
    void aHalfClosedConnectionEnds() throws IOException {
        try (RawConnection mgm = mgm().loggedIn()) {
            mgm.send(9, new XrootdRequest.Ping()).endSending().drain();

            assertThat(mgm.isClosedByServer()).isTrue();
        }
    }

    /** Each recorded session, cut after every byte (and within file data after some). */
    @Test
    void sessionsMayBreakOffAnywhere() throws IOException {
        EventLoopGroup loops = EpollLoops.start(1, "hostile");
        var site = new StillSite(new FstAddress(1, "127.0.0.1", 1, 1), StillSite::atOnce);
        try (XrootdServer mgm =
                        still(loops, new XrootdRole.Manager(site, new FakeLogin(List.of("unix"))));
                XrootdServer fst =
                        still(loops, new XrootdRole.DataServer(site, site, Optional::empty))) {
            for (Corpus.Capture capture :
                    Corpus.of(HostileClientTest.class, ".client").captures()) {
                XrootdServer server = capture.name().contains("-mgm") ? mgm : fst;
                for (int end = 0; end < capture.bytes().length; end += end < 600 ? 1 : 997) {
                    try (var client = new RawConnection(server.port())) {
                        client.send(Arrays.copyOf(capture.bytes(), end)).endSending().drain();
                    }
                }
                try (var next = new RawConnection(server.port())) {
                    next.send(RawConnection.hello());
                    assertThat(next.answer().status()).as(capture.name()).isZero();
                }
            }
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
        assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory())
                .as("chunks of memory")
                .isLessThan(256L << 20);
    }

    private static XrootdServer still(EventLoopGroup loops, XrootdRole role) throws IOException {
        return XrootdServer.start(
                new XrootdServerConfig("127.0.0.1", 0, "localhost", "test"),
                loops,
                loops,
                role,
                Metrics.NONE,
                Audit.NONE,
                new SplittableRandom(1),
                Admission.ALWAYS);
    }
}
