package org.cepheus.domain.codec;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A parsed body of tagged fields. Each getter names the tag it knows; {@link #done} then refuses a
 * body that carries one nobody asked for, because half-understood commands must stop a replica.
 */
public final class FieldReader {
    private static final int MAX_TAG = 40;

    private final long[] numbers = new long[MAX_TAG + 1];
    private final byte[] @Nullable [] blobs = new byte[MAX_TAG + 1][];
    private long presentNumbers;
    private long presentBlobs;
    private long asked;

    public FieldReader(byte[] body) {
        this(new ByteReader(body));
    }

    /** Reads all that is left. */
    public FieldReader(ByteReader in) {
        while (in.hasMore()) {
            long key = in.varint();
            int tag = (int) Math.min(key >>> 1, MAX_TAG + 1L);
            if (tag > MAX_TAG || tag == 0 || has(tag)) {
                throw new DecodeException(
                        "field tag %d is unknown or repeated".formatted(key >>> 1));
            }
            if ((key & 1) == 0) {
                numbers[tag] = in.varint();
                presentNumbers |= 1L << tag;
            } else {
                blobs[tag] = in.blob();
                presentBlobs |= 1L << tag;
            }
        }
    }

    private boolean has(int tag) {
        return ((presentNumbers | presentBlobs) >>> tag & 1) != 0;
    }

    public long number(int tag) {
        asked |= 1L << tag;
        if ((presentNumbers >>> tag & 1) == 0) {
            throw new DecodeException("number field %d is missing".formatted(tag));
        }
        return numbers[tag];
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
        return (presentNumbers >>> tag & 1) == 0 ? absent : numbers[tag];
    }

    public boolean flag(int tag) {
        return number(tag, 0) != 0;
    }

    public OptionalLong optionalNumber(int tag) {
        asked |= 1L << tag;
        return (presentNumbers >>> tag & 1) == 0
                ? OptionalLong.empty()
                : OptionalLong.of(numbers[tag]);
    }

    public byte[] bytes(int tag) {
        asked |= 1L << tag;
        byte @Nullable [] found = blobs[tag];
        if (found == null) {
            throw new DecodeException("bytes field %d is missing".formatted(tag));
        }
        return found;
    }

    public Optional<byte[]> optionalBytes(int tag) {
        asked |= 1L << tag;
        return Optional.ofNullable(blobs[tag]);
    }

    public String text(int tag) {
        return new String(bytes(tag), StandardCharsets.UTF_8);
    }

    public Optional<String> optionalText(int tag) {
        return optionalBytes(tag).map(b -> new String(b, StandardCharsets.UTF_8));
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
