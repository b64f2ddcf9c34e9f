package org.cepheus.protocol.xrootd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdRequest.ReadMany.Segment;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sessions with more than one stream: what comes and goes on which. */
final class SubstreamTest {
    private TestCluster cluster;
    private RawConnection first;
    private Bytes session;

    @BeforeEach
    void start() throws IOException {
        cluster = new TestCluster(new FakeLogin(List.of()));
        first = new RawConnection(cluster.fst.port());
        first.send(RawConnection.hello()).answer();
        session = Bytes.copyOf(first.ask(new XrootdRequest.Login(1, "me", 0, 0, 5, "")).body());
    }

    @AfterEach
    void stop() throws IOException {
        first.close();
        cluster.close();
    }

    private RawConnection stream(int pathId) throws IOException {
        var stream = new RawConnection(cluster.fst.port());
        stream.send(RawConnection.hello()).answer();
        stream.ask(new XrootdRequest.Protocol(0x511, 0, 1));
        RawConnection.Answer bound = stream.ask(new XrootdRequest.Bind(session));
        assertThat(bound.status()).isZero();
        assertThat(bound.body()).containsExactly(pathId);
        return stream;
    }

    private int open(String path, int options) throws IOException {
        String target;
        try (RawConnection mgm = new RawConnection(cluster.mgm.port()).loggedIn()) {
            var answer = mgm.ask(new XrootdRequest.Open(0644, options, 0, path)).decoded();
            target = path + "?" + ((XrootdResponse.Redirect) answer).opaque();
        }
        byte[] body = first.ask(new XrootdRequest.Open(0, options, 0, target)).body();
        return ResponseCodec.opened(Bytes.copyOf(body)).handle();
    }

    private int openNew(String path) throws IOException {
        return open(path, XrootdRequest.Open.NEW | XrootdRequest.Open.UPDATE);
    }

