package org.cepheus.protocol.xrootd;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.List;
import java.util.zip.CRC32C;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdRequest.ReadMany.Segment;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;
import org.cepheus.protocol.xrootd.wire.XrootdResponse.PagesWritten.Damaged;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files that are opened to append: what was there stays as it was. */
final class AppendTest {
    private TestCluster cluster;
    private RawConnection fst;
    private int handle;

    @BeforeEach
    void open() throws IOException {
        cluster = new TestCluster(new FakeLogin(List.of()));
        cluster.site.put("/log", "old".getBytes(US_ASCII));
        fst = new RawConnection(cluster.fst.port()).loggedIn();
        String target;
        try (RawConnection mgm = new RawConnection(cluster.mgm.port()).loggedIn()) {
            var answer = mgm.ask(opening("/log")).decoded();
            target = "/log?" + ((XrootdResponse.Redirect) answer).opaque();
        }
        byte[] body = fst.ask(opening(target)).body();
        handle = ResponseCodec.opened(Bytes.copyOf(body)).handle();
    }

    private static XrootdRequest opening(String target) {
        return new XrootdRequest.Open(0, XrootdRequest.Open.APPEND, 0, target);
    }

    @AfterEach
    void stop() throws IOException {
        fst.close();
        cluster.close();
    }

    private void write(long offset, String text) throws IOException {
        fst.send(9, new XrootdRequest.Write(handle, offset, text.length(), 0))
                .send(text.getBytes(US_ASCII));
        assertThat(fst.answer().status()).isZero();
    }

    private XrootdResponse pageWrite(String text, boolean damaged, boolean again)
            throws IOException {
        var crc = new CRC32C();
        crc.update(text.getBytes(US_ASCII));
        byte[] unit =
                ByteBufUtil.getBytes(
                        Unpooled.buffer()
                                .writeInt((int) crc.getValue() + (damaged ? 1 : 0))
                                .writeBytes(text.getBytes(US_ASCII)));
        int flags = again ? 1 : 0;
        fst.send(9, new XrootdRequest.PageWrite(handle, 0, unit.length, 0, flags)).send(unit);
        return fst.answer().decoded();
    }

    private String closed() throws IOException {
        assertThat(fst.ask(new XrootdRequest.Close(handle)).status()).isZero();
        return new String(cluster.site.content("/log").orElseThrow(), US_ASCII);
    }

    @Test
    void writesGoToTheEnd() throws IOException {
        write(0, " and");
        write(1_000, " new");

        assertThat(closed()).isEqualTo("old and new");
    }

    @Test
    void whoSaysWhereTheEndIsMayRepeatWhatItWrote() throws IOException {
        write(3, " and");
        write(7, " new");
        write(3, " AND");

        assertThat(closed()).isEqualTo("old AND new");
    }

    @Test
    void soDoPagesAndVectors() throws IOException {
        assertThat(pageWrite(" one", false, false))
                .isEqualTo(new XrootdResponse.PagesWritten(0, List.of()));
        var segments = List.of(new Segment(handle, 4, 0), new Segment(handle, 3, 0));
        fst.send(9, new XrootdRequest.WriteMany(0, segments))
                .send(" two".getBytes(US_ASCII))
                .send("...".getBytes(US_ASCII));
        assertThat(fst.answer().status()).isZero();

        assertThat(closed()).isEqualTo("old one two...");
    }

    @Test
    void aDamagedPageIsMendedWhereItWent() throws IOException {
        assertThat(pageWrite(" one", true, false))
                .isEqualTo(new XrootdResponse.PagesWritten(0, List.of(new Damaged(0, 4))));
        write(0, " two");
        assertThat(pageWrite(" ONE", false, true))
                .isEqualTo(new XrootdResponse.PagesWritten(0, List.of()));

        assertThat(closed()).isEqualTo("old ONE two");
    }

    @Test
    void theEndIsWhereTheFileWasCut() throws IOException {
        assertThat(fst.ask(new XrootdRequest.Truncate(handle, 1, "")).status()).isZero();
        write(0, "k");

        assertThat(closed()).isEqualTo("ok");
    }
}
