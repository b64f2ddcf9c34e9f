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
    int READ = 3013;
    int RM = 3014;
    int RMDIR = 3015;
    int SYNC = 3016;
    int STAT = 3017;
    int SET = 3018;
    int WRITE = 3019;
    int PREPARE = 3021;
    int STATX = 3022;
    int ENDSESS = 3023;
    int BIND = 3024;
    int READV = 3025;
    int PGWRITE = 3026;
    int LOCATE = 3027;
    int TRUNCATE = 3028;
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
        public static final int CHECKSUM = 3;
        public static final int SPACE = 5;
        public static final int CONFIG = 7;

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
        /** With the stat of each entry; a wanted checksum (4) implies it. */
        public boolean withStat() {
            return (options & 0x06) != 0;
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

        public boolean has(int option) {
            return (options & option) != 0;
        }

        public boolean isForWriting() {
            return (options & (DELETE | NEW | UPDATE | APPEND | WRITE_TO)) != 0;
        }

        /** The answer carries compression fields when they or a stat were asked for. */
        public boolean wantsCompression() {
            return has(COMPRESS) || has(RETURN_STAT);
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
        @Override
        public String operation() {
            return "prepare";
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

    /** Known to the protocol, not to us; {@code dataBytes} of bulk follow and are dropped. */
    record NotServed(int id, long dataBytes) implements XrootdRequest {
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
