package org.cepheus.mgm.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.cepheus.domain.codec.Bytes;

/** Fetches a state from one member's files into another's by their messages, without a network. */
public final class Fetch {
    private static final Bytes KEY = Bytes.copyOf(new byte[] {1, 2, 3});
    private static final int PIECE_BYTES = 1 << 14;

    private Fetch() {}

    /**
     * Fetches everything, or less if the member ends before.
     *
     * @param maxPieces of files; so many, and this comes back
     * @return what the receiver is to {@link StateFiles#accept}
     */
    public static StateFiles.Stand into(StateFiles receiver, StateFiles donor, int maxPieces)
            throws IOException {
        try (var giving = new StateDonor(donor, KEY)) {
            var manifest =
                    TransferMessage.manifest(ask(giving, new TransferMessage.Open("receiver")));
            Path incoming = receiver.emptyIncoming();
            int pieces = 0;
            for (TransferMessage.FileSize file : manifest.files()) {
                byte[] content = new byte[(int) file.bytes()];
                for (int at = 0; at < content.length && pieces < maxPieces; pieces++) {
                    int length = Math.min(PIECE_BYTES, content.length - at);
                    var read = new TransferMessage.Read(manifest.copy(), file.name(), at, length);
                    byte[] piece = TransferMessage.piece(ask(giving, read));
                    System.arraycopy(piece, 0, content, at, length);
                    at += length;
                    Files.write(incoming.resolve(file.name()), Arrays.copyOf(content, at));
                }
                if (content.length == 0) {
                    Files.createFile(incoming.resolve(file.name()));
                }
            }
            ask(giving, new TransferMessage.Done(manifest.copy()));
            return manifest.stand();
        }
    }

    private static byte[] ask(StateDonor giving, TransferMessage.Request request) {
        return giving.answer(TransferMessage.encode(request, KEY)).join();
    }
}
