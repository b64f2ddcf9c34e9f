package org.cepheus.protocol.http;

/** A part of a file, in bytes. */
record ByteRange(long offset, long length) {
    /** The end of the last byte, inclusive, as headers count. */
    long last() {
        return offset + length - 1;
    }

    long end() {
        return offset + length;
    }

    /** The value of {@code Content-Range} for a file of that size. */
    String of(long sizeBytes) {
        return "bytes %d-%d/%d".formatted(offset, last(), sizeBytes);
    }
}
