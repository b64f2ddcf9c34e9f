package org.cepheus.domain;

import java.util.Optional;
import org.cepheus.domain.codec.Coded;

/**
 * What an operator lets an FST or a volume be used for. Transfers that run already go on in every
 * state.
 */
public enum ServiceState implements Coded {
    /** Everything. */
    RW(1, "rw"),
    /** Reads; nothing is written there. */
    RO(2, "ro"),
    /** To be emptied: nobody new is sent to an FST, nothing is written to a volume. */
    DRAIN(3, "drain"),
    /** Nothing: nobody is sent there, and nothing is asked of it. */
    OFF(4, "off");

    private final int code;
    private final String word;

    ServiceState(int code, String word) {
        this.code = code;
        this.word = word;
    }

    @Override
    public int code() {
        return code;
    }

    /** The word in messages, JSON and on the command line. */
    public String word() {
        return word;
    }

    /** The state of that word. */
    public static Optional<ServiceState> named(String word) {
        for (ServiceState state : values()) {
            if (state.word.equals(word)) {
                return Optional.of(state);
            }
        }
        return Optional.empty();
    }
}
