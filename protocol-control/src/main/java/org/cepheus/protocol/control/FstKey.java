package org.cepheus.protocol.control;

import java.util.HexFormat;
import java.util.UUID;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.codec.Bytes;

/**
 * What the MGM gives to one FST, kept in a file of mode 0600: the cluster, the FST's id and its
 * key. As text: the word {@code cepheus-fst-key-1}, then the three, separated by spaces.
 */
public record FstKey(UUID cluster, int fstId, Bytes key) {
    /** How long a key is. */
    public static final int KEY_BYTES = 32;

    private static final String WORD = "cepheus-fst-key-1";

    public FstKey {
        if (key.size() != KEY_BYTES) {
            throw new FsException(
                    new FsError.InvalidArgument(
                            "an FST key has %d bytes, here are %d"
                                    .formatted(KEY_BYTES, key.size())));
        }
    }

    /** The one line of the key file, with its newline. */
    public String toText() {
        return "%s %s %d %s\n"
                .formatted(WORD, cluster, fstId, HexFormat.of().formatHex(key.toArray()));
    }

    /**
     * Reads the text of a key file.
     *
     * @throws FsException InvalidArgument, without showing the key
     */
    public static FstKey parse(String text) {
        String[] words = text.strip().split(" ", -1);
        if (words.length != 4 || !words[0].equals(WORD)) {
            throw new FsException(
                    new FsError.InvalidArgument(
                            "not an FST key file: it starts with '%s' and has four words"
                                    .formatted(WORD)));
        }
        try {
            return new FstKey(
                    UUID.fromString(words[1]),
                    Integer.parseInt(words[2]),
                    Bytes.copyOf(HexFormat.of().parseHex(words[3])));
        } catch (IllegalArgumentException e) {
            throw new FsException(
                    new FsError.InvalidArgument(
                            "damaged FST key file: cluster uuid, FST number or hex key is wrong"));
        }
    }

    @Override
    public String toString() {
        return "FstKey[" + cluster + ", " + fstId + "]";
    }
}
