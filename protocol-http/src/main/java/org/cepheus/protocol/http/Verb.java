package org.cepheus.protocol.http;

/** The methods this server knows; the others are answered 501. */
enum Verb {
    GET,
    HEAD,
    PUT,
    DELETE,
    MKCOL,
    COPY,
    MOVE,
    PROPFIND,
    PROPPATCH,
    OPTIONS,
    /** Known by name, but not done here: answered 405. */
    REFUSED,
    UNKNOWN;

    static final String ALLOWED =
            "OPTIONS, GET, HEAD, PUT, DELETE, MKCOL, COPY, MOVE, PROPFIND, PROPPATCH";

    static Verb of(String method) {
        return switch (method) {
            case "GET" -> GET;
            case "HEAD" -> HEAD;
            case "PUT" -> PUT;
            case "DELETE" -> DELETE;
            case "MKCOL" -> MKCOL;
            case "COPY" -> COPY;
            case "MOVE" -> MOVE;
            case "PROPFIND" -> PROPFIND;
            case "PROPPATCH" -> PROPPATCH;
            case "OPTIONS" -> OPTIONS;
            case "POST", "PATCH", "LOCK", "UNLOCK", "TRACE", "CONNECT" -> REFUSED;
            default -> UNKNOWN;
        };
    }
}
