package org.cepheus.mgm.raft;

import java.io.IOException;

/** The Raft log is not what was written; an operator has to decide. The message says how. */
public final class DamagedLogException extends IOException {
    private static final long serialVersionUID = 1L;

    public DamagedLogException(String message) {
        super(message);
    }
}
