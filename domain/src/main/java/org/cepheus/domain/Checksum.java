package org.cepheus.domain;

import java.util.HexFormat;
import java.util.Locale;

/** A checksum of a whole content: its type and lower-case hex digits of exactly its length. */
public record Checksum(ChecksumType type, String hex) {
    public Checksum {
        hex = hex.toLowerCase(Locale.ROOT);
        if (hex.length() != 2 * type.byteCount() || !isHex(hex)) {
            throw new FsException(
                    new FsError.InvalidArgument(
                            "%s needs %d hex digits, is '%s'"
                                    .formatted(type.word(), 2 * type.byteCount(), hex)));
        }
    }

    private static boolean isHex(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!HexFormat.isHexDigit(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** A 32-bit checksum. */
    public static Checksum of(ChecksumType type, int value) {
        return new Checksum(type, HexFormat.of().toHexDigits(value));
    }

    @Override
    public String toString() {
        return type.word() + ":" + hex;
    }
}
