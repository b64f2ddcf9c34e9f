package org.cepheus.domain.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/** Reads what {@link ByteWriter} wrote; every length is checked before anything is allocated. */
public final class ByteReader {
    private final byte[] bytes;
    private final int end;
    private int at;

    public ByteReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    /** Reads {@code length} bytes from {@code offset} on. */
    public ByteReader(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.at = offset;
        this.end = offset + length;
    }

    public boolean hasMore() {
        return at < end;
    }

    public int remaining() {
        return end - at;
    }

    public int u8() {
        need(1);
        return bytes[at++] & 0xff;
    }

    public int i32() {
        need(4);
        int value = 0;
        for (int i = 0; i < 4; i++) {
            value = value << 8 | (bytes[at++] & 0xff);
        }
        return value;
    }

    public long i64() {
        need(8);
        long value = 0;
        for (int i = 0; i < 8; i++) {
            value = value << 8 | (bytes[at++] & 0xff);
        }
        return value;
    }

    public long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int b = u8();
            value |= (long) (b & 0x7f) << shift;
            if (b < 0x80) {
                return value;
            }
        }
        throw new DecodeException("a varint has more than ten bytes");
    }

    /** A varint that must fit 0 to {@code max}. */
    public int count(int max) {
        long value = varint();
        if (value < 0 || value > max) {
            throw new DecodeException("count %d is not in 0..%d".formatted(value, max));
        }
        return (int) value;
    }

    public byte[] raw(int length) {
        need(length);
        byte[] copy = Arrays.copyOfRange(bytes, at, at + length);
        at += length;
        return copy;
    }

    /** Passes so many bytes over; where they begin, for {@link #bytesAt} and {@link #textAt}. */
    int skip(int length) {
        need(length);
        int from = at;
        at += length;
        return from;
    }

    /** What {@link #skip} passed over. */
    byte[] bytesAt(int from, int length) {
        return Arrays.copyOfRange(bytes, from, from + length);
    }

    /** The same as text. */
    String textAt(int from, int length) {
        return new String(bytes, from, length, StandardCharsets.UTF_8);
    }

    public byte[] blob() {
        return raw(count(remaining()));
    }

    public String text() {
        int length = count(remaining());
        need(length);
        String value = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return value;
    }

    public UUID uuid() {
        return new UUID(i64(), i64());
    }

    private void need(int length) {
        if (length < 0 || end - at < length) {
            throw new DecodeException("%d bytes wanted, %d left".formatted(length, end - at));
        }
    }
}
