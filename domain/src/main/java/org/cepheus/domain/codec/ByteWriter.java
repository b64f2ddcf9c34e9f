package org.cepheus.domain.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/** Appends big-endian numbers, varints (LEB128) and length-prefixed bytes to a growing array. */
public final class ByteWriter {
    private byte[] bytes;
    private int size;

    public ByteWriter(int expectedBytes) {
        bytes = new byte[Math.max(16, expectedBytes)];
    }

    public ByteWriter() {
        this(64);
    }

    public ByteWriter u8(int value) {
        reserve(1);
        bytes[size++] = (byte) value;
        return this;
    }

    public ByteWriter i32(int value) {
        reserve(4);
        for (int shift = 24; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (value >>> shift);
        }
        return this;
    }

    public ByteWriter i64(long value) {
        reserve(8);
        for (int shift = 56; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (value >>> shift);
        }
        return this;
    }

    /** One to ten bytes, seven bits each, low bits first; negative numbers take ten. */
    public ByteWriter varint(long value) {
        reserve(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
        return this;
    }

    public ByteWriter raw(byte[] value) {
        reserve(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
        return this;
    }

    /** A varint length, then the bytes. */
    public ByteWriter blob(byte[] value) {
        return varint(value.length).raw(value);
    }

    /** A varint length, then UTF-8. */
    public ByteWriter text(String value) {
        return blob(value.getBytes(StandardCharsets.UTF_8));
    }

    public ByteWriter uuid(UUID value) {
        return i64(value.getMostSignificantBits()).i64(value.getLeastSignificantBits());
    }

    public int size() {
        return size;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    private void reserve(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
