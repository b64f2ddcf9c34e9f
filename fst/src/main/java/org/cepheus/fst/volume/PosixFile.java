package org.cepheus.fst.volume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.port.PipedBytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A data file by its descriptor. Never closed by an interrupt, unlike the JDK's channels. */
final class PosixFile implements VolumeFile {
    private static final Logger LOG = LoggerFactory.getLogger(PosixFile.class);

    private final PosixVolume volume;
    private final String path;
    private final int fd;
    private boolean closed;

    PosixFile(PosixVolume volume, String path, int fd) {
        this.volume = volume;
        this.path = path;
        this.fd = fd;
    }

    @Override
    public int read(long offset, ByteBuffer... into) {
        boolean copied = !allDirect(into);
        ByteBuffer[] direct = copied ? copies(into) : into;
        int total = 0;
        int first = 0;
        while (true) {
            while (first < direct.length && !direct[first].hasRemaining()) {
                first++;
            }
            int count = Math.min(Posix.MAX_BUFFERS, direct.length - first);
            if (count == 0) {
                break;
            }
            long got = readOnce(offset + total, direct, first, count);
            if (got == 0) {
                break;
            }
            advance(direct, first, got);
            total += (int) got;
        }
        if (copied) {
            copyBack(direct, into);
        }
        return total;
    }

    @Override
    public Optional<PipedBytes> pipe(long offset, int length) {
        try {
            return volume.pipes().fill(fd, offset, length);
        } catch (Posix.Failure e) {
            throw PosixVolume.error(path, e);
        }
    }

    private long readOnce(long offset, ByteBuffer[] into, int first, int count) {
        try {
            return Posix.read(fd, offset, into, first, count);
        } catch (Posix.Failure e) {
            throw PosixVolume.error(path, e);
        }
    }

    @Override
    public void write(long offset, ByteBuffer... from) {
        ByteBuffer[] direct = allDirect(from) ? from : filledCopies(from);
        long at = offset;
        int first = 0;
        while (true) {
            while (first < direct.length && !direct[first].hasRemaining()) {
                first++;
            }
            int count = Math.min(Posix.MAX_BUFFERS, direct.length - first);
            if (count == 0) {
                break;
            }
            at += writeOnce(at, direct, first, count);
        }
        for (ByteBuffer buffer : from) {
            buffer.position(buffer.limit());
        }
    }

    private long writeOnce(long offset, ByteBuffer[] from, int first, int count) {
        try {
            long put = Posix.write(fd, offset, from, first, count);
            if (put == 0) {
                throw new FsException(
                        new FsError.IoFailure("%s: the storage takes no bytes".formatted(path)));
            }
            advance(from, first, put);
            return put;
        } catch (Posix.Failure e) {
            throw PosixVolume.error(path, e);
        }
    }

    private static void advance(ByteBuffer[] buffers, int first, long bytes) {
        long left = bytes;
        for (int i = first; left > 0; i++) {
            int step = (int) Math.min(left, buffers[i].remaining());
            buffers[i].position(buffers[i].position() + step);
            left -= step;
        }
    }

    private static boolean allDirect(ByteBuffer[] buffers) {
        for (ByteBuffer buffer : buffers) {
            if (!buffer.isDirect()) {
                return false;
            }
        }
        return true;
    }

    private static ByteBuffer[] copies(ByteBuffer[] of) {
        var copies = new ByteBuffer[of.length];
        for (int i = 0; i < of.length; i++) {
            copies[i] = ByteBuffer.allocateDirect(of[i].remaining());
        }
        return copies;
    }

    private static ByteBuffer[] filledCopies(ByteBuffer[] of) {
        ByteBuffer[] copies = copies(of);
        for (int i = 0; i < of.length; i++) {
            copies[i].put(of[i].duplicate()).flip();
        }
        return copies;
    }

    private static void copyBack(ByteBuffer[] from, ByteBuffer[] into) {
        for (int i = 0; i < into.length; i++) {
            into[i].put(from[i].flip());
        }
    }

    @Override
    public void truncate(long sizeBytes) {
        try {
            Posix.truncate(fd, sizeBytes);
        } catch (Posix.Failure e) {
            throw PosixVolume.error(path, e);
        }
    }

    @Override
    public long sizeBytes() {
        try {
            return Posix.size(fd);
        } catch (Posix.Failure e) {
            throw PosixVolume.error(path, e);
        }
    }

    @Override
    public Instant modified() {
        try {
            return Files.getLastModifiedTime(Path.of(path)).toInstant();
        } catch (IOException e) {
            throw new FsException(
                    new FsError.IoFailure("%s: its time cannot be read: %s".formatted(path, e)));
        }
    }

    @Override
    public void startWriteback(long offset, long length) {
        try {
            Posix.startWriteback(fd, offset, length);
        } catch (Posix.Failure e) {
            // Only a hint: what is really wrong shows at sync.
            LOG.debug("{}: {}", path, e.text());
        }
    }

    @Override
    public void willRead(long offset, long length) {
        try {
            Posix.willRead(fd, offset, length);
        } catch (Posix.Failure e) {
            LOG.debug("{}: {}", path, e.text());
        }
    }

    @Override
    public void describe(DataNote note) {
        try {
            Posix.setAttribute(fd, DataNote.ATTRIBUTE, note.toText());
        } catch (Posix.Failure e) {
            volume.cannotDescribe(e.text());
        }
    }

    @Override
    public void sync() {
        try {
            if (volume.namesNeedSync()) {
                Posix.fsync(fd);
            } else {
                Posix.fdatasync(fd);
            }
        } catch (Posix.Failure e) {
            throw PosixVolume.error(path, e);
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            Posix.close(fd);
        } catch (Posix.Failure e) {
            LOG.info("{}: {}", path, e.text());
        }
    }
}
