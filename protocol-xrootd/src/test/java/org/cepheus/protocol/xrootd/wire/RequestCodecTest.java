package org.cepheus.protocol.xrootd.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.cepheus.domain.FsException;
import org.cepheus.domain.codec.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class RequestCodecTest {
    private static final List<Function<Random, XrootdRequest>> KINDS =
            List.of(
                    r -> new XrootdRequest.Auth("unix", bytes(r, r.nextInt(100))),
                    r -> new XrootdRequest.Query(r.nextInt(65_536), r.nextInt(), text(r)),
                    r -> new XrootdRequest.Chmod(r.nextInt(512), text(r)),
                    r -> new XrootdRequest.Close(r.nextInt()),
                    r -> new XrootdRequest.DirList(r.nextInt(256), text(r)),
                    r -> new XrootdRequest.Protocol(r.nextInt(), r.nextInt(256), r.nextInt(256)),
                    r ->
                            new XrootdRequest.Login(
                                    r.nextInt(),
                                    "user" + r.nextInt(1000),
                                    r.nextInt(256),
                                    r.nextInt(256),
                                    r.nextInt(256),
                                    text(r)),
                    r -> new XrootdRequest.MakeDirectory(r.nextInt(2), r.nextInt(512), text(r)),
                    r -> new XrootdRequest.Move("/" + text(r), "/" + text(r)),
                    r ->
                            new XrootdRequest.Open(
                                    r.nextInt(512), r.nextInt(65_536), r.nextInt(16), text(r)),
                    _ -> new XrootdRequest.Ping(),
                    r -> new XrootdRequest.Read(r.nextInt(), offset(r), length(r), r.nextInt(256)),
                    r -> new XrootdRequest.Remove(text(r)),
                    r -> new XrootdRequest.RemoveDirectory(text(r)),
                    r -> new XrootdRequest.Sync(r.nextInt()),
                    r -> new XrootdRequest.Stat(r.nextInt(256), r.nextInt(), text(r)),
                    r -> new XrootdRequest.SetInfo(r.nextInt(256), text(r)),
                    r -> new XrootdRequest.Write(r.nextInt(), offset(r), length(r), r.nextInt(256)),
                    r ->
                            new XrootdRequest.Prepare(
                                    r.nextInt(256),
                                    r.nextInt(4),
                                    r.nextInt(65_536),
                                    r.nextInt(2),
                                    text(r)),
                    r -> new XrootdRequest.StatMany(text(r)),
                    r -> new XrootdRequest.EndSession(bytes(r, 16)),
                    r -> new XrootdRequest.Bind(bytes(r, 16)),
                    RequestCodecTest::readMany,
                    r ->
                            new XrootdRequest.PageWrite(
                                    r.nextInt(),
                                    offset(r),
                                    length(r),
                                    r.nextInt(256),
                                    r.nextInt(2)),
                    r -> new XrootdRequest.Locate(r.nextInt(65_536), text(r)),
                    r -> new XrootdRequest.Truncate(r.nextInt(), offset(r), text(r)),
                    r ->
                            new XrootdRequest.PageRead(
                                    r.nextInt(),
                                    offset(r),
                                    length(r),
                                    r.nextInt(256),
                                    r.nextInt(2)),
                    RequestCodecTest::attributes,
                    r -> new XrootdRequest.WriteMany(r.nextInt(2), readMany(r).segments()),
                    r ->
                            new XrootdRequest.Signature(
                                    r.nextInt(65_536),
                                    r.nextInt(256),
                                    r.nextInt(256),
                                    r.nextLong(),
                                    r.nextInt(256),
                                    bytes(r, 32)),
                    _ -> new XrootdRequest.NotServed(3005, 0),
                    r -> new XrootdRequest.Unknown(4000 + r.nextInt(100)));

    private static XrootdRequest attributes(Random random) {
        int action = random.nextInt(4);
        int count = action == XrootdRequest.Attributes.LIST ? 0 : 1 + random.nextInt(16);
        boolean sets = action == XrootdRequest.Attributes.SET;
        return new XrootdRequest.Attributes(
                random.nextInt(),
                action,
                random.nextInt(256),
                text(random),
                IntStream.range(0, count).mapToObj(i -> i + text(random)).toList(),
                IntStream.range(0, sets ? count : 0)
                        .mapToObj(_ -> bytes(random, random.nextInt(100)))
                        .toList());
    }

    private static XrootdRequest.ReadMany readMany(Random random) {
        return new XrootdRequest.ReadMany(
                random.nextInt(256),
                IntStream.range(0, 1 + random.nextInt(20))
                        .mapToObj(_ ->
                                new XrootdRequest.ReadMany.Segment(
                                        random.nextInt(),
                                        random.nextInt(2_097_137),
                                        offset(random)))
                        .toList());
    }

    private static String text(Random random) {
        return IntStream.range(0, random.nextInt(40))
                .mapToObj(_ -> "abcZ09/._-?&=é漢".charAt(random.nextInt(15)))
                .reduce("", (all, next) -> all + next, String::concat);
    }

    private static Bytes bytes(Random random, int count) {
        var bytes = new byte[count];
        random.nextBytes(bytes);
        return Bytes.copyOf(bytes);
    }

    private static long offset(Random random) {
        return random.nextLong(1L << 60);
    }

    private static int length(Random random) {
        return random.nextInt(Integer.MAX_VALUE);
    }

    static LongStream seeds() {
        Long replay = Long.getLong("seed");
        return replay != null ? LongStream.of(replay) : LongStream.range(0, 1000);
    }

    private static ByteBuf encoded(int streamId, XrootdRequest request) {
        ByteBuf out = Unpooled.buffer();
        RequestCodec.encode(streamId, request, out);
        return out;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyRequestComesBackAsItWas(long seed) {
        var random = new Random(seed);
        for (Function<Random, XrootdRequest> kind : KINDS) {
            XrootdRequest request = kind.apply(random);
            int streamId = random.nextInt(65_536);

            ByteBuf wire = encoded(streamId, request);

            assertThat(RequestCodec.streamId(wire, 0)).isEqualTo(streamId);
            assertThat(RequestCodec.decode(wire, 0, wire.readableBytes())).isEqualTo(request);
        }
    }

    @Test
    void aFrameCutAnywhereIsRefused() {
        var random = new Random(1);
        for (Function<Random, XrootdRequest> kind : KINDS) {
            ByteBuf wire = encoded(1, kind.apply(random));
            for (int cut = 0; cut < wire.readableBytes(); cut++) {
                int length = cut;
                assertThatThrownBy(() -> RequestCodec.decode(wire.slice(0, length), 0, length))
                        .isInstanceOf(FsException.class);
                assertThatThrownBy(() ->
                                RequestCodec.decode(wire.slice(0, length), 0, wire.readableBytes()))
                        .isInstanceOf(FsException.class);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void randomBytesAreARequestOrAnErrorButNoAccident(long seed) {
        var random = new Random(seed);
        var bytes = new byte[24 + random.nextInt(64)];
        random.nextBytes(bytes);
        ByteBuf wire = Unpooled.wrappedBuffer(bytes);
        wire.setShort(2, 3000 + random.nextInt(34)).setInt(20, bytes.length - 24);

        try {
            assertThat(RequestCodec.decode(wire, 0, bytes.length)).isNotNull();
        } catch (FsException e) {
            assertThat(e.error().message()).isNotBlank();
        }
    }

    @Test
    void negativeRangesAreRefused() {
        ByteBuf read = encoded(1, new XrootdRequest.Read(1, 5, 10, 0));
        assertThatThrownBy(() -> RequestCodec.decode(read.copy().setLong(8, -1), 0, 24))
                .hasMessageContaining("offset -1");
        assertThatThrownBy(() -> RequestCodec.decode(read.copy().setInt(16, -7), 0, 24))
                .hasMessageContaining("length -7");
        assertThatThrownBy(() -> RequestCodec.decode(read.copy().setInt(20, -7), 0, 24))
                .hasMessageContaining("data length -7");
        assertThatThrownBy(() -> RequestCodec.decode(read.copy().setLong(8, Long.MAX_VALUE), 0, 24))
                .hasMessageContaining("out of range");
    }

    @Test
    void longSegmentsAreRefused() {
        ByteBuf wire =
                encoded(
                        1,
                        new XrootdRequest.ReadMany(
                                0, List.of(new XrootdRequest.ReadMany.Segment(1, 10, 0))));
        wire.setInt(24 + 4, XrootdRequest.ReadMany.MAX_SEGMENT_BYTES + 1);

        assertThatThrownBy(() -> RequestCodec.decode(wire, 0, wire.readableBytes()))
                .hasMessageContaining("limit is 2097136");
    }

    @Test
    void moveIsSplitAtTheFirstSpaceWhenNoLengthIsGiven() {
        ByteBuf wire = encoded(1, new XrootdRequest.Move("/a", "/b c"));
        wire.setShort(18, 0);

        assertThat(RequestCodec.decode(wire, 0, wire.readableBytes()))
                .isEqualTo(new XrootdRequest.Move("/a", "/b c"));
    }

    static Stream<String> golden() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(
                        RequestCodecTest.class.getResourceAsStream("/golden/requests-5.5.3.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines().filter(line -> !line.startsWith("#")).toList().stream();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("golden")
    void realClientsAreUnderstood(String line) {
        int space = line.indexOf(' ');
        ByteBuf wire = Unpooled.wrappedBuffer(HexFormat.of().parseHex(line.substring(0, space)));

        XrootdRequest request = RequestCodec.decode(wire, 0, wire.readableBytes());

        assertThat(request).hasToString(line.substring(space + 1));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("golden")
    void weWriteWhatRealClientsWrite(String line) {
        String hex = line.substring(0, line.indexOf(' '));
        ByteBuf wire = Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex));
        XrootdRequest request = RequestCodec.decode(wire, 0, wire.readableBytes());
        if (request instanceof XrootdRequest.Query
                || request instanceof XrootdRequest.Read
                || request instanceof XrootdRequest.NotServed) {
            return; // A NUL after the argument or an empty read-ahead list, which we leave out.
        }

        ByteBuf ours = encoded(RequestCodec.streamId(wire, 0), request);
        int pad = request instanceof XrootdRequest.Login ? 24 - 5 : -1;
        if (pad >= 0) {
            wire.setByte(pad, 0); // A reserved byte that clients fill with something.
        }

        assertThat(ByteBufUtil.hexDump(ours)).isEqualTo(ByteBufUtil.hexDump(wire));
    }
}
