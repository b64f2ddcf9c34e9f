package org.cepheus.domain;

/**
 * The catalogue of errors: for each kind of {@link FsError} what the protocols answer, what it
 * means and what to do. {@code GET /api/v1/errors} shows it, and docs/errors.md is checked against
 * it.
 */
public enum ErrorKind {
    NOT_FOUND(
            "NotFound",
            "3011",
            404,
            "No such file, directory, attribute or FST.",
            "Check the path; an upload is visible only after its close."),
    ALREADY_EXISTS(
            "AlreadyExists",
            "3018",
            409,
            "The name is taken.",
            "Use `-f`, `Overwrite: T`, or another name."),
    NOT_DIRECTORY(
            "NotDirectory", "3005", 404, "A component of the path is a file.", "Check the path."),
    IS_DIRECTORY(
            "IsDirectory",
            "3016",
            409,
            "A file was needed and a directory is there.",
            "Name the file in it, or use `-r`."),
    NOT_EMPTY(
            "NotEmpty",
            "3018",
            409,
            "The directory has entries, or uploads running in it; the text says whose.",
            "Empty it, or wait for the upload."),
    PERMISSION_DENIED(
            "PermissionDenied",
            "3010",
            403,
            "Mode, owner or group do not allow it; the text names the directory or file that says no.",
            "Ask the owner, or log in as somebody else."),
    INVALID_ARGUMENT(
            "InvalidArgument",
            "3000",
            400,
            "The request cannot be meant as it was sent.",
            "Mend the request; the text says what is wrong."),
    TOO_LONG(
            "TooLong",
            "3002",
            414,
            "A name (255 bytes), depth (255), attribute or request is over its limit.",
            "Shorten it."),
    UNSUPPORTED(
            "Unsupported", "3013", 501, "Correct, but not done by this server.", "Do without it."),
    FILE_LOCKED(
            "FileLocked",
            "3003",
            423,
            "Somebody updates the file in place; the text says who and since when.",
            "Try again later, or replace the file."),
    LEASE_GONE(
            "LeaseGone",
            "3007",
            409,
            "The transfer was ended, its name removed, or its time is over; the text says which.",
            "Start it again, unless somebody ended it on purpose."),
    SIZE_MISMATCH(
            "SizeMismatch",
            "3007",
            400,
            "What arrived is not the size that was declared; nothing was stored.",
            "Send the file again; check the source."),
    CHECKSUM_MISMATCH(
            "ChecksumMismatch",
            "3019",
            400,
            "The bytes do not have the checksum they should; nothing was stored.",
            "Send the file again; check the source."),
    NO_SPACE(
            "NoSpace",
            "3009",
            507,
            "No volume has room, or no FST that is up offers one, whatever the quota says.",
            "Tell the operator; see `./cepheus status`."),
    QUOTA_EXCEEDED(
            "QuotaExceeded",
            "3021",
            507,
            "Used and reserved would pass a limit; the text names node, whose limit (the node's"
                    + " default if they have none of their own), use and reservations.",
            "Remove files, or ask for a higher limit."),
    IO_FAILURE(
            "IoFailure",
            "3007",
            500,
            "Storage failed below the FST.",
            "Try again: another FST may do better. The operator looks at the mount."),
    TICKET_INVALID(
            "TicketInvalid",
            "3010",
            403,
            "The ticket is forged, cut short, or for another file, FST or cluster.",
            "Open the file at the MGM."),
    TICKET_EXPIRED(
            "TicketExpired",
            "3012",
            403,
            "The ticket was good once. Mostly seen as a redirect to the MGM.",
            "Open the file at the MGM."),
    OVERLOADED(
            "Overloaded",
            "wait",
            503,
            "A limit of this server is reached for the moment.",
            "Clients wait by themselves; HTTP has `Retry-After`."),
    UNAVAILABLE(
            "Unavailable",
            "wait",
            503,
            "No leader just now, or nobody knows yet whether it happened.",
            "Repeat: it is safe."),
    NOT_LEADER(
            "NotLeader",
            "redirect",
            503,
            "Another MGM leads; clients are redirected, or wait while nobody leads.",
            "Nothing."),
    CROSS_DEVICE(
            "CrossDevice",
            "3005",
            409,
            "The rename would move more than 1,000 entries to another quota node, and nobody has"
                    + " counted them.",
            "Copy, move it in parts, or have a quota set on the directory (of any size) and move"
                    + " it once it is counted."),
    INTERNAL(
            "Internal",
            "3012",
            500,
            "Our own fault; the log has more under the trace id.",
            "Report it with the trace id.");

    private final String word;
    private final String xrootd;
    private final int status;
    private final String meaning;
    private final String advice;

    ErrorKind(String word, String xrootd, int status, String meaning, String advice) {
        this.word = word;
        this.xrootd = xrootd;
        this.status = status;
        this.meaning = meaning;
        this.advice = advice;
    }

    /** The kind of an error. */
    public static ErrorKind of(FsError error) {
        return switch (error) {
            case FsError.NotFound _ -> NOT_FOUND;
            case FsError.AlreadyExists _ -> ALREADY_EXISTS;
            case FsError.NotDirectory _ -> NOT_DIRECTORY;
            case FsError.IsDirectory _ -> IS_DIRECTORY;
            case FsError.NotEmpty _ -> NOT_EMPTY;
            case FsError.PermissionDenied _ -> PERMISSION_DENIED;
            case FsError.InvalidArgument _ -> INVALID_ARGUMENT;
            case FsError.TooLong _ -> TOO_LONG;
            case FsError.Unsupported _ -> UNSUPPORTED;
            case FsError.FileLocked _ -> FILE_LOCKED;
            case FsError.LeaseGone _ -> LEASE_GONE;
            case FsError.SizeMismatch _ -> SIZE_MISMATCH;
            case FsError.ChecksumMismatch _ -> CHECKSUM_MISMATCH;
            case FsError.NoSpace _ -> NO_SPACE;
            case FsError.QuotaExceeded _ -> QUOTA_EXCEEDED;
            case FsError.IoFailure _ -> IO_FAILURE;
            case FsError.TicketInvalid _ -> TICKET_INVALID;
            case FsError.TicketExpired _ -> TICKET_EXPIRED;
            case FsError.Overloaded _ -> OVERLOADED;
            case FsError.Unavailable _ -> UNAVAILABLE;
            case FsError.NotLeader _ -> NOT_LEADER;
            case FsError.CrossDevice _ -> CROSS_DEVICE;
            case FsError.Internal _ -> INTERNAL;
        };
    }

    /** The code that answers, logs and scripts know it by. */
    public String word() {
        return word;
    }

    /** The number of an XRootD error, or {@code wait} or {@code redirect}. */
    public String xrootd() {
        return xrootd;
    }

    /** The HTTP status, without regard to the method. */
    public int status() {
        return status;
    }

    /** One sentence. */
    public String meaning() {
        return meaning;
    }

    /** What to do now. */
    public String advice() {
        return advice;
    }
}
