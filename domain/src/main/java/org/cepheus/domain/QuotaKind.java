package org.cepheus.domain;

import org.cepheus.domain.codec.Coded;

/** Whose use a limit counts: everybody's under the node, one user's, or one group's. */
public enum QuotaKind implements Coded {
    PROJECT(1),
    USER(2),
    GROUP(3);

    private final int code;

    QuotaKind(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }

    /** The word in messages, JSON and on the command line. */
    public String word() {
        return switch (this) {
            case PROJECT -> "project";
            case USER -> "user";
            case GROUP -> "group";
        };
    }
}
