package org.cepheus.protocol.xrootd.wire;

/** The error numbers of the protocol that Cepheus answers or understands. */
public final class ErrorCode {
    public static final int ARG_INVALID = 3000;
    public static final int ARG_MISSING = 3001;
    public static final int ARG_TOO_LONG = 3002;
    public static final int FILE_LOCKED = 3003;
    public static final int FILE_NOT_OPEN = 3004;
    public static final int FS_ERROR = 3005;
    public static final int INVALID_REQUEST = 3006;
    public static final int IO_ERROR = 3007;
    public static final int NO_SPACE = 3009;
    public static final int NOT_AUTHORIZED = 3010;
    public static final int NOT_FOUND = 3011;
    public static final int SERVER_ERROR = 3012;
    public static final int UNSUPPORTED = 3013;
    public static final int IS_DIRECTORY = 3016;
    public static final int IT_EXISTS = 3018;
    public static final int CHECKSUM_ERROR = 3019;
    public static final int OVER_QUOTA = 3021;
    public static final int OVERLOADED = 3024;
    public static final int SIGNATURE_ERROR = 3022;
    public static final int ATTRIBUTE_NOT_FOUND = 3027;
    public static final int AUTH_FAILED = 3030;
    public static final int TOO_MANY_ERRORS = 3033;

    private ErrorCode() {}
}
