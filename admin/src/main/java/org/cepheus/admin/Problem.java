package org.cepheus.admin;

import java.util.Map;
import org.cepheus.domain.ErrorKind;
import org.cepheus.domain.FsError;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.TraceId;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A refusal as {@code application/problem+json} (RFC 9457): besides its members {@code code} is the
 * kind of error, {@code next} what to do now, and {@code trace} what to search the logs for.
 */
record Problem(int status, String code, String detail, String next, Map<String, String> headers) {
    private static final String TYPE = "application/problem+json";

    /** A refusal of the HTTP layer itself, without a request to the namespace. */
    static Problem of(int status, String code, String detail, String next) {
        return new Problem(status, code, detail, next, Map.of());
    }

    /**
     * The answer to a refusal of the namespace, with the status and the advice of the catalogue.
     *
     * @param target the path and query asked for, where a redirect to the leader goes on
     */
    static Problem of(FsError error, String target) {
        return switch (error) {
            case FsError.Overloaded(_, int seconds) -> later(error, seconds);
            case FsError.Unavailable(_, int seconds) -> later(error, seconds);
            case FsError.NotLeader(var leader) ->
                    leader.map(at -> redirect(error, at, target)).orElseGet(() -> later(error, 2));
            case FsError other -> {
                ErrorKind kind = ErrorKind.of(other);
                yield of(kind.status(), kind.word(), other.message(), kind.advice());
            }
        };
    }

    private static Problem later(FsError error, int seconds) {
        return new Problem(
                503,
                ErrorKind.of(error).word(),
                error.message(),
                "try again in %d s; repeating is safe".formatted(seconds),
                Map.of("Retry-After", Integer.toString(seconds)));
    }

    private static Problem redirect(FsError error, MgmAddress leader, String target) {
        String host = leader.host().contains(":") ? "[" + leader.host() + "]" : leader.host();
        String url = "http://%s:%d%s".formatted(host, leader.adminPort(), target);
        return new Problem(
                307,
                ErrorKind.of(error).word(),
                error.message(),
                "ask " + url,
                Map.of("Location", url));
    }

    Answer answer(TraceId trace) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("title", code);
        node.put("status", status);
        node.put("code", code);
        node.put("detail", detail);
        node.put("next", next);
        node.put("trace", trace.toString());
        return new Answer(status, TYPE, node.toString(), headers);
    }
}
