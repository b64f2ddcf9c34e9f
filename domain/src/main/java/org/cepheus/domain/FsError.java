package org.cepheus.domain;

import java.util.Optional;

/**
 * Everything that may be answered instead of a result. A new kind is allowed only if a client would
 * do something different; otherwise a better message belongs on an old one. The message names the
 * thing, the limit, the value and the next step, never a credential.
 */
public sealed interface FsError {
    /** One sentence for a person. */
    String message();

    /** No such file, directory, attribute or lease. */
    record NotFound(String message) implements FsError {}

    /** The name is taken. */
    record AlreadyExists(String message) implements FsError {}

    /** A component of the path is a file. */
    record NotDirectory(String message) implements FsError {}

    /** A file was needed, a directory is there. */
    record IsDirectory(String message) implements FsError {}

    /** The directory has entries or uploads running in it. */
    record NotEmpty(String message) implements FsError {}

    /** The identity may not do this. */
    record PermissionDenied(String message) implements FsError {}

    /** The request cannot be meant as it was sent. */
    record InvalidArgument(String message) implements FsError {}

    /** A name, path, value or request is longer than its limit. */
    record TooLong(String message) implements FsError {}

    /** Something correct that this server does not do. */
    record Unsupported(String message) implements FsError {}

    /** Another client has the file open in a conflicting way. */
    record FileLocked(String message) implements FsError {}

    /** The transfer was ended, or what it was about replaced or removed meanwhile: start again. */
    record LeaseGone(String message) implements FsError {}

    /** What arrived is not what was declared: nothing was stored. */
    record SizeMismatch(String message) implements FsError {}

    /** The bytes do not have the checksum they should: nothing was stored. */
    record ChecksumMismatch(String message) implements FsError {}

    /** No volume has room, whatever the quota says. */
    record NoSpace(String message) implements FsError {}

    /** Storage failed below us. */
    record IoFailure(String message) implements FsError {}

    /** The ticket is forged, for something else, or malformed. */
    record TicketInvalid(String message) implements FsError {}

    /** The ticket was good once: ask the MGM for a fresh one. */
    record TicketExpired(String message) implements FsError {}

    /** A limit of this server is reached for the moment: come back after so many seconds. */
    record Overloaded(String message, int retryAfterSeconds) implements FsError {}

    /** No leader, or an unknown outcome: come back after so many seconds; repeating is safe. */
    record Unavailable(String message, int retryAfterSeconds) implements FsError {}

    /** Would have to move data or charges as a copy between file systems does (EXDEV). */
    record CrossDevice(String message) implements FsError {}

    /** Our own fault; the log has more under the same trace id. */
    record Internal(String message) implements FsError {}

    /** Ask the leader; a redirect in every protocol, never an error on the wire. */
    record NotLeader(Optional<MgmAddress> leader) implements FsError {
        @Override
        public String message() {
            return leader.map(at -> "the leader is " + at.host())
                    .orElse("this member is not the leader, and no leader is known");
        }
    }

    /**
     * The operation would raise used + reserved above a limit. Sizes in bytes, or counts of files.
     */
    record QuotaExceeded(
            FsPath node,
            QuotaKind kind,
            String principal,
            QuotaUnit unit,
            long limit,
            long used,
            long reserved,
            long wanted)
            implements FsError {
        @Override
        public String message() {
            String whose =
                    kind == QuotaKind.PROJECT ? "" : " of %s %s".formatted(kind.word(), principal);
            return "quota exceeded at %s%s: limit %d %s, used %d, reserved by running uploads %d, wanted %d more; remove files or ask for a higher limit"
                    .formatted(node.value(), whose, limit, unit.word(), used, reserved, wanted);
        }
    }
}
