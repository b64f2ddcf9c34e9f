package org.cepheus.fst;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.port.DataFile;
import org.cepheus.fst.volume.IoPool;
import org.cepheus.fst.volume.VolumeFile;

/**
 * A content open for reading. The file is closed when the last read has ended, so that no read
 * meets a descriptor that belongs to another file by now. Its lock guards that count.
 */
final class ReadHandle implements DataFile {
    private final Ticket ticket;
    private final Optional<VolumeFile> file;
    private final IoPool pool;
    private final Runnable ended;
    private int inFlight;
    private boolean closed;

    /**
     * A handle on an open file, or on none if the content is empty.
     *
     * @param ended runs once after the file was closed
     */
    ReadHandle(Ticket ticket, Optional<VolumeFile> file, IoPool pool, Runnable ended) {
        this.ticket = ticket;
        this.file = file;
        this.pool = pool;
        this.ended = ended;
    }

    @Override
    public Ticket ticket() {
        return ticket;
    }

    @Override
    public long sizeBytes() {
        return ticket.sizeBytes();
    }

    @Override
    public CompletionStage<Integer> read(long offset, ByteBuffer... into) {
        if (offset < 0) {
            return failed(new FsError.InvalidArgument("read at offset " + offset));
        }
        if (file.isEmpty() || offset >= ticket.sizeBytes()) {
            return CompletableFuture.completedFuture(0);
        }
        synchronized (this) {
            if (closed) {
                return failed(new FsError.InvalidArgument("%s is closed".formatted(ticket.path())));
            }
            inFlight++;
        }
        return pool.run(() -> file.get().read(offset, into)).whenComplete((_, _) -> finished());
    }

    private void finished() {
        boolean last;
        synchronized (this) {
            inFlight--;
            last = closed && inFlight == 0;
        }
        if (last) {
            release();
        }
    }

    private void release() {
        if (file.isEmpty()) {
            ended.run();
            return;
        }
        pool.finish(
                        () -> {
                            file.get().close();
                            return file;
                        })
                .whenComplete((_, _) -> ended.run());
    }

    @Override
    public CompletionStage<Void> write(long offset, ByteBuffer... from) {
        return failed(readOnly());
    }

    @Override
    public void pageDamaged(long offset, int length) {}

    @Override
    public void pageMended(long offset) {}

    @Override
    public CompletionStage<Void> truncate(long sizeBytes) {
        return failed(readOnly());
    }

    @Override
    public CompletionStage<Void> sync() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<FileStatus> commit(List<Checksum> expected) {
        return failed(readOnly());
    }

    @Override
    public CompletionStage<Void> abort(String reason) {
        close();
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void detach() {
        close();
    }

    @Override
    public void close() {
        boolean last;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            last = inFlight == 0;
        }
        if (last) {
            release();
        }
    }

    private FsError readOnly() {
        return new FsError.PermissionDenied("%s was opened for reading".formatted(ticket.path()));
    }

    private static <T> CompletionStage<T> failed(FsError error) {
        return CompletableFuture.failedFuture(new FsException(error));
    }
}
