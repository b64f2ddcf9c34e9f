package org.cepheus.fst.volume;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The few calls of the C library that data files need and the JDK lacks or wraps with copies: many
 * buffers at one offset, writeback without waiting, O_EXCL without surprises. Linux, 64 bits. Each
 * call is repeated when a signal interrupts it.
 */
@SuppressWarnings("restricted") // the process is started with native access enabled
final class Posix {
    static final int O_RDONLY = 0;
    static final int O_RDWR = 2;
    static final int O_CREAT = 0x40;
    static final int O_EXCL = 0x80;
    static final int O_CLOEXEC = 0x80000;

    /** In {@link #splice}: from where the source stands, as a pipe has no offsets. */
    static final long NO_OFFSET = -1;

    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int EEXIST = 17;
    static final int EINVAL = 22;
    static final int ENOSPC = 28;
    static final int ENOTSUP = 95;
    static final int EDQUOT = 122;

    /** The most buffers one call takes (IOV_MAX). */
    static final int MAX_BUFFERS = 1_024;

    /** The longest attribute that is read. */
    static final int MAX_ATTRIBUTE_BYTES = 256;

    private static final int SYNC_FILE_RANGE_WRITE = 2;
    private static final int SEEK_END = 2;
    private static final int POSIX_FADV_WILLNEED = 3;
    private static final int O_NONBLOCK = 0x800;
    private static final int F_SETPIPE_SZ = 1_031;
    private static final int SPLICE_F_NONBLOCK = 2;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");

