package org.cepheus.admin;

import org.cepheus.domain.FsError;

/** A refusal of an order, by the names that the audit knows it by. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String operation;
    private final String object;
    private final transient FsError error;

    Refusal(String operation, String object, FsError error) {
        super(error.message(), null, false, false);
        this.operation = operation;
        this.object = object;
        this.error = error;
    }

    String operation() {
        return operation;
    }

    String object() {
        return object;
    }

    FsError error() {
        return error;
    }
}
