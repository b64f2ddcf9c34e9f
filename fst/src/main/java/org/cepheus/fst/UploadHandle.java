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
import org.cepheus.domain.port.DataFile;

/** One connection's hold on an upload; fails once another connection has taken it over. */
final class UploadHandle implements DataFile {
    private final Upload upload;

    UploadHandle(Upload upload) {
        this.upload = upload;
    }

    @Override
    public Ticket ticket() {
        return upload.ticket();
    }

    @Override
    public long sizeBytes() {
        return upload.sizeBytes();
    }

    @Override
    public CompletionStage<Integer> read(long offset, ByteBuffer... into) {
        return upload.read(offset, into);
    }

    @Override
    public CompletionStage<Void> write(long offset, ByteBuffer... from) {
        return upload.write(this, offset, from);
    }

    @Override
    public void pageDamaged(long offset, int length) {
        upload.pageDamaged(this, offset);
    }

    @Override
    public void pageMended(long offset) {
        upload.pageMended(this, offset);
    }

    @Override
    public CompletionStage<Void> truncate(long sizeBytes) {
        return upload.truncate(this, sizeBytes);
    }

    @Override
    public CompletionStage<Void> sync() {
        return upload.sync(this);
    }

    @Override
    public CompletionStage<FileStatus> commit(List<Checksum> expected, OptionalLong onlyOver) {
        return upload.commit(this, expected, onlyOver);
    }

    @Override
    public void wantChecksums(Set<ChecksumType> types) {
        upload.wantChecksums(this, types);
    }

    @Override
    public CompletionStage<List<Checksum>> checksums(Set<ChecksumType> wanted) {
        return CompletableFuture.failedFuture(
                new FsException(
                        new FsError.InvalidArgument(
                                "%s is being written".formatted(ticket().path()))));
    }

    @Override
    public CompletionStage<Void> lost() {
        return upload.lost();
    }

    @Override
    public CompletionStage<Void> abort(String reason) {
        return upload.abort(this, reason);
    }

    @Override
    public void detach() {
        upload.detach(this, System.nanoTime());
    }

    @Override
    public void close() {
        detach();
    }
}
