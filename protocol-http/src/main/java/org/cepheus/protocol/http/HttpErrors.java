package org.cepheus.protocol.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.cepheus.domain.FsError;

/**
 * The one mapping of errors to HTTP. Where the RFCs leave a choice:
 *
 * <ul>
 *   <li>a full quota is 507 as WebDAV says, never 500: transfer services stop repeating on it;
 *   <li>a wrong size or checksum is 400, not 412: the request contradicts itself, and nothing was
 *       conditional; 4xx tells the client that nothing is stored;
 *   <li>a lost lease is 409: what the client asked for conflicts with what others did meanwhile;
 *   <li>a rename that would have to copy is 409 and not 502, since no other server is involved.
 * </ul>
 */
public final class HttpErrors {
    private HttpErrors() {}

    /** The status that an error has when the method says nothing special about it. */
    public static int status(FsError error) {
        return status(error, Verb.GET);
    }

    /** The status of an error as the answer to that method. */
    static int status(FsError error, Verb verb) {
        return switch (error) {
            // A missing parent of what should be made is a conflict (RFC 4918 sections 9.3, 9.7).
            case FsError.NotFound _ -> verb == Verb.PUT || verb == Verb.MKCOL ? 409 : 404;
            case FsError.NotDirectory _ ->
                    switch (verb) {
                        case PUT, MKCOL, COPY, MOVE -> 409;
                        case GET, HEAD, DELETE, PROPFIND, PROPPATCH, OPTIONS, REFUSED, UNKNOWN ->
                                404;
                    };
            case FsError.AlreadyExists _ ->
                    switch (verb) {
                        case MKCOL -> 405; // RFC 4918 section 9.3.1
                        // If-Match, If-None-Match: * and Overwrite: F
                        case PUT, COPY, MOVE, DELETE, PROPPATCH -> 412;
                        case GET, HEAD, PROPFIND, OPTIONS, REFUSED, UNKNOWN -> 409;
                    };
            case FsError.IsDirectory _ -> verb == Verb.PUT ? 405 : 409;
            case FsError.NotEmpty _ -> 409;
            case FsError.PermissionDenied _ -> 403;
            case FsError.InvalidArgument _ -> 400;
            case FsError.TooLong _ -> 414;
            case FsError.Unsupported _ -> 501;
            case FsError.FileLocked _ -> 423;
            case FsError.LeaseGone _ -> 409;
            case FsError.SizeMismatch _ -> 400;
            case FsError.ChecksumMismatch _ -> 400;
            case FsError.NoSpace _ -> 507;
            case FsError.QuotaExceeded _ -> 507;
            case FsError.IoFailure _ -> 500;
            case FsError.TicketInvalid _ -> 403;
            case FsError.TicketExpired _ -> 403;
            case FsError.Overloaded _ -> 503;
            case FsError.Unavailable _ -> 503;
            case FsError.NotLeader _ -> 503;
            case FsError.CrossDevice _ -> 409;
            case FsError.Internal _ -> 500;
        };
    }

    /** Headers that belong to some errors. */
    static void addHeaders(FsError error, int status, HttpHeaders headers) {
        if (error instanceof FsError.Overloaded(_, int seconds)) {
            headers.set(HttpHeaderNames.RETRY_AFTER, seconds);
        } else if (error instanceof FsError.Unavailable(_, int seconds)) {
            headers.set(HttpHeaderNames.RETRY_AFTER, seconds);
        } else if (status == 503) {
            headers.set(HttpHeaderNames.RETRY_AFTER, 5);
        }
        if (status == 405) {
            headers.set(HttpHeaderNames.ALLOW, Verb.ALLOWED);
        }
    }

    /** True if another server, or this one later, may answer otherwise. */
    static boolean isPassing(FsError error) {
        return error instanceof FsError.Overloaded
                || error instanceof FsError.Unavailable
                || error instanceof FsError.NotLeader;
    }
}
