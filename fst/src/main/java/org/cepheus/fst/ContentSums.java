package org.cepheus.fst;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The checksums of a content while it is written, in pieces that grow together. What was written
 * twice, cut or left out has to be read again. One lock guards it.
 */
final class ContentSums {
    /** The most pieces that are remembered apart from each other. */
    static final int MAX_PIECES = 4_096;

    private final TreeMap<Long, PieceSum> pieces = new TreeMap<>();
    private boolean lost;

    /** These bytes were written. */
    synchronized void add(long offset, PieceSum piece) {
        if (lost || piece.length() == 0) {
            return;
        }
        long end = offset + piece.length();
        Map.Entry<Long, PieceSum> before = pieces.floorEntry(offset);
        Map.Entry<Long, PieceSum> after = pieces.ceilingEntry(offset);
        if ((before != null && before.getKey() + before.getValue().length() > offset)
                || (after != null && after.getKey() < end)) {
            lose();
            return;
        }
        long start = offset;
        PieceSum whole = piece;
        if (before != null && before.getKey() + before.getValue().length() == offset) {
            start = before.getKey();
            whole = before.getValue().then(whole);
        }
        if (after != null && after.getKey() == end) {
            pieces.remove(end);
            whole = whole.then(after.getValue());
        }
        pieces.put(start, whole);
        if (pieces.size() > MAX_PIECES) {
            lose();
        }
    }

    /** From now on only reading the content again tells its sums. */
    synchronized void lose() {
        lost = true;
        pieces.clear();
    }

    /** The sums of the first so many bytes, if every one of them was written exactly once. */
    synchronized Optional<PieceSum> whole(long sizeBytes) {
        if (lost) {
            return Optional.empty();
        }
        if (sizeBytes == 0) {
            return Optional.of(PieceSum.EMPTY);
        }
        PieceSum first = pieces.size() == 1 ? pieces.get(0L) : null;
        return Optional.ofNullable(first).filter(sum -> sum.length() == sizeBytes);
    }
}
