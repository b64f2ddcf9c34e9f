package org.cepheus.domain;

import java.nio.charset.StandardCharsets;

/**
 * The name of one directory entry. Holding one means it has been checked: 1 to 255 bytes of valid
 * UTF-8, no slash, not {@code .} or {@code ..}, no control byte (XRootD listings are separated by
 * newlines). Names are compared byte by byte; nothing is normalised.
 */
public record EntryName(String value) {
    /** The most bytes a name may have in UTF-8. */
    public static final int MAX_BYTES = 255;

    public EntryName {
        check(value);
    }

    private static void check(String value) {
        if (value.isEmpty() || value.equals(".") || value.equals("..")) {
            throw new FsException(new FsError.InvalidArgument("not a file name: '" + value + "'"));
        }
        boolean ascii = true;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '/' || c < 0x20 || c == 0x7f) {
                throw new FsException(
                        new FsError.InvalidArgument(
                                "file name has the forbidden character 0x%02x at position %d"
                                        .formatted((int) c, i)));
            }
            ascii &= c < 0x80;
        }
        int bytes = ascii ? value.length() : utf8Length(value);
        if (bytes > MAX_BYTES) {
            throw new FsException(
                    new FsError.TooLong(
                            "file name has %d bytes, the limit is %d: %.40s…"
                                    .formatted(bytes, MAX_BYTES, value)));
        }
    }

    private static int utf8Length(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        if (!new String(bytes, StandardCharsets.UTF_8).equals(value)
                || value.indexOf('\ufffd') >= 0) {
            throw new FsException(new FsError.InvalidArgument("file name is not valid UTF-8"));
        }
        return bytes.length;
    }

    @Override
    public String toString() {
        return value;
    }
}
