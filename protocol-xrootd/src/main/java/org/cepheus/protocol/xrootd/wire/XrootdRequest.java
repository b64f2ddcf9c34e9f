package org.cepheus.protocol.xrootd.wire;

import java.util.List;
import org.cepheus.domain.codec.Bytes;

/**
 * A client request as data. Handles are the four opaque bytes of an open file as a number; targets
 * are paths with their CGI as they came; offsets and lengths are never negative.
 */
public sealed interface XrootdRequest {
    int AUTH = 3000;
    int QUERY = 3001;
    int CHMOD = 3002;
    int CLOSE = 3003;
    int DIRLIST = 3004;
    int PROTOCOL = 3006;
    int LOGIN = 3007;
    int MKDIR = 3008;
    int MV = 3009;
    int OPEN = 3010;
    int PING = 3011;
    int CHKPOINT = 3012;
    int READ = 3013;
    int RM = 3014;
    int RMDIR = 3015;
    int SYNC = 3016;
    int STAT = 3017;
    int SET = 3018;
    int WRITE = 3019;
    int FATTR = 3020;
    int PREPARE = 3021;
    int STATX = 3022;
    int ENDSESS = 3023;
    int BIND = 3024;
    int READV = 3025;
    int PGWRITE = 3026;
    int LOCATE = 3027;
    int TRUNCATE = 3028;
    int SIGVER = 3029;
    int PGREAD = 3030;
    int WRITEV = 3031;

    /** The first and the last request id that the protocol knows (5.2). */
    int FIRST = AUTH;

    int LAST = 3032;

    /** The name of the operation in metrics, audit lines and messages. */
    String operation();

    /** A security protocol's credential; the type is its name. */
    record Auth(String type, Bytes credential) implements XrootdRequest {
        @Override
        public String operation() {
            return "auth";
        }
    }

    /** Asks about the server, a path or (with an empty argument) a handle. */
    record Query(int type, int handle, String argument) implements XrootdRequest {
        public static final int STATS = 1;
        public static final int PREPARE = 2;
        public static final int CHECKSUM = 3;
        public static final int ATTRIBUTES = 4;
        public static final int SPACE = 5;
        public static final int CHECKSUM_CANCEL = 6;
        public static final int CONFIG = 7;
        public static final int FILE_INFO = 9;
        public static final int FILESYSTEM_INFO = 10;

        @Override
        public String operation() {
            return "query";
        }
    }

    record Chmod(int mode, String target) implements XrootdRequest {
        @Override
        public String operation() {
            return "chmod";
        }
    }

    record Close(int handle) implements XrootdRequest {
        @Override
        public String operation() {
            return "close";
        }
    }

    record DirList(int options, String target) implements XrootdRequest {
        /** With the stat of each entry, short or long; a wanted checksum implies it. */
        public boolean withStat() {
            return (options & 0x0e) != 0;
        }

        /** With a checksum of each file, of the type that the CGI's {@code cks.type} names. */
        public boolean withChecksum() {
            return (options & 0x04) != 0;
        }

        @Override
        public String operation() {
            return "dirlist";
        }
    }

    record Protocol(int version, int flags, int expect) implements XrootdRequest {
        @Override
        public String operation() {
            return "protocol";
        }
    }

    /** The user name is a claim of at most 8 bytes and proves nothing. */
    record Login(int pid, String user, int ability2, int ability, int version, String cgi)
            implements XrootdRequest {
        @Override
        public String operation() {
            return "login";
        }
    }

    record MakeDirectory(int options, int mode, String target) implements XrootdRequest {
        public boolean withParents() {
            return (options & 1) != 0;
        }

        @Override
        public String operation() {
            return "mkdir";
        }
    }

    record Move(String source, String target) implements XrootdRequest {
        @Override
        public String operation() {
            return "mv";
        }
    }

