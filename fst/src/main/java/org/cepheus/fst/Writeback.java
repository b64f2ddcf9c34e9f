package org.cepheus.fst;

import java.util.Optional;

/**
 * What of a file the storage should begin to write: up to the end of an object whenever enough was
 * written, because the rest of one would be a write of its own, and on erasure coded pools a dear
 * one. One lock guards it.
 */
final class Writeback {
    /** So much is written before the storage is asked. */
    static final long LEAST_BYTES = 8L << 20;

    private final long objectBytes;
    private long dirtyFrom = Long.MAX_VALUE;
    private long dirtyTo;
    private long dirtyBytes;

    Writeback(long objectBytes) {
        this.objectBytes = objectBytes;
    }

    /** These bytes were written: what to write back now, if it is time. */
    synchronized Optional<Span> written(long offset, long length) {
        dirtyFrom = Math.min(dirtyFrom, offset);
        dirtyTo = Math.max(dirtyTo, offset + length);
        dirtyBytes += length;
        long from = dirtyFrom;
        long to = dirtyTo - dirtyTo % objectBytes;
        if (dirtyBytes < LEAST_BYTES || from >= to) {
            return Optional.empty();
        }
        dirtyFrom = to;
        dirtyBytes = dirtyTo - to;
        return Optional.of(new Span(from, to - from));
    }
}
