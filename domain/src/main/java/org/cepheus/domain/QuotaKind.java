package org.cepheus.domain;

/** Whose use a limit counts: everybody's under the node, one user's, or one group's. */
public enum QuotaKind {
    PROJECT,
    USER,
    GROUP;

    /** The word in messages, JSON and on the command line. */
    public String word() {
        return switch (this) {
            case PROJECT -> "project";
            case USER -> "user";
            case GROUP -> "group";
        };
    }
}