    record Open(int mode, int options, int moreOptions, String target) implements XrootdRequest {
        public static final int DELETE = 0x02;
        public static final int NEW = 0x08;
        public static final int FOR_READ = 0x10;
        public static final int UPDATE = 0x20;
        public static final int MAKE_PATH = 0x100;
        public static final int APPEND = 0x200;
        public static final int RETURN_STAT = 0x400;
        private static final int COMPRESS = 0x01;
        private static final int WRITE_TO = 0x8000;
        private static final int DUPLICATE = 0x01;
        private static final int SAME_FILESYSTEM = 0x02;
        private static final int RETURN_LONG_STAT = 0x04;

        public boolean has(int option) {
            return (options & option) != 0;
        }

        public boolean isForWriting() {
            return (options & (DELETE | NEW | UPDATE | APPEND | WRITE_TO)) != 0;
        }

        public boolean wantsStat() {
            return has(RETURN_STAT) || (moreOptions & RETURN_LONG_STAT) != 0;
        }

        /** The answer carries compression fields when they or a stat were asked for. */
        public boolean wantsCompression() {
            return has(COMPRESS) || wantsStat();
        }

        /** An open file is to be the template of this one: its content, or where it lies. */
        public boolean hasTemplate() {
            return (moreOptions & (DUPLICATE | SAME_FILESYSTEM)) != 0;
        }

        @Override
        public String operation() {
            return "open";
        }
    }

    record Ping() implements XrootdRequest {
        @Override
        public String operation() {
            return "ping";
        }
    }

    /** The path id names the substream for the answer; read-ahead hints are not kept. */
    record Read(int handle, long offset, int length, int pathId) implements XrootdRequest {
        @Override
        public String operation() {
            return "read";
        }
    }

    record Remove(String target) implements XrootdRequest {
        @Override
        public String operation() {
            return "rm";
        }
    }

    record RemoveDirectory(String target) implements XrootdRequest {
        @Override
        public String operation() {
            return "rmdir";
        }
    }

    record Sync(int handle) implements XrootdRequest {
        @Override
        public String operation() {
            return "sync";
        }
    }

    /** By path, or by handle when the target is empty. */
    record Stat(int options, int handle, String target) implements XrootdRequest {
        public boolean ofFilesystem() {
            return (options & 1) != 0;
        }

        @Override
        public String operation() {
            return "stat";
        }
    }

    record SetInfo(int modifier, String text) implements XrootdRequest {
        @Override
        public String operation() {
            return "set";
        }
    }

    /** {@code length} bytes follow as bulk. */
    record Write(int handle, long offset, int length, int pathId) implements XrootdRequest {
        @Override
        public String operation() {
            return "write";
        }
    }

    record Prepare(int options, int priority, int port, int moreOptions, String paths)
            implements XrootdRequest {
        /** The first line is the id of the request that is to end. */
        public boolean isCancel() {
            return (options & 0x01) != 0;
        }

        public boolean isStage() {
            return (options & 0x08) != 0;
        }

        public boolean isEvict() {
            return (moreOptions & 0x01) != 0;
        }

        @Override
        public String operation() {
            return "prepare";
        }
    }

    /**
     * Reads or changes extended attributes of a path or, with an empty target, of an open file. The
     * values are there when setting, one for each name.
     */
    record Attributes(
            int handle,
            int action,
            int options,
            String target,
            List<String> names,
            List<Bytes> values)
            implements XrootdRequest {
        public static final int DELETE = 0;
        public static final int GET = 1;
        public static final int LIST = 2;
        public static final int SET = 3;

        /** The most names of one request, and bytes of a name and a value, as in the C++ server. */
        public static final int MAX_NAMES = 16;

        public static final int MAX_NAME_BYTES = 248;
        public static final int MAX_VALUE_BYTES = 64 * 1024;

        public Attributes {
            names = List.copyOf(names);
            values = List.copyOf(values);
        }

        /** Sets only what is not there yet. */
        public boolean onlyNew() {
            return (options & 0x01) != 0;
        }

        /** Lists values, too. */
        public boolean withValues() {
            return (options & 0x10) != 0;
        }

        @Override
        public String operation() {
            return "fattr";
        }
    }

