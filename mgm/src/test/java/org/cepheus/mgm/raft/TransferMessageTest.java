package org.cepheus.mgm.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.codec.DecodeException;
import org.cepheus.mgm.raft.Applied.Position;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TransferMessageTest {
    private static final Bytes KEY = Bytes.copyOf(new byte[] {1, 2, 3});
    private static final Bytes OTHER = Bytes.copyOf(new byte[] {1, 2, 4});

    static List<TransferMessage.Request> requests() {
        return List.of(
                new TransferMessage.Open("mgm1"),
                new TransferMessage.Read(1, "000012.sst", 1L << 40, 1 << 20),
                new TransferMessage.Done(-5));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void aRequestIsReadWithItsKeyOnly(TransferMessage.Request request) {
        byte[] bytes = TransferMessage.encode(request, KEY);

        assertThat(TransferMessage.decode(bytes, KEY)).isEqualTo(request);
        assertThatThrownBy(() -> TransferMessage.decode(bytes, OTHER))
                .isInstanceOf(DecodeException.class);
        bytes[bytes.length - 1]++;
        assertThatThrownBy(() -> TransferMessage.decode(bytes, KEY))
                .isInstanceOf(DecodeException.class);
        assertThatThrownBy(() -> TransferMessage.decode(new byte[10], KEY))
                .isInstanceOf(DecodeException.class);
    }

    @Test
    void aManifestComesBackAsItWas() {
        var manifest =
                new TransferMessage.Manifest(
                        3,
                        new StateFiles.Stand(new Position(4, 5), -6),
                        List.of(new TransferMessage.FileSize("CURRENT", 16)));

        assertThat(TransferMessage.manifest(TransferMessage.encode(manifest))).isEqualTo(manifest);
    }

    @Test
    void aDamagedPieceIsNoticed() {
        byte[] piece = TransferMessage.encodePiece(new byte[] {1, 2, 3});
        assertThat(TransferMessage.piece(piece)).containsExactly(1, 2, 3);

        piece[piece.length - 1] ^= 1;

        assertThatThrownBy(() -> TransferMessage.piece(piece)).isInstanceOf(DecodeException.class);
    }
}
