package org.cepheus.protocol.xrootd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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

/** What the servers answer to bytes that well-behaved clients may or may not send. */
final class ServerBehaviourTest {
    private TestCluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new TestCluster(new FakeLogin(List.of()));
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

    /** Opens at the manager and returns the target with its ticket. */
    private String grant(String path, int options) throws IOException {
        try (RawConnection mgm = mgm().loggedIn()) {
            XrootdResponse answer =
                    mgm.ask(new XrootdRequest.Open(0644, options, 0, path)).decoded();
            assertThat(answer).isInstanceOf(XrootdResponse.Redirect.class);
            return path + "?" + ((XrootdResponse.Redirect) answer).opaque();
        }
    }

    private static int open(RawConnection fst, String target) throws IOException {
        XrootdResponse answer = fst.ask(new XrootdRequest.Open(0, 0, 0, target)).decoded();
        assertThat(answer).isInstanceOf(XrootdResponse.Ok.class);
        return ResponseCodec.opened(((XrootdResponse.Ok) answer).body()).handle();
    }

    private String uploadTarget(String path) throws IOException {
        return grant(path, XrootdRequest.Open.NEW | XrootdRequest.Open.UPDATE);
    }

    private static byte[] random(int size) {
        var bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    @Test
    void handshakeProtocolAndLoginMayComeInOnePiece() throws IOException {
        try (RawConnection mgm = mgm()) {
            var all = new ByteArrayOutputStream();
            all.writeBytes(RawConnection.hello());
            all.writeBytes(RawConnection.bytes(3, new XrootdRequest.Protocol(0x511, 0, 3)));
            all.writeBytes(RawConnection.bytes(4, new XrootdRequest.Login(1, "me", 0, 0, 5, "")));
            mgm.send(all.toByteArray());

            assertThat(mgm.answer().body()).isEqualTo(new byte[] {0, 0, 5, 0x11, 0, 0, 0, 0});
            assertThat(mgm.answer().body()).isEqualTo(new byte[] {0, 0, 5, 0x11, 0, 0, 0, 2});
            assertThat(mgm.answer()).matches(a -> a.streamId() == 4 && a.body().length == 16);
        }
    }

    @Test
    void requestsMayComeByteByByte() throws IOException {
        try (RawConnection mgm = mgm()) {
            for (byte each : RawConnection.hello()) {
                mgm.send(new byte[] {each});
            }
            mgm.answer();
            mgm.send(1, new XrootdRequest.Login(1, "me", 0, 0, 5, "")).answer();
            for (byte each : RawConnection.bytes(7, new XrootdRequest.Stat(0, 0, "/"))) {
                mgm.send(new byte[] {each});
            }

            assertThat(mgm.answer()).matches(a -> a.streamId() == 7 && a.status() == 0);
        }
    }

    @Test
    void dataServerSaysWhatItIs() throws IOException {
        try (RawConnection fst = fst()) {
            assertThat(fst.send(RawConnection.hello()).answer().body()).endsWith(0, 0, 0, 1);
            assertThat(fst.ask(new XrootdRequest.Protocol(0x511, 0, 3)).body())
                    .endsWith(0, 0x20, 0, 1);
        }
    }

    @Test
    void anotherProtocolIsClosed() throws IOException {
        try (RawConnection mgm = mgm()) {
            mgm.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(mgm.isClosedByServer()).isTrue();
        }
    }

    @Test
    void earlyRequestsAreRefusedAndTheLoginStillWorks() throws IOException {
        try (RawConnection mgm = mgm()) {
            mgm.send(RawConnection.hello()).answer();

            assertThat(mgm.ask(new XrootdRequest.Stat(0, 0, "/")).errorCode())
                    .isEqualTo(ErrorCode.INVALID_REQUEST);
            assertThat(mgm.ask(new XrootdRequest.Ping()).errorCode())
                    .isEqualTo(ErrorCode.INVALID_REQUEST);
            mgm.send(9, new XrootdRequest.Write(0, 0, 5, 0)).send(new byte[5]);
            assertThat(mgm.answer().errorCode()).isEqualTo(ErrorCode.INVALID_REQUEST);
            assertThat(mgm.ask(new XrootdRequest.Login(1, "me", 0, 0, 5, "")).status()).isZero();
            assertThat(mgm.ask(new XrootdRequest.Stat(0, 0, "/")).status()).isZero();
        }
    }

    @Test
    void authenticationIsNeededWhereItIsOffered() throws IOException {
        try (var guarded = new TestCluster();
                RawConnection mgm = new RawConnection(guarded.mgm.port()).loggedIn()) {
            assertThat(mgm.ask(new XrootdRequest.Stat(0, 0, "/")).errorCode())
                    .isEqualTo(ErrorCode.INVALID_REQUEST);
            assertThat(mgm.ask(auth("ztn", "token")).errorCode()).isEqualTo(ErrorCode.AUTH_FAILED);
            assertThat(mgm.ask(auth("unix", "unix\0mallory x")).errorCode())
                    .isEqualTo(ErrorCode.NOT_AUTHORIZED);
            assertThat(mgm.ask(auth("unix", "unix\0ann users\0")).status()).isZero();
            assertThat(mgm.ask(new XrootdRequest.Stat(0, 0, "/")).status()).isZero();
            assertThat(guarded.site.lastCaller.identity().user()).isEqualTo("ann");
            assertThat(guarded.site.lastCaller.identity().primaryGroup()).isEqualTo("users");
        }
    }

    private static XrootdRequest auth(String type, String credential) {
        return new XrootdRequest.Auth(
                type, Bytes.copyOf(credential.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void unknownAndUnservedRequestsAreRefusedAndTheConnectionLivesOn() throws IOException {
        try (RawConnection mgm = mgm().loggedIn()) {
            assertThat(mgm.ask(new XrootdRequest.Unknown(4711)).errorCode())
                    .isEqualTo(ErrorCode.INVALID_REQUEST);
            for (int id : List.of(3005, 3012, 3032)) {
                assertThat(mgm.ask(new XrootdRequest.NotServed(id, 0)).errorCode())
                        .isEqualTo(ErrorCode.UNSUPPORTED);
            }
            assertThat(mgm.ask(new XrootdRequest.Ping()).status()).isZero();
        }
    }

    @Test
    void dataOfARefusedCheckpointIsSkipped() throws IOException {
        try (RawConnection fst = fst().loggedIn()) {
            ByteBuf wire = Unpooled.buffer().writeShort(9).writeShort(3012).writeZero(15);
            wire.writeByte(4).writeInt(24);
            wire.writeBytes(RawConnection.bytes(9, new XrootdRequest.Write(0, 0, 1000, 0)));
            fst.send(ByteBufUtil.getBytes(wire.writeZero(1000)));

            assertThat(fst.answer().errorCode()).isEqualTo(ErrorCode.UNSUPPORTED);
            assertThat(fst.ask(new XrootdRequest.Ping()).status()).isZero();
        }
    }

    @Test
    void tooLongArgumentsAreSkippedAndRefused() throws IOException {
        try (RawConnection mgm = mgm().loggedIn()) {
            byte[] wire =
                    RawConnection.bytes(9, new XrootdRequest.Remove("/" + "x".repeat(100_000)));
            mgm.send(wire);

            assertThat(mgm.answer().errorCode()).isEqualTo(ErrorCode.ARG_TOO_LONG);
            assertThat(mgm.ask(new XrootdRequest.Ping()).status()).isZero();
        }
    }

    @Test
    void absurdLengthsEndTheConnection() throws IOException {
        for (int length : List.of(-1, Integer.MIN_VALUE, Integer.MAX_VALUE)) {
            try (RawConnection mgm = mgm().loggedIn()) {
                byte[] wire = RawConnection.bytes(9, new XrootdRequest.Remove(""));
                Unpooled.wrappedBuffer(wire).setInt(20, length);
                mgm.send(wire);

                assertThat(mgm.isClosedByServer()).isTrue();
            }
        }
    }

    @Test
    void handlesOfOthersAreNotOpenHere() throws IOException {
        String target = uploadTarget("/a");
        try (RawConnection owner = fst().loggedIn();
                RawConnection other = fst().loggedIn()) {
            int handle = open(owner, target);

            assertThat(other.ask(new XrootdRequest.Read(handle, 0, 10, 0)).errorCode())
                    .isEqualTo(ErrorCode.FILE_NOT_OPEN);
            assertThat(other.ask(new XrootdRequest.Close(handle)).errorCode())
                    .isEqualTo(ErrorCode.FILE_NOT_OPEN);
            other.send(9, new XrootdRequest.Write(handle, 0, 100, 0)).send(new byte[100]);
            assertThat(other.answer().errorCode()).isEqualTo(ErrorCode.FILE_NOT_OPEN);
            assertThat(owner.ask(new XrootdRequest.Stat(0, handle, "")).status()).isZero();
        }
    }

    @Test
    void oneUploadOpenedTwiceInOneSessionIsWrittenThroughBothHandles() throws IOException {
        String target = uploadTarget("/a");
        try (RawConnection fst = fst().loggedIn()) {
            int first = open(fst, target);
            int second = open(fst, target);

            fst.send(8, new XrootdRequest.Write(first, 0, 4, 0)).send(new byte[] {1, 2, 3, 4});
            assertThat(fst.answer().status()).isZero();
            fst.send(9, new XrootdRequest.Write(second, 4, 2, 0)).send(new byte[] {5, 6});
            assertThat(fst.answer().status()).isZero();
            assertThat(fst.ask(new XrootdRequest.Close(second)).status()).isZero();

            assertThat(first).isNotEqualTo(second);
            assertThat(cluster.site.content("/a")).contains(new byte[] {1, 2, 3, 4, 5, 6});
        }
    }

    @Test
    void aWriterThatPausesHoldsNoMemoryOfTheServer() throws IOException {
        String target = uploadTarget("/a");
        try (RawConnection fst = fst().loggedIn()) {
            int handle = open(fst, target);
            long before = PooledByteBufAllocator.DEFAULT.pinnedDirectMemory();
            var gate = new CompletableFuture<Void>();
            cluster.site.storage = () -> gate;

            fst.send(8, new XrootdRequest.Write(handle, 0, 800_000, 0)).send(new byte[800_000]);
            await(() -> PooledByteBufAllocator.DEFAULT.pinnedDirectMemory() >= before + 800_000);
            gate.complete(null);
            assertThat(fst.answer().status()).isZero();

            await(() -> PooledByteBufAllocator.DEFAULT.pinnedDirectMemory() <= before);
        }
    }

    @Test
    void readersMayNotWrite() throws IOException {
        cluster.site.put("/a", random(10));
        try (RawConnection fst = fst().loggedIn()) {
            int handle = open(fst, grant("/a", XrootdRequest.Open.FOR_READ));

            fst.send(9, new XrootdRequest.Write(handle, 0, 4, 0)).send(new byte[4]);

            assertThat(fst.answer().errorCode()).isEqualTo(ErrorCode.NOT_AUTHORIZED);
        }
    }

    @Test
    void dataServerSendsNamesToTheManager() throws IOException {
        List<XrootdRequest> names =
                List.of(
                        new XrootdRequest.Stat(0, 0, "/a"),
                        new XrootdRequest.Remove("/a"),
                        new XrootdRequest.RemoveDirectory("/a"),
                        new XrootdRequest.MakeDirectory(0, 0755, "/a"),
                        new XrootdRequest.Move("/a", "/b"),
                        new XrootdRequest.DirList(0, "/"),
                        new XrootdRequest.Locate(0, "*"),
                        new XrootdRequest.Chmod(0644, "/a"),
                        new XrootdRequest.Query(XrootdRequest.Query.CHECKSUM, 0, "/a"),
                        new XrootdRequest.Query(XrootdRequest.Query.SPACE, 0, "/"),
                        new XrootdRequest.Open(0, XrootdRequest.Open.FOR_READ, 0, "/a"),
                        new XrootdRequest.Open(0, 0, 0, "/a?cph.tkt=1.expired"));
        try (RawConnection fst = fst().loggedIn()) {
            for (XrootdRequest request : names) {
                assertThat(fst.ask(request).decoded())
                        .as(request.toString())
                        .isEqualTo(
                                new XrootdResponse.Redirect(cluster.mgm.port(), "127.0.0.1", ""));
            }
            assertThat(fst.ask(new XrootdRequest.Query(7, 0, "role\ntpc\nchksum")).body())
                    .asString(StandardCharsets.UTF_8)
                    .startsWith("server\ntpc\n0:adler32,1:crc32c\n");
        }
    }

    @Test
    void forgedTicketIsFinal() throws IOException {
        try (RawConnection fst = fst().loggedIn()) {
            assertThat(fst.ask(new XrootdRequest.Open(0, 0, 0, "/a?cph.tkt=1.forged")).errorCode())
                    .isEqualTo(ErrorCode.NOT_AUTHORIZED);
        }
    }

    @Test
    void aTicketOpensTheFileItWasMadeForAndNoOther() throws IOException {
        cluster.site.put("/a", new byte[10]);
        cluster.site.put("/b", new byte[20]);
        String reading = grant("/a", 0x10).replace("/a?", "/b?");
        String writing = uploadTarget("/c").replace("/c?", "/b?");
        try (RawConnection fst = fst().loggedIn()) {
            for (String target : List.of(reading, writing)) {
                assertThat(fst.ask(new XrootdRequest.Open(0, 0, 0, target)).errorCode())
                        .isEqualTo(ErrorCode.NOT_AUTHORIZED);
                assertThat(fst.ask(new XrootdRequest.Truncate(0, 0, target)).errorCode())
                        .isEqualTo(ErrorCode.NOT_AUTHORIZED);
            }
            open(fst, writing.replace("/b?", "//c?"));
        }
        assertThat(cluster.site.content("/b").orElseThrow()).hasSize(20);
    }

    @Test
    void closeWithADamagedPageFailsAndAfterCorrectionSucceeds() throws IOException {
        byte[] page = random(4096);
        String target = uploadTarget("/a");
        try (RawConnection fst = fst().loggedIn()) {
            int handle = open(fst, target);
            sendPage(fst, handle, page, 1, 0);
            assertThat(fst.answer().decoded())
                    .isEqualTo(
                            new XrootdResponse.PagesWritten(
                                    0, List.of(new XrootdResponse.PagesWritten.Damaged(0, 4096))));

            assertThat(fst.ask(new XrootdRequest.Close(handle)).errorCode())
                    .isEqualTo(ErrorCode.CHECKSUM_ERROR);
            int again = open(fst, target);
            sendPage(fst, again, page, 1, 0);
            fst.answer();
            sendPage(fst, again, page, 0, 1);
            assertThat(fst.answer().decoded())
                    .isEqualTo(new XrootdResponse.PagesWritten(0, List.of()));
            assertThat(fst.ask(new XrootdRequest.Close(again)).status()).isZero();
        }
        assertThat(cluster.site.content("/a")).contains(page);
    }

    private static void sendPage(RawConnection fst, int handle, byte[] page, int error, int flags)
            throws IOException {
        var crc = new CRC32C();
        crc.update(page);
        fst.send(9, new XrootdRequest.PageWrite(handle, 0, 4 + page.length, 0, flags));
        fst.send(
                ByteBufUtil.getBytes(
                        Unpooled.buffer().writeInt((int) crc.getValue() + error).writeBytes(page)));
    }

    @Test
    void pagesThatDoNotAddUpAreSkippedAndRefused() throws IOException {
        String target = uploadTarget("/a");
        try (RawConnection fst = fst().loggedIn()) {
            int handle = open(fst, target);
            fst.send(9, new XrootdRequest.PageWrite(handle, 0, 4103, 0, 0)).send(new byte[4103]);
            assertThat(fst.answer().errorCode()).isEqualTo(ErrorCode.ARG_INVALID);
            fst.send(9, new XrootdRequest.PageWrite(handle, 0, 4200, 0, 1)).send(new byte[4200]);
            assertThat(fst.answer().errorCode()).isEqualTo(ErrorCode.ARG_INVALID);
            assertThat(fst.ask(new XrootdRequest.Ping()).status()).isZero();
        }
    }

    @Test
    void closeWaitsForTheWritesBeforeIt() throws IOException {
        String target = uploadTarget("/a");
        var gate = new CompletableFuture<Void>();
        try (RawConnection fst = fst().loggedIn()) {
            int handle = open(fst, target);
            cluster.site.storage = () -> gate;
            fst.send(5, new XrootdRequest.Write(handle, 0, 100, 0)).send(random(100));
            fst.send(6, new XrootdRequest.Close(handle));
            assertThat(fst.ask(new XrootdRequest.Ping()).status()).isZero();
            assertThat(fst.ask(new XrootdRequest.Stat(0, handle, "")).errorCode())
                    .as("nothing new begins on a handle being closed")
                    .isEqualTo(ErrorCode.FILE_NOT_OPEN);

            gate.complete(null);

            assertThat(fst.answer()).matches(a -> a.streamId() == 5 && a.status() == 0);
            assertThat(fst.answer()).matches(a -> a.streamId() == 6 && a.status() == 0);
        }
        assertThat(cluster.site.content("/a")).contains(random(100));
    }

    @Test
    void readvAnswersEachSegmentWithItsHeader() throws IOException {
        byte[] bytes = random(3_000_000);
        cluster.site.put("/a", bytes);
        try (RawConnection fst = fst().loggedIn()) {
            int handle = open(fst, grant("/a", XrootdRequest.Open.FOR_READ));
            var segments = new ArrayList<Segment>();
            for (int i = 0; i < 40; i++) {
                segments.add(new Segment(handle, 20_000 + i, 70_000L * i));
            }
            segments.add(new Segment(handle, 1_500_000, 1_000_000));
            fst.send(9, new XrootdRequest.ReadMany(0, segments));

            var all = new ByteArrayOutputStream();
            RawConnection.Answer part;
            do {
                part = fst.answer();
                all.writeBytes(part.body());
            } while (part.status() == XrootdResponse.OK_SO_FAR);

            ByteBuf in = Unpooled.wrappedBuffer(all.toByteArray());
            for (Segment segment : segments) {
                assertThat(in.readInt()).isEqualTo(segment.handle());
                assertThat(in.readInt()).isEqualTo(segment.length());
                assertThat(in.readLong()).isEqualTo(segment.offset());
                ByteBuf wanted =
                        Unpooled.wrappedBuffer(bytes, (int) segment.offset(), segment.length());
                assertThat(in.readSlice(segment.length())).isEqualTo(wanted);
            }
            assertThat(in.isReadable()).isFalse();
            assertThat(
                            fst.ask(
                                            new XrootdRequest.ReadMany(
                                                    0, List.of(new Segment(handle, 10, 2_999_995))))
                                    .errorCode())
                    .isEqualTo(ErrorCode.ARG_INVALID);
        }
    }

    @Test
    void readsBeyondTheEndAreShort() throws IOException {
        cluster.site.put("/a", random(5000));
        try (RawConnection fst = fst().loggedIn()) {
            int handle = open(fst, grant("/a", XrootdRequest.Open.FOR_READ));

            assertThat(fst.ask(new XrootdRequest.Read(handle, 4000, 2_000_000_000, 0)).body())
                    .hasSize(1000);
            assertThat(fst.ask(new XrootdRequest.Read(handle, 6000, 10, 0)).body()).isEmpty();
            assertThat(fst.ask(new XrootdRequest.PageRead(handle, 9000, 10, 0, 0)).decoded())
                    .isEqualTo(new XrootdResponse.Pages(9000, 0, true));
        }
    }

    @Test
    void lostConnectionHoldsUploadsAndEndsReaders() throws Exception {
        String target = uploadTarget("/a");
        try (RawConnection fst = fst().loggedIn()) {
            open(fst, target);
        }

        MemorySite.MemoryFile upload = cluster.site.upload("/a").orElseThrow();
        await(() -> upload.detached.get() == 1);
        assertThat(cluster.site.content("/a")).isEmpty();
    }

    @Test
    void anotherConnectionMayEndALostSession() throws IOException {
        String target = uploadTarget("/a");
        try (RawConnection lost = fst();
                RawConnection next = fst().loggedIn()) {
            lost.send(RawConnection.hello()).answer();
            byte[] session = lost.ask(new XrootdRequest.Login(1, "me", 0, 0, 5, "")).body();
            open(lost, target);

            assertThat(next.ask(new XrootdRequest.EndSession(Bytes.copyOf(session))).status())
                    .isZero();

            assertThat(cluster.site.upload("/a").orElseThrow().detached).hasValue(1);
            assertThat(lost.isClosedByServer()).isTrue();
        }
    }

    @Test
    void tooManyOpenFilesMakeTheClientWait() throws IOException {
        cluster.site.put("/a", random(10));
        String target = grant("/a", XrootdRequest.Open.FOR_READ);
        try (RawConnection fst = fst().loggedIn()) {
            for (int i = 0; i < HandleTable.MAX_OPEN_FILES; i++) {
                assertThat(open(fst, target)).isEqualTo(i);
            }
            assertThat(fst.ask(new XrootdRequest.Open(0, 0, 0, target)).status())
                    .isEqualTo(XrootdResponse.WAIT);
            fst.ask(new XrootdRequest.Close(17));

            assertThat(open(fst, target)).isEqualTo(17);
        }
    }

    @Test
    void slowStorageStopsTheReceiving() throws Exception {
        String target = uploadTarget("/a");
        var gate = new CompletableFuture<Void>();
        int length = 64 * 1024 * 1024;
        try (RawConnection fst = fst().loggedIn()) {
            int handle = open(fst, target);
            cluster.site.storage = () -> gate;
            fst.send(5, new XrootdRequest.Write(handle, 0, length, 0));
            Thread sender =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    fst.send(new byte[length]);
                                } catch (IOException e) {
                                    throw new java.io.UncheckedIOException(e);
                                }
                            });
            sender.join(1000);
            assertThat(sender.isAlive()).as("the socket's buffers are full").isTrue();

            gate.complete(null);

            assertThat(fst.answer()).matches(a -> a.streamId() == 5 && a.status() == 0);
            sender.join();
        }
    }

    @Test
    void manyPipelinedRequestsAreAllAnswered() throws IOException {
        try (RawConnection mgm = mgm().loggedIn()) {
            var all = new ByteArrayOutputStream();
            for (int i = 0; i < 5000; i++) {
                all.writeBytes(RawConnection.bytes(i, new XrootdRequest.Stat(0, 0, "/")));
            }
            mgm.send(all.toByteArray());
            for (int i = 0; i < 5000; i++) {
                assertThat(mgm.answer().streamId()).isEqualTo(i);
            }
        }
    }

    @Test
    void statxTellsDirectories() throws IOException {
        cluster.site.put("/a", random(10));
        try (RawConnection mgm = mgm().loggedIn()) {
            assertThat(mgm.ask(new XrootdRequest.StatMany("/a\n/")).body())
                    .isEqualTo(new byte[] {0, 2});
            assertThat(mgm.ask(new XrootdRequest.StatMany("/a\n/none")).errorCode())
                    .isEqualTo(ErrorCode.NOT_FOUND);
            assertThat(mgm.ask(new XrootdRequest.StatMany("/\n".repeat(600))).errorCode())
                    .isEqualTo(ErrorCode.ARG_TOO_LONG);
        }
    }

    @Test
    void serverSideCopyIsRefusedInTheWayThatLetsClientsFallBack() throws IOException {
        try (RawConnection mgm = mgm().loggedIn()) {
            XrootdResponse answer =
                    mgm.ask(new XrootdRequest.Open(0644, 0x22, 0, "/b?tpc.stage=copy&tpc.key=1"))
                            .decoded();

            assertThat(answer)
                    .isInstanceOfSatisfying(
                            XrootdResponse.Failed.class,
                            failed -> {
                                assertThat(failed.code()).isEqualTo(ErrorCode.FS_ERROR);
                                assertThat(failed.text()).contains("tpc not supported");
                            });
            assertThat(cluster.site.opens).isEmpty();
        }
    }

    @Test
    void badDeclaredSizesAndPathsAreRefused() throws IOException {
        try (RawConnection mgm = mgm().loggedIn()) {
            assertThat(
                            mgm.ask(new XrootdRequest.Open(0644, 0x22, 0, "/b?oss.asize=-5"))
                                    .errorCode())
                    .isEqualTo(ErrorCode.ARG_INVALID);
            assertThat(mgm.ask(new XrootdRequest.Stat(0, 0, "/a/../b")).errorCode())
                    .isEqualTo(ErrorCode.ARG_INVALID);
            assertThat(mgm.ask(new XrootdRequest.MakeDirectory(0, 0755, "/a\nb")).errorCode())
                    .isEqualTo(ErrorCode.ARG_INVALID);
            assertThat(mgm.ask(new XrootdRequest.Stat(0, 0, "//")).status()).isZero();
        }
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
