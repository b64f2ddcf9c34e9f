package org.cepheus.fst;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.codec.DomainCodec;
import org.cepheus.domain.port.DataFile;

/**
 * An upload that has ended, as a client sees it that comes back with its ticket: it repeats the
 * answer to the close, and takes nothing more.
 */
record EndedUpload(Ticket ticket, Outcome outcome) implements DataFile {
    /**
     * How it ended. Thousands are remembered: few objects each, so that the collector does not copy
     * them about.
     */
    sealed interface Outcome {
        final class Committed implements Outcome {
            private final byte[] encoded;

            Committed(FileStatus status) {
                encoded = DomainCodec.encode(status);
            }

            FileStatus status() {
                return DomainCodec.fileStatus(encoded);
            }
        }

        record Aborted(FsError why) implements Outcome {}
    }

    @Override
    public long sizeBytes() {
        return switch (outcome) {
            case Outcome.Committed committed -> committed.status().sizeBytes();
            case Outcome.Aborted _ -> 0;
        };
    }

    private <T> CompletionStage<T> refused() {
        return CompletableFuture.failedFuture(
                new FsException(
                        switch (outcome) {
                            case Outcome.Committed _ -> closed(ticket);
                            case Outcome.Aborted(FsError why) -> why;
                        }));
    }

    static FsError closed(Ticket ticket) {
        return new FsError.LeaseGone("the upload of %s is closed".formatted(ticket.path()));
    }

    @Override
    public CompletionStage<Integer> read(long offset, ByteBuffer... into) {
        return refused();
    }

    @Override
    public CompletionStage<Void> write(long offset, ByteBuffer... from) {
        return refused();
    }

    @Override
    public void pageDamaged(long offset, int length) {
        // It takes no bytes any more.
    }

    @Override
    public void pageMended(long offset) {
        // It takes no bytes any more.
    }

    @Override
    public CompletionStage<Void> truncate(long sizeBytes) {
        return refused();
    }

    @Override
    public CompletionStage<Void> sync() {
        return refused();
    }

    @Override
    public CompletionStage<FileStatus> commit(List<Checksum> expected, OptionalLong onlyOver) {
        return switch (outcome) {
            case Outcome.Committed committed ->
                    CompletableFuture.completedFuture(committed.status());
            case Outcome.Aborted _ -> refused();
        };
    }

    @Override
    public void wantChecksums(Set<ChecksumType> types) {
        // It takes no bytes any more.
    }

    @Override
    public CompletionStage<List<Checksum>> checksums(Set<ChecksumType> wanted) {
        return refused();
    }

    @Override
    public CompletionStage<Void> abort(String reason) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void detach() {
        // Nothing is held.
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
