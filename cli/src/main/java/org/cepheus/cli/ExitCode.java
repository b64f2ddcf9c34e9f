package org.cepheus.cli;

/** What scripts see of the outcome; docs/operating/command-line.md has the table. */
public final class ExitCode {
    public static final int OK = 0;
    public static final int FAILED = 1;
    public static final int USAGE = 2;
    public static final int NOT_FOUND = 3;
    public static final int DENIED = 4;

    /** A quota or the volumes have no room. */
    public static final int NO_ROOM = 5;

    /** Nobody answers, or there is no leader: trying again later may help. */
    public static final int UNAVAILABLE = 6;

    /** Some of it was done; the error stream says what was not. */
    public static final int PARTIAL = 7;

    /** It is not as it would have to be: the name is taken, not empty, or in use. */
    public static final int CONFLICT = 8;

    /** It destroys something, and nobody said yes. Nothing was done. */
    public static final int DECLINED = 9;

    private ExitCode() {}

    /** The code for an HTTP status that is no success. */
    static int ofStatus(int status) {
        return switch (status) {
            case 400, 405, 413, 414 -> USAGE;
            case 401, 403 -> DENIED;
            case 404, 410 -> NOT_FOUND;
            case 409, 412, 422, 423 -> CONFLICT;
            case 507 -> NO_ROOM;
            case 429, 502, 503, 504 -> UNAVAILABLE;
            default -> FAILED;
        };
    }
}