    private static final MethodHandle OPEN =
            variadic("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
    private static final MethodHandle PREADV = vector("preadv");
    private static final MethodHandle PWRITEV = vector("pwritev");
    private static final MethodHandle CLOSE = onDescriptor("close");
    private static final MethodHandle FSYNC = onDescriptor("fsync");
    private static final MethodHandle FDATASYNC = onDescriptor("fdatasync");
    private static final MethodHandle FTRUNCATE =
            handle("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle LSEEK =
            handle("lseek", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle SYNC_FILE_RANGE =
            handle(
                    "sync_file_range",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle POSIX_FADVISE =
            handle(
                    "posix_fadvise",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle PIPE2 =
            handle("pipe2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle FCNTL =
            variadic("fcntl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle SPLICE =
            handle(
                    "splice",
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle FSETXATTR =
            handle(
                    "fsetxattr",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle GETXATTR =
            handle(
                    "getxattr",
                    FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));

    private Posix() {}

    private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, CAPTURE);
    }

    /** Two fixed arguments, and more. */
    private static MethodHandle variadic(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                descriptor,
                CAPTURE,
                Linker.Option.firstVariadicArg(2));
    }

    private static MethodHandle onDescriptor(String name) {
        return handle(name, FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    }

    private static MethodHandle vector(String name) {
        return handle(
                name, FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG));
    }

    /** The number the C library left in errno, and which call left it. */
    static final class Failure extends Exception {
        private static final long serialVersionUID = 1L;

        private final String call;
        private final int errno;

        Failure(String call, int errno) {
            super(call + ": errno " + errno, null, false, false);
            this.call = call;
            this.errno = errno;
        }

        int errno() {
            return errno;
        }

        /** Such as {@code fsync: no space left on the device (ENOSPC)}. */
        String text() {
            return call
                    + ": "
                    + switch (errno) {
                        case ENOENT -> "no such file (ENOENT)";
                        case 5 -> "input/output error (EIO)";
                        case 13 -> "permission denied (EACCES)";
                        case EEXIST -> "the file exists (EEXIST)";
                        case 24 -> "too many open files (EMFILE)";
                        case EINVAL -> "not possible with this file (EINVAL)";
                        case ENOSPC -> "no space left on the device (ENOSPC)";
                        case 30 -> "read-only file system (EROFS)";
                        case ENOTSUP -> "not supported (EOPNOTSUPP)";
                        case 103 -> "the mount was cut off (ECONNABORTED)";
                        case 107 -> "the mount is gone (ENOTCONN)";
                        case 110 -> "the storage did not answer in time (ETIMEDOUT)";
                        case 116 -> "stale file handle (ESTALE)";
                        case EDQUOT -> "the quota of the file system is used up (EDQUOT)";
                        default -> "errno " + errno;
                    };
        }
    }

    /** One call; the segment receives errno. */
    private interface Call {
        long run(MemorySegment state, Arena arena) throws Throwable;
    }

    private static long call(String name, Call call) throws Failure {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            while (true) {
                long result = call.run(state, arena);
                if (result >= 0) {
                    return result;
                }
                int errno = (int) ERRNO.get(state, 0L);
                if (errno != EINTR || name.equals("close")) {
                    throw new Failure(name, errno);
                }
            }
        } catch (Failure | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(name + " cannot be called", e);
        }
    }

    static int open(String path, int flags, int mode) throws Failure {
        return (int)
                call(
                        "open",
                        (state, arena) ->
                                (int)
                                        OPEN.invokeExact(
                                                state,
                                                arena.allocateFrom(path),
                                                flags | O_CLOEXEC,
                                                mode));
    }

    static void close(int fd) throws Failure {
        call("close", (state, _) -> (int) CLOSE.invokeExact(state, fd));
    }

    static void fsync(int fd) throws Failure {
        call("fsync", (state, _) -> (int) FSYNC.invokeExact(state, fd));
    }

    static void fdatasync(int fd) throws Failure {
        call("fdatasync", (state, _) -> (int) FDATASYNC.invokeExact(state, fd));
    }

    static void truncate(int fd, long size) throws Failure {
        call("ftruncate", (state, _) -> (int) FTRUNCATE.invokeExact(state, fd, size));
    }

    static long size(int fd) throws Failure {
        return call("lseek", (state, _) -> (long) LSEEK.invokeExact(state, fd, 0L, SEEK_END));
    }

    /** Begins to write dirty pages of the range and waits for none. */
    static void startWriteback(int fd, long offset, long length) throws Failure {
        call(
                "sync_file_range",
                (state, _) ->
                        (int)
                                SYNC_FILE_RANGE.invokeExact(
                                        state, fd, offset, length, SYNC_FILE_RANGE_WRITE));
    }

    /** Begins to fetch the range into memory. */
    static void willRead(int fd, long offset, long length) throws Failure {
        long errno =
                call(
                        "posix_fadvise",
                        (state, _) ->
                                (int)
                                        POSIX_FADVISE.invokeExact(
                                                state, fd, offset, length, POSIX_FADV_WILLNEED));
        if (errno != 0) {
            throw new Failure("posix_fadvise", (int) errno); // This one does not use errno.
        }
    }

    /**
     * A pipe that does not block, with room for so many bytes.
     *
     * @return where it is read, where it is written
     */
    static int[] pipe(int bytes) throws Failure {
        int[] ends = new int[2];
        call(
                "pipe2",
                (state, arena) -> {
                    MemorySegment both = arena.allocate(JAVA_INT, 2);
                    int result = (int) PIPE2.invokeExact(state, both, O_CLOEXEC | O_NONBLOCK);
                    MemorySegment.copy(both, JAVA_INT, 0, ends, 0, 2);
                    return result;
                });
        try {
            call(
                    "fcntl(F_SETPIPE_SZ)",
                    (state, _) -> (int) FCNTL.invokeExact(state, ends[1], F_SETPIPE_SZ, bytes));
        } catch (Failure e) {
            close(ends[0]);
            close(ends[1]);
            throw e;
        }
        return ends;
    }

    /**
     * Moves pages into a pipe or out of it. A pipe never makes it wait, a file may.
     *
     * @param offset in the source, or {@link #NO_OFFSET}
     * @return bytes moved; 0 at the end of the source
     */
    static long splice(int from, long offset, int to, int length) throws Failure {
        return call(
                "splice",
                (state, arena) -> {
                    MemorySegment at =
                            offset == NO_OFFSET
                                    ? MemorySegment.NULL
                                    : arena.allocateFrom(JAVA_LONG, offset);
                    return (long)
                            SPLICE.invokeExact(
                                    state,
                                    from,
                                    at,
                                    to,
                                    MemorySegment.NULL,
                                    (long) length,
                                    SPLICE_F_NONBLOCK);
                });
    }

    static void setAttribute(int fd, String name, String value) throws Failure {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        call(
                "fsetxattr",
                (state, arena) ->
                        (int)
                                FSETXATTR.invokeExact(
                                        state,
                                        fd,
                                        arena.allocateFrom(name),
                                        arena.allocateFrom(JAVA_BYTE, bytes),
                                        (long) bytes.length,
                                        0));
    }

    /** An attribute of at most {@link #MAX_ATTRIBUTE_BYTES}. */
    static String attribute(String path, String name) throws Failure {
        byte[] value = new byte[MAX_ATTRIBUTE_BYTES];
        long length =
                call(
                        "getxattr",
                        (state, arena) -> {
                            MemorySegment into = arena.allocate(MAX_ATTRIBUTE_BYTES);
                            long got =
                                    (long)
                                            GETXATTR.invokeExact(
                                                    state,
                                                    arena.allocateFrom(path),
                                                    arena.allocateFrom(name),
                                                    into,
                                                    (long) MAX_ATTRIBUTE_BYTES);
                            MemorySegment.copy(into, JAVA_BYTE, 0, value, 0, value.length);
                            return got;
                        });
        return new String(value, 0, (int) length, StandardCharsets.UTF_8);
    }

    /** One preadv from the positions of up to {@link #MAX_BUFFERS} direct buffers; 0 at the end. */
    static long read(int fd, long offset, ByteBuffer[] into, int first, int count) throws Failure {
        try {
            return call(
                    "preadv",
                    (state, arena) ->
                            (long)
                                    PREADV.invokeExact(
                                            state,
                                            fd,
                                            vectors(arena, into, first, count),
                                            count,
                                            offset));
        } finally {
            Reference.reachabilityFence(into);
        }
    }

    /** One pwritev of what remains in up to {@link #MAX_BUFFERS} direct buffers. */
    static long write(int fd, long offset, ByteBuffer[] from, int first, int count) throws Failure {
        try {
            return call(
                    "pwritev",
                    (state, arena) ->
                            (long)
                                    PWRITEV.invokeExact(
                                            state,
                                            fd,
                                            vectors(arena, from, first, count),
                                            count,
                                            offset));
        } finally {
            Reference.reachabilityFence(from);
        }
    }

    private static MemorySegment vectors(Arena arena, ByteBuffer[] buffers, int first, int count) {
        MemorySegment vectors = arena.allocate(16L * count, 8);
        for (int i = 0; i < count; i++) {
            MemorySegment memory = MemorySegment.ofBuffer(buffers[first + i]);
            if (!memory.isNative()) {
                throw new IllegalArgumentException("only direct buffers go to the C library");
            }
            vectors.set(JAVA_LONG, 16L * i, memory.address());
            vectors.set(JAVA_LONG, 16L * i + 8, memory.byteSize());
        }
        return vectors;
    }
}
