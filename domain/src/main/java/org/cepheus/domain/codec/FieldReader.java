package org.cepheus.domain.codec;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A parsed body of tagged fields. Each getter names the tag it knows; {@link #done} then refuses a
 * body that carries one nobody asked for, because half-understood commands must stop a replica.
 */
public final class FieldReader {
    private static final int MAX_TAG = 40;
    private static final int FEW_FIELDS = 12;

    private final ByteReader in;
    // One is made for each row and command that is read, so fields lie in their order of arrival
    // and bytes stay where they are until somebody wants them.
    private final byte[] places = new byte[MAX_TAG + 1];
    private long[] values = new long[FEW_FIELDS];
    private int count;
    private long presentNumbers;
    private long presentBlobs;
    private long asked;

    public FieldReader(byte[] body) {
        this(new ByteReader(body));
    }

    /** Reads all that is left. */
    public FieldReader(ByteReader in) {
        this.in = in;
        while (in.hasMore()) {
            long key = in.varint();
            int tag = (int) Math.min(key >>> 1, MAX_TAG + 1L);
            if (tag > MAX_TAG || tag == 0 || has(tag)) {
                throw new DecodeException(
                        "field tag %d is unknown or repeated".formatted(key >>> 1));
            }
            if ((key & 1) == 0) {
                put(tag, in.varint());
                presentNumbers |= 1L << tag;
            } else {
                int length = in.count(in.remaining());
                put(tag, (long) in.skip(length) << 32 | length);
                presentBlobs |= 1L << tag;
            }
        }
    }

    private void put(int tag, long value) {
        if (count == values.length) {
            values = Arrays.copyOf(values, MAX_TAG);
        }
        places[tag] = (byte) count;
        values[count++] = value;
    }

    private long value(int tag) {
        return values[places[tag]];
    }

    private boolean has(int tag) {
        return ((presentNumbers | presentBlobs) >>> tag & 1) != 0;
    }

    public long number(int tag) {
        asked |= 1L << tag;
        if ((presentNumbers >>> tag & 1) == 0) {
            throw new DecodeException("number field %d is missing".formatted(tag));
        }
        return value(tag);
    }

    /** A number that fits an int. */
    public int integer(int tag) {
        long value = number(tag);
        if (value != (int) value) {
            throw new DecodeException(
                    "field %d has %d, which is no 32-bit number".formatted(tag, value));
        }
        return (int) value;
    }

    public long number(int tag, long absent) {
        asked |= 1L << tag;
        return (presentNumbers >>> tag & 1) == 0 ? absent : value(tag);
    }

    public boolean flag(int tag) {
        return number(tag, 0) != 0;
    }

    public OptionalLong optionalNumber(int tag) {
        asked |= 1L << tag;
        return (presentNumbers >>> tag & 1) == 0
                ? OptionalLong.empty()
                : OptionalLong.of(value(tag));
    }

    private boolean hasBytes(int tag) {
        asked |= 1L << tag;
        return (presentBlobs >>> tag & 1) != 0;
    }

    private void needBytes(int tag) {
        if (!hasBytes(tag)) {
            throw new DecodeException("bytes field %d is missing".formatted(tag));
        }
    }

    public byte[] bytes(int tag) {
        needBytes(tag);
        long place = value(tag);
        return in.bytesAt((int) (place >>> 32), (int) place);
    }

    public Optional<byte[]> optionalBytes(int tag) {
        return hasBytes(tag) ? Optional.of(bytes(tag)) : Optional.empty();
    }

    public String text(int tag) {
        needBytes(tag);
        long place = value(tag);
        return in.textAt((int) (place >>> 32), (int) place);
    }

    public Optional<String> optionalText(int tag) {
        return hasBytes(tag) ? Optional.of(text(tag)) : Optional.empty();
    }

    /** Refuses fields that no getter asked for. */
    public void done() {
        long unknown = (presentNumbers | presentBlobs) & ~asked;
        if (unknown != 0) {
            throw new DecodeException(
                    "field tag %d is not known here: written by a newer version?"
                            .formatted(Long.numberOfTrailingZeros(unknown)));
        }
    }
}