    /** The paths are separated by newlines; the answer is one flag byte for each. */
    record StatMany(String paths) implements XrootdRequest {
        @Override
        public String operation() {
            return "statx";
        }
    }

    record EndSession(Bytes session) implements XrootdRequest {
        @Override
        public String operation() {
            return "endsess";
        }
    }

    record Bind(Bytes session) implements XrootdRequest {
        @Override
        public String operation() {
            return "bind";
        }
    }

    record ReadMany(int pathId, List<Segment> segments) implements XrootdRequest {
        /** The most segments of one request, and bytes of one segment, as in the C++ server. */
        public static final int MAX_SEGMENTS = 1024;

        public static final int MAX_SEGMENT_BYTES = 2_097_136;

        public ReadMany {
            segments = List.copyOf(segments);
        }

        /** One range of one file. */
        public record Segment(int handle, int length, long offset) {}

        @Override
        public String operation() {
            return "readv";
        }
    }

    /** {@code length} bytes of pages with their checksums follow as bulk. */
    record PageWrite(int handle, long offset, int length, int pathId, int flags)
            implements XrootdRequest {
        /** The client sends a page again that arrived damaged. */
        public boolean isRetry() {
            return (flags & 1) != 0;
        }

        @Override
        public String operation() {
            return "pgwrite";
        }
    }

    record Locate(int options, String target) implements XrootdRequest {
        public boolean prefersName() {
            return (options & 0x100) != 0;
        }

        @Override
        public String operation() {
            return "locate";
        }
    }

    /** By path, or by handle when the target is empty. */
    record Truncate(int handle, long size, String target) implements XrootdRequest {
        @Override
        public String operation() {
            return "truncate";
        }
    }

    /** The length counts data only, not the checksums that come with it. */
    record PageRead(int handle, long offset, int length, int pathId, int flags)
            implements XrootdRequest {
        @Override
        public String operation() {
            return "pgread";
        }
    }

    /** The data of the segments follows as bulk, one after the other. */
    record WriteMany(int options, List<ReadMany.Segment> segments) implements XrootdRequest {
        public WriteMany {
            segments = List.copyOf(segments);
        }

        /** All that was written is to be durable before the answer. */
        public boolean withSync() {
            return (options & 1) != 0;
        }

        public long totalBytes() {
            return segments.stream().mapToLong(ReadMany.Segment::length).sum();
        }

        @Override
        public String operation() {
            return "writev";
        }
    }

    /** Signs the request that follows; it has no answer of its own unless it is refused. */
    record Signature(
            int expected, int version, int flags, long sequence, int crypto, Bytes signature)
            implements XrootdRequest {
        @Override
        public String operation() {
            return "sigver";
        }
    }

    /**
     * Known to the protocol, not to us; {@code dataBytes} of bulk follow and are dropped, or {@link
     * #UNKNOWN_LENGTH}.
     */
    record NotServed(int id, long dataBytes) implements XrootdRequest {
        /** Nobody can say how much data follows: the connection cannot go on. */
        public static final long UNKNOWN_LENGTH = -1;

        private static final int GPFILE = 3005;
        private static final int CLONE = 3032;

        /** What to tell the client. */
        public String reason() {
            return switch (id) {
                case GPFILE -> "gpfile is not served: no XRootD server has it; use open and read";
                case CHKPOINT ->
                        "checkpoints are not served: write a new file, it replaces the old one whole at close";
                case CLONE -> "clone is not served: copy through the client";
                default -> "request %d is not served here".formatted(id);
            };
        }

        @Override
        public String operation() {
            return "other";
        }
    }

    /** An id outside the protocol. */
    record Unknown(int id) implements XrootdRequest {
        @Override
        public String operation() {
            return "unknown";
        }
    }
}
