package org.cepheus.protocol.xrootd;

import org.cepheus.domain.ErrorKind;
import org.cepheus.domain.FsError;
import org.cepheus.domain.TraceId;
import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;

/** The XRootD column of the table of errors: what each error looks like on this wire. */
public final class XrootdErrors {
    private static final int NO_LEADER_WAIT_SECONDS = 1;

    private XrootdErrors() {}

    /** An error with its number and text, or the wait or redirect that it really means. */
    static XrootdResponse answer(FsError error, TraceId trace) {
        if (error instanceof FsError.NotLeader(var leader)) {
            return leader.<XrootdResponse>map(at ->
                            new XrootdResponse.Redirect(at.xrootdPort(), hostText(at.host()), ""))
                    .orElseGet(
                            () -> new XrootdResponse.Wait(NO_LEADER_WAIT_SECONDS, error.message()));
        }
        if (error instanceof FsError.Overloaded(var message, int seconds)) {
            return new XrootdResponse.Wait(Math.max(1, seconds), message);
        }
        if (error instanceof FsError.Unavailable(var message, int seconds)) {
            return new XrootdResponse.Wait(Math.max(1, seconds), message);
        }
        return failed(error, trace);
    }

    /** The error as such, for where a wait or a redirect cannot be said. */
    static XrootdResponse.Failed failed(FsError error, TraceId trace) {
        String sentence = "%s; next: %s".formatted(error.message(), ErrorKind.of(error).advice());
        return new XrootdResponse.Failed(code(error), text(sentence, trace));
    }

    static String text(String message, TraceId trace) {
        return message + " [trace " + trace + "]";
    }

    /**
     * The number of an error; what is answered by a wait or a redirect has one too, for where those
     * cannot be said.
     */
    public static int code(FsError error) {
        return switch (error) {
            case FsError.NotFound _ -> ErrorCode.NOT_FOUND;
            case FsError.AlreadyExists _, FsError.NotEmpty _ -> ErrorCode.IT_EXISTS;
            case FsError.NotDirectory _, FsError.CrossDevice _ -> ErrorCode.FS_ERROR;
            case FsError.IsDirectory _ -> ErrorCode.IS_DIRECTORY;
            case FsError.PermissionDenied _, FsError.TicketInvalid _ -> ErrorCode.NOT_AUTHORIZED;
            case FsError.InvalidArgument _ -> ErrorCode.ARG_INVALID;
            case FsError.TooLong _ -> ErrorCode.ARG_TOO_LONG;
            case FsError.Unsupported _ -> ErrorCode.UNSUPPORTED;
            case FsError.FileLocked _ -> ErrorCode.FILE_LOCKED;
            case FsError.LeaseGone _, FsError.SizeMismatch _, FsError.IoFailure _ ->
                    ErrorCode.IO_ERROR;
            case FsError.ChecksumMismatch _ -> ErrorCode.CHECKSUM_ERROR;
            case FsError.NoSpace _ -> ErrorCode.NO_SPACE;
            case FsError.QuotaExceeded _ -> ErrorCode.OVER_QUOTA;
            case FsError.Overloaded _ -> ErrorCode.OVERLOADED;
            case FsError.TicketExpired _,
                    FsError.Unavailable _,
                    FsError.NotLeader _,
                    FsError.Internal _ ->
                    ErrorCode.SERVER_ERROR;
        };
    }

    /** A literal IPv6 address needs brackets in a redirect. */
    static String hostText(String host) {
        return host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    }
}
