package org.cepheus.protocol.xrootd.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.cepheus.domain.FsException;
import org.cepheus.domain.codec.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ResponseCodecTest {
    private static final List<Function<Random, XrootdResponse>> KINDS =
            List.of(
                    r -> new XrootdResponse.Ok(bytes(r)),
                    r -> new XrootdResponse.OkSoFar(bytes(r)),
                    r -> new XrootdResponse.AuthMore(bytes(r)),
                    r -> new XrootdResponse.Failed(3000 + r.nextInt(40), "what " + r.nextInt()),
                    r -> new XrootdResponse.Redirect(1 + r.nextInt(65_535), "host", "a=b&c"),
                    r -> new XrootdResponse.Redirect(-r.nextInt(8) - 1, "root://host:1094/", ""),
                    r -> new XrootdResponse.Wait(r.nextInt(100), "busy"),
                    r -> new XrootdResponse.WaitForResponse(r.nextInt(100)),
                    r ->
                            new XrootdResponse.Late(
                                    r.nextInt(65_536), new XrootdResponse.Ok(bytes(r))),
                    r -> new XrootdResponse.Attention(5002),
                    ResponseCodecTest::pagesWritten,
                    r ->
                            new XrootdResponse.Pages(
                                    r.nextLong(1L << 60), r.nextInt(1 << 24), r.nextBoolean()));

    private static XrootdResponse pagesWritten(Random random) {
        int count = random.nextInt(5);
        return new XrootdResponse.PagesWritten(
                4096,
                IntStream.range(0, count)
                        .mapToObj(i ->
                                new XrootdResponse.PagesWritten.Damaged(
                                        4096L * i,
                                        i == 0 || i == count - 1 ? 1 + random.nextInt(4096) : 4096))
                        .toList());
    }

    private static Bytes bytes(Random random) {
        var bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        return Bytes.copyOf(bytes);
    }

    static LongStream seeds() {
        Long replay = Long.getLong("seed");
        return replay != null ? LongStream.of(replay) : LongStream.range(0, 1000);
    }

    private static ByteBuf encoded(XrootdResponse response) {
        ByteBuf out = Unpooled.buffer();
        ResponseCodec.encode(7, response, out);
        return out;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyAnswerComesBackAsItWas(long seed) {
        var random = new Random(seed);
        for (Function<Random, XrootdResponse> kind : KINDS) {
            XrootdResponse response = kind.apply(random);

            ByteBuf wire = encoded(response);

            assertThat(ResponseCodec.decode(wire, 0, wire.readableBytes())).isEqualTo(response);
            assertThat(ResponseCodec.streamId(wire, 0))
                    .isEqualTo(response instanceof XrootdResponse.Late ? 0 : 7);
        }
    }

    @Test
    void anAnswerCutAnywhereIsRefused() {
        var random = new Random(1);
        for (Function<Random, XrootdResponse> kind : KINDS) {
            ByteBuf wire = encoded(kind.apply(random));
            for (int cut = 0; cut < wire.readableBytes(); cut++) {
                int length = cut;
                assertThatThrownBy(() -> ResponseCodec.decode(wire.slice(0, length), 0, length))
                        .isInstanceOf(FsException.class);
            }
        }
    }

    @Test
    void aStatusWithAWrongChecksumIsRefused() {
        ByteBuf wire = encoded(new XrootdResponse.Pages(0, 10, true));
        wire.setByte(28, wire.getByte(28) ^ 1);

        assertThatThrownBy(() -> ResponseCodec.decode(wire, 0, wire.readableBytes()))
                .hasMessageContaining("checksum");
    }

    @Test
    void pagesHaveTheLayoutOfTheProtocol() {
        ByteBuf wire = encoded(new XrootdResponse.Pages(0x1122, 4100, false));

        assertThat(ByteBufUtil.hexDump(wire))
                .startsWith("00070fa700000018")
                .endsWith("00071e01" + "00000000" + "00001004" + "0000000000001122");
    }

    @Test
    void openedAndLoggedInComeBack() {
        var stat = new StatText(12, 345, 48, 1, 2, 3, 0640, "ann", "users");
        ByteBuf opened = Unpooled.buffer();
        ResponseCodec.encode(new XrootdResponse.Opened(5, Optional.of(stat)), true, opened);
        ByteBuf login = Unpooled.buffer();
        var session = Bytes.copyOf(new byte[16]);
        ResponseCodec.encode(new XrootdResponse.LoggedIn(session, "&P=unix"), login);

        assertThat(ResponseCodec.opened(body(opened)).stat()).contains(stat);
        assertThat(ResponseCodec.opened(body(opened)).handle()).isEqualTo(5);
        assertThat(ResponseCodec.loggedIn(body(login)))
                .isEqualTo(new XrootdResponse.LoggedIn(session, "&P=unix"));
        assertThatThrownBy(() -> ResponseCodec.opened(Bytes.copyOf(new byte[3])))
                .isInstanceOf(FsException.class);
        assertThatThrownBy(() -> ResponseCodec.loggedIn(Bytes.copyOf(new byte[15])))
                .isInstanceOf(FsException.class);
    }

    private static Bytes body(ByteBuf wire) {
        return Bytes.copyOf(ByteBufUtil.getBytes(wire));
    }

    @Test
    void statTextIsWhatClientsParse() {
        ByteBuf out = Unpooled.buffer();
        new StatText(9, Long.MAX_VALUE, 19, 1_700_000_000, 0, 5, 01755, "a b", "g").write(out);

        assertThat(out.toString(java.nio.charset.StandardCharsets.UTF_8))
                .isEqualTo("9 9223372036854775807 19 1700000000 0 5 1755 a_b g");
        assertThat(StatText.parse("1 2 3 4")).isPresent();
        assertThat(StatText.parse("1 2 x 4")).isEmpty();
        assertThat(StatText.parse("")).isEmpty();
    }
}
