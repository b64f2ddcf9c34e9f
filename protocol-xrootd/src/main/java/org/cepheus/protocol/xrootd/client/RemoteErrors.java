package org.cepheus.protocol.xrootd.client;

import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;

/** What a remote server's error numbers mean in our words. */
final class RemoteErrors {
    private RemoteErrors() {}

    static FsException of(XrootdResponse.Failed failed) {
        return new FsException(error(failed.code(), failed.text()));
    }

    static FsException unexpected(XrootdResponse response) {
        return new FsException(
                new FsError.IoFailure("the server answered something else: " + response));
    }

    private static FsError error(int code, String text) {
        return switch (code) {
            case ErrorCode.ARG_INVALID, ErrorCode.INVALID_REQUEST ->
                    new FsError.InvalidArgument(text);
            case ErrorCode.ARG_TOO_LONG -> new FsError.TooLong(text);
            case ErrorCode.FILE_LOCKED -> new FsError.FileLocked(text);
            case ErrorCode.NO_SPACE, ErrorCode.OVER_QUOTA -> new FsError.NoSpace(text);
            case ErrorCode.NOT_AUTHORIZED, ErrorCode.AUTH_FAILED ->
                    new FsError.PermissionDenied(text);
            case ErrorCode.NOT_FOUND -> new FsError.NotFound(text);
            case ErrorCode.UNSUPPORTED -> new FsError.Unsupported(text);
            case ErrorCode.IS_DIRECTORY -> new FsError.IsDirectory(text);
            case ErrorCode.IT_EXISTS -> new FsError.AlreadyExists(text);
            case ErrorCode.CHECKSUM_ERROR -> new FsError.ChecksumMismatch(text);
            case ErrorCode.OVERLOADED -> new FsError.Overloaded(text, 5);
            default -> new FsError.IoFailure("error %d: %s".formatted(code, text));
        };
    }
}
