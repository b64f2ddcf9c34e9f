package org.cepheus.protocol.xrootd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdRequest.ReadMany;
import org.cepheus.protocol.xrootd.wire.XrootdRequest.ReadMany.Segment;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How often a readv asks the storage: neighbours in a file are read in one call. */
final class VectorReadTest {
    private static final int CHUNK = 4096;
    private static final byte[] CONTENT = random(3_000_000);

    private final AtomicInteger reads = new AtomicInteger();
    private TestCluster cluster;
    private RawConnection fst;
    private int handle;

    @BeforeEach
    void start() throws IOException {
        cluster = new TestCluster(new FakeLogin(List.of()));
        cluster.site.put("/a", CONTENT);
        fst = new RawConnection(cluster.fst.port()).loggedIn();
        handle = open();
        cluster.site.storage =
                () -> {
                    reads.incrementAndGet();
                    return CompletableFuture.completedFuture(null);
                };
    }

    @AfterEach
    void stop() throws IOException {
        fst.close();
        cluster.close();
    }

    private static byte[] random(int size) {
        var bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private int open() throws IOException {
        int options = XrootdRequest.Open.FOR_READ;
        try (RawConnection mgm = new RawConnection(cluster.mgm.port()).loggedIn()) {
            XrootdResponse granted =
                    mgm.ask(new XrootdRequest.Open(0644, options, 0, "/a")).decoded();
            String target = "/a?" + ((XrootdResponse.Redirect) granted).opaque();
            XrootdResponse opened = fst.ask(new XrootdRequest.Open(0, 0, 0, target)).decoded();
            return ResponseCodec.opened(((XrootdResponse.Ok) opened).body()).handle();
        }
    }

    private List<Segment> chunks(int count) {
        var chunks = new ArrayList<Segment>();
        for (int i = 0; i < count; i++) {
            chunks.add(new Segment(handle, CHUNK, 777 + (long) CHUNK * i));
        }
        return chunks;
    }

    /** The answer has each segment with its header and bytes, in the order of the request. */
    private void assertAnswered(List<Segment> segments) throws IOException {
        fst.send(9, new ReadMany(0, segments));
        var all = new ByteArrayOutputStream();
        RawConnection.Answer part;
        do {
            part = fst.answer();
            assertThat(part.body()).hasSizeLessThanOrEqualTo(ReadPump.PIECE_BYTES);
            all.writeBytes(part.body());
        } while (part.status() == XrootdResponse.OK_SO_FAR);
        assertThat(part.status()).isEqualTo(XrootdResponse.OK);

        ByteBuf in = Unpooled.wrappedBuffer(all.toByteArray());
        for (Segment segment : segments) {
            assertThat(in.readInt()).isEqualTo(segment.handle());
            assertThat(in.readInt()).isEqualTo(segment.length());
            assertThat(in.readLong()).isEqualTo(segment.offset());
            ByteBuf wanted =
                    Unpooled.wrappedBuffer(CONTENT, (int) segment.offset(), segment.length());
            assertThat(in.readSlice(segment.length())).isEqualTo(wanted);
        }
        assertThat(in.isReadable()).isFalse();
    }

    @Test
    void neighboursAreReadInOneCallForEachPiece() throws IOException {
        assertAnswered(chunks(512));

        assertThat(reads).hasValue(5); // 127 chunks of 4 KiB with their headers fill a piece.
    }

    @Test
    void neighboursInAnyOrderAreReadInOneCall() throws IOException {
        List<Segment> shuffled = chunks(100);
        Collections.shuffle(shuffled, new Random(1));

        assertAnswered(shuffled);

        assertThat(reads).hasValue(1);
    }

    @Test
    void gapsAndOverlapsAndOtherHandlesAreReadApart() throws IOException {
        int other = open();
        assertAnswered(
                List.of(
                        new Segment(handle, 100, 0),
                        new Segment(handle, 100, 101), // A byte is missing between them.
                        new Segment(handle, 100, 150), // Overlaps the one before.
                        new Segment(handle, 100, 150), // The same again.
                        new Segment(other, 100, 250), // Would follow in the same file.
                        new Segment(handle, 0, 5),
                        new Segment(handle, 100, 250)));

        assertThat(reads).hasValue(5);
    }

    @Test
    void aNeighbourBeyondTheEndFailsTheRequest() throws IOException {
        RawConnection.Answer answer =
                fst.ask(
                        new ReadMany(
                                0,
                                List.of(
                                        new Segment(handle, 10, 2_999_990),
                                        new Segment(handle, 10, 3_000_000),
                                        new Segment(handle, 10, 2_999_980))));

        assertThat(answer.errorCode()).isEqualTo(ErrorCode.ARG_INVALID);
        assertThat(((XrootdResponse.Failed) answer.decoded()).text())
                .contains(
                        "readv of 10 bytes at 3000000 goes beyond the end of the file at 3000000");
    }
}
