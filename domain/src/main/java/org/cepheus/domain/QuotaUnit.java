package org.cepheus.domain;

/** What a limit counts. */
public enum QuotaUnit {
    BYTES,
    FILES;

    /** The word in messages. */
    public String word() {
        return switch (this) {
            case BYTES -> "bytes";
            case FILES -> "files";
        };
    }
}
