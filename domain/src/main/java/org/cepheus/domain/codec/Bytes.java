package org.cepheus.domain.codec;

import java.util.Arrays;
import java.util.HexFormat;

/** An immutable run of bytes that can stand in a record: equal by content. */
public final class Bytes {
    private final byte[] value;

    private Bytes(byte[] value) {
        this.value = value;
    }

    public static Bytes copyOf(byte[] value) {
        return new Bytes(value.clone());
    }

    public byte[] toArray() {
        return value.clone();
    }

    public int size() {
        return value.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(value);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(value, 0, Math.min(value.length, 32));
    }
}
