package org.cepheus.admin;

import java.util.Map;
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
     * The answer to a refusal of the namespace, with the status in the HTTP column of
     * docs/errors.md.
     *
     * @param target the path and query asked for, where a redirect to the leader goes on
     */
    static Problem of(FsError error, String target) {
        return switch (error) {
            case FsError.NotFound _ -> plain(404, error, "check the path");
            case FsError.AlreadyExists _ -> plain(409, error, "choose another name");
            case FsError.NotDirectory _ -> plain(404, error, "check the path");
            case FsError.IsDirectory _ -> plain(409, error, "name a file");
            case FsError.NotEmpty _ -> plain(409, error, "empty the directory first");
            case FsError.PermissionDenied _ -> plain(403, error, "ask the owner or an operator");
            case FsError.InvalidArgument _ -> plain(400, error, "correct the request");
            case FsError.TooLong _ -> plain(414, error, "shorten it");
            case FsError.Unsupported _ -> plain(501, error, "see the manual for what there is");
            case FsError.FileLocked _ -> plain(423, error, "wait until the other client is done");
            case FsError.LeaseGone _ -> plain(409, error, "start the upload again");
            case FsError.SizeMismatch _ -> plain(400, error, "send the whole file again");
            case FsError.ChecksumMismatch _ -> plain(400, error, "send the file again");
            case FsError.NoSpace _ -> plain(507, error, "add a volume or remove files");
            case FsError.QuotaExceeded _ -> plain(507, error, "remove files or raise the limit");
            case FsError.IoFailure _ -> plain(500, error, "look at the volume, then try again");
            case FsError.TicketInvalid _ -> plain(403, error, "ask the MGM for a new ticket");
            case FsError.TicketExpired _ -> plain(403, error, "ask the MGM for a new ticket");
            case FsError.Overloaded(_, int seconds) -> later(error, seconds);
            case FsError.Unavailable(_, int seconds) -> later(error, seconds);
            case FsError.CrossDevice _ -> plain(409, error, "copy, then remove");
            case FsError.Internal _ -> plain(500, error, "report it with the log of this trace");
            case FsError.NotLeader(var leader) ->
                    leader.map(at -> redirect(error, at, target)).orElseGet(() -> later(error, 2));
        };
    }

    private static Problem plain(int status, FsError error, String next) {
        return of(status, codeOf(error), error.message(), next);
    }

    private static Problem later(FsError error, int seconds) {
        return new Problem(
                503,
                codeOf(error),
                error.message(),
                "try again in %d s; repeating is safe".formatted(seconds),
                Map.of("Retry-After", Integer.toString(seconds)));
    }

    private static Problem redirect(FsError error, MgmAddress leader, String target) {
        String host = leader.host().contains(":") ? "[" + leader.host() + "]" : leader.host();
        String url = "http://%s:%d%s".formatted(host, leader.adminPort(), target);
        return new Problem(
                307, codeOf(error), error.message(), "ask " + url, Map.of("Location", url));
    }

    static String codeOf(FsError error) {
        return error.getClass().getSimpleName();
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
