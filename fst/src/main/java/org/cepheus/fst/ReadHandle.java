package org.cepheus.fst;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.port.DataFile;
import org.cepheus.domain.port.PipedBytes;
import org.cepheus.fst.volume.IoPool;
import org.cepheus.fst.volume.VolumeFile;

/**
 * A content open for reading. It is closed when the last read has ended, so that no read meets a
 * descriptor or memory that belongs to another content by now. Its lock guards that count.
 */
final class ReadHandle implements DataFile {
    /** The most contents of an FST that are read for their checksums at once. */
    static final int MAX_SUMMING = 8;

    private static final long SUM_STRETCH_BYTES = 32 << 20;

    private final Ticket ticket;
    private final Content content;
    private final IoPool pool;
    private final ReadAhead ahead;
    private final AtomicInteger summing;
    private final Runnable ended;
    private int inFlight;
    private boolean closed;
    private long readBytes;
    private Optional<FsError> whyEnded = Optional.empty();

    /**
     * A handle on a content, which it closes.
     *
     * @param summing how many checksums the FST is taking now
     * @param ended runs once after the content was closed
     */
    ReadHandle(
            Ticket ticket,
            Content content,
            MountedVolume mounted,
            AtomicInteger summing,
            Runnable ended) {
        this.ticket = ticket;
        this.content = content;
        this.pool = mounted.pool();
        this.ahead = new ReadAhead(ticket.sizeBytes(), mounted.volume().striping());
        this.summing = summing;
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
        if (offset >= ticket.sizeBytes()) {
            return CompletableFuture.completedFuture(0);
        }
        if (!begin()) {
            return failed(closedError());
        }
        endAt(ticket.sizeBytes() - offset, into);
        return switch (content) {
            case Content.InMemory loaded -> {
                int read = loaded.read(offset, into);
                finished(read);
                yield CompletableFuture.completedFuture(read);
            }
            case Content.OnVolume stored -> readStored(stored.file(), offset, into);
        };
    }

    /** A content that has grown in place since is as long as it was when this reader came. */
    private static void endAt(long bytes, ByteBuffer... into) {
        long left = bytes;
        for (ByteBuffer buffer : into) {
            if (buffer.remaining() > left) {
                buffer.limit(buffer.position() + (int) left);
            }
            left -= buffer.remaining();
        }
    }

    private CompletionStage<Integer> readStored(VolumeFile file, long offset, ByteBuffer... into) {
        long length = 0;
        for (ByteBuffer buffer : into) {
            length += buffer.remaining();
        }
        CompletionStage<Integer> read =
                pool.run(() -> file.read(offset, into))
                        .whenComplete((count, thrown) -> finished(thrown == null ? count : 0));
        readAhead(file, offset, length);
        return read;
    }

    @Override
    public CompletionStage<Optional<PipedBytes>> pipe(long offset, int length) {
        if (!(content instanceof Content.OnVolume(VolumeFile file))
                || offset < 0
                || offset >= ticket.sizeBytes()
                || !begin()) {
            return CompletableFuture.completedFuture(Optional.empty()); // read() says why.
        }
        int most = (int) Math.min(length, ticket.sizeBytes() - offset);
        CompletionStage<Optional<PipedBytes>> filled =
                pool.run(() -> file.pipe(offset, most))
                        .whenComplete((piped, thrown) ->
                                finished(
                                        thrown == null
                                                ? piped.map(PipedBytes::left).orElse(0)
                                                : 0));
        readAhead(file, offset, length);
        return filled;
    }

    /** The storage fetches into its own memory, so that a slow client holds none of ours. */
    private void readAhead(VolumeFile from, long offset, long length) {
        Optional<Span> range = ahead.asked(offset, length);
        if (range.isPresent() && begin()) {
            pool.run(
                            () -> {
                                from.willRead(range.get().offset(), range.get().length());
                                return range;
                            })
                    .whenComplete((_, _) -> finished(0));
        }
    }

    /** Keeps the file open for one call; false if it is closed already. */
    private synchronized boolean begin() {
        inFlight += closed ? 0 : 1;
        return !closed;
    }

    private synchronized FsError closedError() {
        return whyEnded.orElseGet(this::closedByItself);
    }

    private FsError closedByItself() {
        return new FsError.InvalidArgument("%s is closed".formatted(ticket.path()));
    }

    private void finished(int count) {
        boolean last;
        synchronized (this) {
            readBytes += count;
            inFlight--;
            last = closed && inFlight == 0;
        }
        if (last) {
            release();
        }
    }

    private void release() {
        switch (content) {
            case Content.InMemory _ -> ended.run();
            case Content.OnVolume stored ->
                    pool.finish(
                                    () -> {
                                        stored.file().close();
                                        return stored;
                                    })
                            .whenComplete((_, _) -> ended.run());
        }
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
    public CompletionStage<FileStatus> commit(List<Checksum> expected, OptionalLong onlyOver) {
        return failed(readOnly());
    }

    @Override
    public void wantChecksums(Set<ChecksumType> types) {}

    @Override
    public CompletionStage<List<Checksum>> checksums(Set<ChecksumType> wanted) {
        if (ticket.sizeBytes() == 0) {
            return CompletableFuture.completedFuture(WholeSums.ofNothing(wanted));
        }
        if (summing.incrementAndGet() > MAX_SUMMING) {
            summing.decrementAndGet();
            return failed(
                    new FsError.Overloaded(
                            "%d checksums are being taken at this FST, its limit"
                                    .formatted(MAX_SUMMING),
                            10));
        }
        var result = new CompletableFuture<List<Checksum>>();
        sumOn(new WholeSums(content::read, ticket.sizeBytes(), wanted), result);
        return result.whenComplete((_, _) -> summing.decrementAndGet());
    }

    /** A stretch at a time, so that others get the thread and a closed file ends it. */
    private void sumOn(WholeSums sums, CompletableFuture<List<Checksum>> result) {
        if (!begin()) {
            result.completeExceptionally(new FsException(closedError()));
            return;
        }
        pool.run(() -> sums.readOn(SUM_STRETCH_BYTES))
                .whenComplete((done, thrown) -> {
                    finished(0);
                    if (thrown != null) {
                        result.completeExceptionally(thrown);
                    } else if (done) {
                        result.complete(sums.result());
                    } else {
                        sumOn(sums, result);
                    }
                });
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

    /** How many bytes reads have got, for the client; checksums do not count. */
    synchronized long readBytes() {
        return readBytes;
    }

    /** Closes it from outside: later reads are refused with that. */
    void end(FsError why) {
        synchronized (this) {
            if (!closed) {
                whyEnded = Optional.of(why);
            }
        }
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
