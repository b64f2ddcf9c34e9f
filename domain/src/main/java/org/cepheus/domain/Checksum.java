package org.cepheus.domain;

import java.util.Locale;

/** A checksum of a whole content: its type and lower-case hex digits of exactly its length. */
public record Checksum(ChecksumType type, String hex) {
    public Checksum {
        hex = hex.toLowerCase(Locale.ROOT);
        if (hex.length() != 2 * type.byteCount()
                || !hex.chars().allMatch(c -> Character.digit(c, 16) >= 0)) {
            throw new FsException(
                    new FsError.InvalidArgument(
                            "%s needs %d hex digits, is '%s'"
                                    .formatted(type.word(), 2 * type.byteCount(), hex)));
        }
    }

    /** A 32-bit checksum. */
    public static Checksum of(ChecksumType type, int value) {
        return new Checksum(type, "%08x".formatted(value));
    }

    @Override
    public String toString() {
        return type.word() + ":" + hex;
    }
}