    private static byte[] random(int size) {
        var bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private static byte[] all(RawConnection from) throws IOException {
        var all = new ByteArrayOutputStream();
        RawConnection.Answer part;
        do {
            part = from.answer();
            all.writeBytes(part.body());
        } while (part.status() == XrootdResponse.OK_SO_FAR);
        assertThat(part.status()).isZero();
        return all.toByteArray();
    }

    @Test
    void answersLeaveOnTheStreamThatTheyWereAskedForOn() throws IOException {
        byte[] bytes = random(3_000_000);
        cluster.site.put("/a", bytes);
        int handle = open("/a", XrootdRequest.Open.FOR_READ);
        try (RawConnection one = stream(1);
                RawConnection two = stream(2)) {
            first.send(11, new XrootdRequest.Read(handle, 0, 2_000_000, 1));
            first.send(12, new XrootdRequest.Read(handle, 2_000_000, 1_000_000, 2));
            first.send(13, new XrootdRequest.Read(handle, 5, 10, 0));

            assertThat(all(two)).isEqualTo(Arrays.copyOfRange(bytes, 2_000_000, 3_000_000));
            assertThat(all(one)).isEqualTo(Arrays.copyOfRange(bytes, 0, 2_000_000));
            assertThat(all(first)).isEqualTo(Arrays.copyOfRange(bytes, 5, 15));

            first.send(14, new XrootdRequest.PageRead(handle, 0, 4096, 1, 0));
            RawConnection.Answer pages = one.answer();
            assertThat(pages.streamId()).isEqualTo(14);
            assertThat(Arrays.copyOfRange(pages.body(), 28, 28 + 4096))
                    .isEqualTo(Arrays.copyOf(bytes, 4096));

            first.send(15, new XrootdRequest.ReadMany(2, List.of(new Segment(handle, 100, 7))));
            assertThat(Arrays.copyOfRange(all(two), 16, 116))
                    .isEqualTo(Arrays.copyOfRange(bytes, 7, 107));
            assertThat(first.ask(new XrootdRequest.Ping()).status()).isZero();
        }
    }

    @Test
    void listsOfWhatWillBeReadNextAreHints() throws IOException {
        byte[] bytes = random(10_000);
        cluster.site.put("/a", bytes);
        int handle = open("/a", XrootdRequest.Open.FOR_READ);
        for (int length : List.of(100, 0)) {
            ByteBuf wire = Unpooled.buffer();
            wire.writeShort(9).writeShort(3013).writeInt(handle).writeLong(5).writeInt(length);
            wire.writeInt(8 + 2 * 16).writeZero(8);
            wire.writeInt(handle).writeInt(4096).writeLong(4096);
            wire.writeInt(handle).writeInt(Integer.MAX_VALUE).writeLong(Long.MAX_VALUE);
            first.send(ByteBufUtil.getBytes(wire));

            assertThat(all(first)).isEqualTo(Arrays.copyOfRange(bytes, 5, 5 + length));
        }
    }

    @Test
    void errorsLeaveOnTheStreamTooOrWhereThereIsNone() throws IOException {
        cluster.site.put("/a", random(100));
        int handle = open("/a", XrootdRequest.Open.FOR_READ);
        try (RawConnection one = stream(1)) {
            first.send(11, new XrootdRequest.ReadMany(1, List.of(new Segment(handle, 100, 7))));
            assertThat(one.answer().errorCode()).isEqualTo(ErrorCode.ARG_INVALID);

            assertThat(first.ask(new XrootdRequest.Read(handle, 0, 10, 9)).errorCode())
                    .isEqualTo(ErrorCode.ARG_INVALID);
            assertThat(first.ask(new XrootdRequest.Write(handle, 0, 10, 9)).errorCode())
                    .as("its data would come on a stream that is not there")
                    .isEqualTo(ErrorCode.ARG_INVALID);
            assertThat(first.ask(new XrootdRequest.Ping()).status()).isZero();
        }
    }

    @Test
    void dataOfWritesComesOnStreams() throws IOException {
        byte[] bytes = random(3_000_000);
        int handle = openNew("/a");
        try (RawConnection one = stream(1);
                RawConnection two = stream(2)) {
            first.send(11, new XrootdRequest.Write(handle, 0, 1_000_000, 1));
            first.send(12, new XrootdRequest.Write(handle, 1_000_000, 500_000, 2));
            first.send(13, new XrootdRequest.Write(handle, 1_500_000, 500_000, 1));
            first.send(14, new XrootdRequest.Write(handle, 2_000_000, 1_000_000, 0));
            two.send(Arrays.copyOfRange(bytes, 1_000_000, 1_500_000));
            first.send(Arrays.copyOfRange(bytes, 2_000_000, 3_000_000));
            one.send(Arrays.copyOfRange(bytes, 0, 1_000_000));
            one.send(Arrays.copyOfRange(bytes, 1_500_000, 2_000_000));

            assertThat(two.answer()).matches(a -> a.streamId() == 12 && a.status() == 0);
            assertThat(first.answer()).matches(a -> a.streamId() == 14 && a.status() == 0);
            assertThat(one.answer()).matches(a -> a.streamId() == 11 && a.status() == 0);
            assertThat(one.answer()).matches(a -> a.streamId() == 13 && a.status() == 0);
            assertThat(first.ask(new XrootdRequest.Close(handle)).status()).isZero();
        }
        assertThat(cluster.site.content("/a")).contains(bytes);
    }

    @Test
    void dataMayComeBeforeTheRequestThatItBelongsTo() throws Exception {
        byte[] bytes = random(300_000);
        int handle = openNew("/a");
        try (RawConnection one = stream(1)) {
            Thread early = Thread.ofVirtual().start(() -> sendAll(one, bytes));
            for (int i = 0; i < 3; i++) {
                assertThat(first.ask(new XrootdRequest.Ping()).status()).isZero();
            }
            for (int i = 0; i < 3; i++) {
                first.send(i, new XrootdRequest.Write(handle, 100_000L * i, 100_000, 1));
            }
            for (int i = 0; i < 3; i++) {
                int streamId = i;
                assertThat(one.answer()).matches(a -> a.streamId() == streamId && a.status() == 0);
            }
            early.join();
            assertThat(first.ask(new XrootdRequest.Close(handle)).status()).isZero();
        }
        assertThat(cluster.site.content("/a")).contains(bytes);
    }

    private static void sendAll(RawConnection to, byte[] bytes) {
        try {
            to.send(bytes);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void pagesComeOnStreamsAndAreChecked() throws IOException {
        byte[] page = random(4096);
        int handle = openNew("/a");
        try (RawConnection one = stream(1)) {
            for (int error = 1; error >= 0; error--) {
                var crc = new CRC32C();
                crc.update(page);
                first.send(9, new XrootdRequest.PageWrite(handle, 0, 4100, 1, 1 - error));
                ByteBuf unit = Unpooled.buffer().writeInt((int) crc.getValue() + error);
                one.send(ByteBufUtil.getBytes(unit.writeBytes(page)));
                assertThat(((XrootdResponse.PagesWritten) one.answer().decoded()).damaged())
                        .hasSize(error);
            }
            assertThat(first.ask(new XrootdRequest.Close(handle)).status()).isZero();
        }
        assertThat(cluster.site.content("/a")).contains(page);
    }

    @Test
    void dataForAClosedHandleIsSkippedOnItsStream() throws IOException {
        openNew("/a");
        try (RawConnection one = stream(1)) {
            first.send(11, new XrootdRequest.Write(77, 0, 1000, 1));
            one.send(new byte[1000]);

            assertThat(one.answer().errorCode()).isEqualTo(ErrorCode.FILE_NOT_OPEN);
        }
    }

    @Test
    void aStreamLostWithinDataEndsItsSession() throws Exception {
        int handle = openNew("/a");
        RawConnection one = stream(1);
        first.send(11, new XrootdRequest.Write(handle, 0, 1000, 1));
        one.send(new byte[500]).close();

        assertThat(first.isClosedByServer()).isTrue();
        MemorySite.MemoryFile upload = cluster.site.upload("/a").orElseThrow();
        await(() -> upload.detached.get() == 1);
        assertThat(cluster.site.content("/a")).isEmpty();
    }

    @Test
    void aStreamLostWithAnAnswerUnderWayEndsItsSession() throws Exception {
        cluster.site.put("/a", random(100));
        int handle = open("/a", XrootdRequest.Open.FOR_READ);
        RawConnection one = stream(1);
        var gate = new CompletableFuture<Void>();
        cluster.site.storage = () -> gate;
        first.send(11, new XrootdRequest.Read(handle, 0, 100, 1));
        assertThat(first.ask(new XrootdRequest.Ping()).status()).isZero();
        one.close();

        assertThat(first.isClosedByServer()).isTrue();
        gate.complete(null);
    }

    @Test
    void anIdleStreamGoesAndItsPathIdIsFreeAgain() throws Exception {
        stream(1).close();
        await(() -> {
            try {
                stream(1).close();
                return true;
            } catch (IOException | AssertionError e) {
                return false;
            }
        });
        assertThat(first.ask(new XrootdRequest.Ping()).status()).isZero();
    }

    @Test
    void theEndOfTheSessionEndsItsStreams() throws IOException {
        try (RawConnection one = stream(1)) {
            first.close();

            assertThat(one.isClosedByServer()).isTrue();
        }
    }

    @Test
    void aSessionHasALimitedNumberOfStreams() throws IOException {
        var streams = new ArrayList<RawConnection>();
        try {
            for (int i = 1; i <= Substreams.MAX_STREAMS; i++) {
                streams.add(stream(i));
            }
            var more = new RawConnection(cluster.fst.port());
            streams.add(more);
            more.send(RawConnection.hello()).answer();

            assertThat(more.ask(new XrootdRequest.Bind(session)).status())
                    .isEqualTo(XrootdResponse.WAIT);
        } finally {
            for (RawConnection each : streams) {
                each.close();
            }
        }
    }

    @Test
    void streamsAreBoundToSessionsThatAreThereOnly() throws IOException {
        try (var stranger = new RawConnection(cluster.fst.port());
                var mgm = new RawConnection(cluster.mgm.port());
                var main = new RawConnection(cluster.mgm.port())) {
            stranger.send(RawConnection.hello()).answer();
            Bytes none = Bytes.copyOf(new byte[16]);
            assertThat(stranger.ask(new XrootdRequest.Bind(none)).errorCode())
                    .isEqualTo(ErrorCode.NOT_FOUND);

            main.send(RawConnection.hello()).answer();
            byte[] id = main.ask(new XrootdRequest.Login(1, "me", 0, 0, 5, "")).body();
            mgm.send(RawConnection.hello()).answer();
            assertThat(mgm.ask(new XrootdRequest.Bind(Bytes.copyOf(id))).errorCode())
                    .isEqualTo(ErrorCode.UNSUPPORTED);
        }
    }

    @Test
    void writevFillsSeveralFilesAndSyncs() throws IOException {
        byte[] bytes = random(10_000);
        int a = openNew("/a");
        int b = openNew("/b");
        var segments =
                List.of(
                        new Segment(a, 4_000, 0),
                        new Segment(b, 3_000, 0),
                        new Segment(b, 0, 77),
                        new Segment(a, 3_000, 4_000));
        first.send(9, new XrootdRequest.WriteMany(1, segments));
        for (byte[] part : List.of(Arrays.copyOf(bytes, 1), Arrays.copyOfRange(bytes, 1, 10_000))) {
            first.send(part);
        }
        assertThat(first.answer())
                .matches(answer -> answer.streamId() == 9 && answer.status() == 0);
        assertThat(first.ask(new XrootdRequest.Close(a)).status()).isZero();
        assertThat(first.ask(new XrootdRequest.Close(b)).status()).isZero();

        assertThat(cluster.site.content("/b")).contains(Arrays.copyOfRange(bytes, 4_000, 7_000));
        ByteBuf whole =
                Unpooled.buffer().writeBytes(bytes, 0, 4_000).writeBytes(bytes, 7_000, 3_000);
        assertThat(cluster.site.content("/a")).contains(ByteBufUtil.getBytes(whole));
    }

    @Test
    void writevWithABadListOrHandleIsSkippedAndRefused() throws IOException {
        int handle = openNew("/a");
        first.send(
                9,
                new XrootdRequest.WriteMany(
                        0, List.of(new Segment(handle, 1000, 0), new Segment(99, 1000, 0))));
        first.send(new byte[2000]);
        assertThat(first.answer().errorCode()).isEqualTo(ErrorCode.FILE_NOT_OPEN);

        byte[] wire =
                RawConnection.bytes(
                        9, new XrootdRequest.WriteMany(0, List.of(new Segment(handle, 1000, 0))));
        Unpooled.wrappedBuffer(wire).setLong(24 + 8, -5);
        first.send(wire).send(new byte[1000]);
        assertThat(first.answer().errorCode()).isEqualTo(ErrorCode.ARG_INVALID);
        assertThat(first.ask(new XrootdRequest.Ping()).status()).isZero();
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
