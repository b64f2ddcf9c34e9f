package org.cepheus.domain;

import java.util.Locale;
import java.util.Optional;
import org.cepheus.domain.codec.Coded;

/** The checksums that files can have. The code is what the formats carry. */
public enum ChecksumType implements Coded {
    ADLER32(1, "adler32", 4),
    CRC32C(2, "crc32c", 4),
    MD5(3, "md5", 16),
    SHA256(4, "sha-256", 32);

    private final int code;
    private final String word;
    private final int byteCount;

    ChecksumType(int code, String word, int byteCount) {
        this.code = code;
        this.word = word;
        this.byteCount = byteCount;
    }

    @Override
    public int code() {
        return code;
    }

    /** The name in XRootD queries and HTTP digests, lower case. */
    public String word() {
        return word;
    }

    public int byteCount() {
        return byteCount;
    }

    /** The type of that name in any case; {@code sha256} is taken too. */
    public static Optional<ChecksumType> named(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        for (ChecksumType type : values()) {
            if (type.word.equals(lower) || type.word.replace("-", "").equals(lower)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }
}
