package org.cepheus.fst.volume;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.cepheus.domain.port.DataFile;
import org.cepheus.domain.port.PipedBytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernel's pipes through which pages of files go to sockets. A pipe holds references to pages
 * of the page cache, no copies; there are at most {@link #MAX_PIPES}, and empty ones are used
 * again. Any thread may call.
 */
final class Pipes implements AutoCloseable {
    /**
     * Two descriptors each; whoever finds all taken copies instead, and so does who may have no
     * more: 64 MiB in all pipes is what the kernel grants a user without privileges.
     */
    static final int MAX_PIPES = 64;

    /** A page more than is put in, as a range may begin within one. */
    static final int PIPE_BYTES = 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(Pipes.class);

    private final Deque<Pipe> idle = new ArrayDeque<>();
    private int made;
    private boolean closed;
    private boolean refused;

    /** One pipe, and what of a file is in it. */
    private final class Pipe implements PipedBytes {
        private final int out;
        private final int in;
        private int left;
        private boolean inUse;

        Pipe(int out, int in) {
            this.out = out;
            this.in = in;
        }

        @Override
        public int left() {
            return left;
        }

        @Override
        public int moveTo(int socket) throws IOException {
            try {
                int moved = (int) Posix.splice(out, Posix.NO_OFFSET, socket, left);
                left -= moved;
                return moved;
            } catch (Posix.Failure e) {
                if (e.errno() == Posix.EAGAIN) {
                    return 0;
                }
                throw new IOException(e.text(), e);
            }
        }

        /** False if the pipe is full although the bytes ought to fit. */
        boolean fill(int file, long offset, int length) throws Posix.Failure {
            left = 0;
            while (left < length) {
                long got;
                try {
                    got = Posix.splice(file, offset + left, in, length - left);
                } catch (Posix.Failure e) {
                    if (e.errno() == Posix.EAGAIN) {
                        return false;
                    }
                    throw e;
                }
                if (got == 0) {
                    break;
                }
                left += (int) got;
            }
            return true;
        }

        @Override
        public void close() {
            giveBack(this);
        }

        void destroy() {
            for (int fd : new int[] {out, in}) {
                try {
                    Posix.close(fd);
                } catch (Posix.Failure e) {
                    LOG.warn("a pipe cannot be closed: {}", e.text());
                }
            }
        }
    }

    /**
     * Takes a range of a file into a pipe.
     *
     * @return empty if there is no pipe for it, or the file is none that goes through pipes
     * @throws Posix.Failure if the storage fails
     */
    Optional<PipedBytes> fill(int file, long offset, int length) throws Posix.Failure {
        if (length > DataFile.MAX_PIPED_BYTES) {
            throw new IllegalArgumentException(
                    "%d bytes for a pipe, the limit is %d"
                            .formatted(length, DataFile.MAX_PIPED_BYTES));
        }
        Optional<Pipe> pipe = take();
        if (pipe.isEmpty()) {
            return Optional.empty();
        }
        boolean filled = false;
        try {
            filled = pipe.get().fill(file, offset, length);
        } catch (Posix.Failure e) {
            if (e.errno() != Posix.EINVAL) {
                throw e;
            }
            refuse("this storage does not splice: " + e.text());
        } finally {
            if (!filled) {
                pipe.get().close();
            }
        }
        return filled ? Optional.of(pipe.get()) : Optional.empty();
    }

    private synchronized void refuse(String why) {
        if (!refused) {
            refused = true;
            LOG.info("what is sent is copied from now on: {}", why);
        }
    }

    private synchronized Optional<Pipe> take() {
        if (closed || refused) {
            return Optional.empty();
        }
        Pipe pipe = idle.poll();
        if (pipe == null) {
            if (made >= MAX_PIPES) {
                return Optional.empty();
            }
            try {
                int[] ends = Posix.pipe(PIPE_BYTES);
                pipe = new Pipe(ends[0], ends[1]);
            } catch (Posix.Failure e) {
                // The kernel grants a user so many pages for pipes, and a process its descriptors.
                LOG.debug("no more pipes than {}: {}", made, e.text());
                return Optional.empty();
            }
            made++;
        }
        pipe.inUse = true;
        return Optional.of(pipe);
    }

    private synchronized void giveBack(Pipe pipe) {
        if (!pipe.inUse) {
            return;
        }
        pipe.inUse = false;
        if (closed || pipe.left > 0) {
            made--;
            pipe.destroy();
        } else {
            idle.push(pipe);
        }
    }

    /** How many exist. */
    synchronized int made() {
        return made;
    }

    /** Those in use are closed when they are given back. */
    @Override
    public synchronized void close() {
        closed = true;
        made -= idle.size();
        idle.forEach(Pipe::destroy);
        idle.clear();
    }
}
