package org.cepheus.domain;

import org.cepheus.domain.codec.Coded;

/** What a limit counts. */
public enum QuotaUnit implements Coded {
    BYTES(1),
    FILES(2);

    private final int code;

    QuotaUnit(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }

    /** The word in messages. */
    public String word() {
        return switch (this) {
            case BYTES -> "bytes";
            case FILES -> "files";
        };
    }
}
