package org.cepheus.fst;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.port.DataFile;

/** A file whose reads and writes begin when its pace allows; no thread waits for that. */
final class PacedFile implements DataFile {
    private final DataFile file;
    private final Pace pace;
    private final LongSupplier nanos;

    PacedFile(DataFile file, Pace pace, LongSupplier nanos) {
        this.file = file;
        this.pace = pace;
        this.nanos = nanos;
    }

    private <T> CompletionStage<T> paced(ByteBuffer[] buffers, Supplier<CompletionStage<T>> call) {
        long bytes = 0;
        for (ByteBuffer buffer : buffers) {
            bytes += buffer.remaining();
        }
        long wait = pace.waitNanos(bytes, nanos.getAsLong());
        var later = CompletableFuture.delayedExecutor(wait, TimeUnit.NANOSECONDS, Runnable::run);
        return CompletableFuture.supplyAsync(call, later).thenCompose(begun -> begun);
    }

    @Override
    public CompletionStage<Integer> read(long offset, ByteBuffer... into) {
        return paced(into, () -> file.read(offset, into));
    }

    @Override
    public CompletionStage<Void> write(long offset, ByteBuffer... from) {
        return paced(from, () -> file.write(offset, from));
    }

    @Override
    public CompletionStage<Void> lost() {
        return file.lost();
    }

    @Override
    public Ticket ticket() {
        return file.ticket();
    }

    @Override
    public long sizeBytes() {
        return file.sizeBytes();
    }

    @Override
    public void pageDamaged(long offset, int length) {
        file.pageDamaged(offset, length);
    }

    @Override
    public void pageMended(long offset) {
        file.pageMended(offset);
    }

    @Override
    public CompletionStage<Void> truncate(long sizeBytes) {
        return file.truncate(sizeBytes);
    }

    @Override
    public CompletionStage<Void> sync() {
        return file.sync();
    }

    @Override
    public CompletionStage<FileStatus> commit(List<Checksum> expected, OptionalLong onlyOver) {
        return file.commit(expected, onlyOver);
    }

    @Override
    public void wantChecksums(Set<ChecksumType> types) {
        file.wantChecksums(types);
    }

    @Override
    public CompletionStage<List<Checksum>> checksums(Set<ChecksumType> wanted) {
        return file.checksums(wanted);
    }

    @Override
    public CompletionStage<Void> abort(String reason) {
        return file.abort(reason);
    }

    @Override
    public void detach() {
        file.detach();
    }

    @Override
    public void close() {
        file.close();
    }
}
