package org.cepheus.protocol.http;

/** The methods this server knows; the others are answered 501. */
enum Verb {
    GET,
    HEAD,
    PUT,
    DELETE,
    MKCOL,
    MOVE,
    PROPFIND,
    OPTIONS,
    /** Known by name, but not done here: answered 405. */
    REFUSED,
    UNKNOWN;

    static final String ALLOWED = "OPTIONS, GET, HEAD, PUT, DELETE, MKCOL, MOVE, PROPFIND";

    static Verb of(String method) {
        return switch (method) {
            case "GET" -> GET;
            case "HEAD" -> HEAD;
            case "PUT" -> PUT;
            case "DELETE" -> DELETE;
            case "MKCOL" -> MKCOL;
            case "MOVE" -> MOVE;
            case "PROPFIND" -> PROPFIND;
            case "OPTIONS" -> OPTIONS;
            case "POST", "PATCH", "COPY", "LOCK", "UNLOCK", "PROPPATCH", "TRACE", "CONNECT" ->
                    REFUSED;
            default -> UNKNOWN;
        };
    }
}
