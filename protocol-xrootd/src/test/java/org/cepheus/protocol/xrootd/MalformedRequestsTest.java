package org.cepheus.protocol.xrootd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.cepheus.protocol.xrootd.wire.XrootdRequest.ReadMany;
import org.junit.jupiter.api.Test;

/** What a server says of clients that talk nonsense. */
final class MalformedRequestsTest {
    private static final ReadMany.Segment SEGMENT = new ReadMany.Segment(0, 1, 0);

    /** A list of ranges that ends within the second one. */
    private static byte[] malformed() {
        byte[] sound = RawConnection.bytes(9, new ReadMany(0, List.of(SEGMENT, SEGMENT)));
        Unpooled.wrappedBuffer(sound).setInt(20, 31);
        return Arrays.copyOf(sound, sound.length - 1);
    }

    @Test
    void aServerLogsFewAndCountsAll() throws IOException {
        try (var cluster = new TestCluster(new FakeLogin(List.of()))) {
            try (var client = new RawConnection(cluster.mgm.port()).loggedIn()) {
                for (int i = 0; i < 100; i++) {
                    assertThat(client.send(malformed()).answer().errorCode())
                            .isEqualTo(ErrorCode.ARG_INVALID);
                }
            }
            for (int i = 0; i < 100; i++) {
                try (var stranger = new RawConnection(cluster.mgm.port())) {
                    stranger.send(
                            "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
                    assertThat(stranger.isClosedByServer()).isTrue();
                }
            }

            assertThat(cluster.faults).hasSize(1);
            assertThat(cluster.metrics.count("malformed", "error" + ErrorCode.ARG_INVALID))
                    .isEqualTo(100);
            assertThat(cluster.metrics.count("malformed", "aborted")).isEqualTo(100);
        }
    }
}
