package org.cepheus.domain.codec;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Writes a body of tagged fields: each is a varint {@code tag * 2 + kind}, then a varint (kind 0)
 * or a length and bytes (kind 1). A new field takes a new tag; a reader that does not know it
 * stops.
 */
public final class FieldWriter {
    private final ByteWriter out;

    public FieldWriter() {
        this(new ByteWriter());
    }

    public FieldWriter(ByteWriter out) {
        this.out = out;
    }

    public FieldWriter number(int tag, long value) {
        out.varint((long) tag << 1).varint(value);
        return this;
    }

    public FieldWriter flag(int tag, boolean value) {
        return value ? number(tag, 1) : this;
    }

    public FieldWriter number(int tag, OptionalLong value) {
        return value.isPresent() ? number(tag, value.getAsLong()) : this;
    }

    public FieldWriter bytes(int tag, byte[] value) {
        out.varint((long) tag << 1 | 1).blob(value);
        return this;
    }

    public FieldWriter text(int tag, String value) {
        return bytes(tag, value.getBytes(StandardCharsets.UTF_8));
    }

    public FieldWriter text(int tag, Optional<String> value) {
        return value.isPresent() ? text(tag, value.get()) : this;
    }

    public byte[] toBytes() {
        return out.toBytes();
    }
}
