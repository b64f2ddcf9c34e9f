package org.cepheus.protocol.http;

import io.netty.buffer.ByteBuf;
import java.util.EnumSet;
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
import org.cepheus.domain.FsPath;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.port.DataFile;
import org.cepheus.domain.port.DataService;
import org.cepheus.domain.port.Grant;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.OpenRequest;

/**
 * Copies the content of one file to another name, through this FST: an open for reading and an
 * upload like any other, so that permission, quota and checksum are decided where they always are.
 * The copy appears whole, with the checksums of its source, or not at all. Confined to the event
 * loop.
 */
final class FileCopy {
    private static final int BLOCK_BYTES = 512 * 1024;
    private static final int PERMISSIONS = 0777;

    private final Exchange exchange;
    private final DataFile source;
    private final DataFile target;
    private final List<Checksum> expected;
    private final ByteBuf block;
    private final CompletableFuture<FileStatus> result = new CompletableFuture<>();
    private long offset;

    private FileCopy(Exchange exchange, DataFile source, DataFile target, List<Checksum> expected) {
        this.exchange = exchange;
        this.source = source;
        this.target = target;
        this.expected = expected;
        this.block = exchange.allocator().directBuffer(BLOCK_BYTES, BLOCK_BYTES);
    }

    /** Where copies are made: names come from the MGM, bytes stay at this FST. */
    record Place(NamespaceService namespace, DataService data, int fstId) {
        /** Copies a file over what may be there, or only to a free name. */
        CompletionStage<FileStatus> copy(
                Exchange exchange, FsPath from, FsPath to, boolean replace) {
            return exchange.held(() ->
                            namespace.open(exchange.caller(), OpenRequest.reading(from).at(fstId)))
                    .thenCompose(grant ->
                            data.open(grant.sealedTicket())
                                    .thenCompose(
                                            source -> into(exchange, grant, source, to, replace)));
        }

        private CompletionStage<FileStatus> into(
                Exchange exchange, Grant read, DataFile source, FsPath to, boolean replace) {
            FileStatus status =
                    read.status()
                            .orElseThrow(() -> new IllegalStateException("a file without status"));
            OpenRequest writing =
                    OpenRequest.writing(
                                    to,
                                    replace ? LeaseCommand.Intent.REPLACE : LeaseCommand.Intent.NEW,
                                    status.mode() & PERMISSIONS,
                                    OptionalLong.of(source.sizeBytes()))
                            .at(fstId);
            return exchange.held(() -> namespace.open(exchange.caller(), writing))
                    .thenCompose(grant -> data.open(grant.sealedTicket()))
                    .whenComplete((_, thrown) -> {
                        if (thrown != null) {
                            source.close();
                        }
                    })
                    .thenCompose(target -> begin(exchange, source, target, status));
        }

        private static CompletionStage<FileStatus> begin(
                Exchange exchange, DataFile source, DataFile target, FileStatus status) {
            List<Checksum> expected = status.underUpdate() ? List.of() : status.checksums();
            var copy = new FileCopy(exchange, source, target, expected);
            exchange.onLoop(copy::run);
            return copy.result;
        }
    }

    private void run() {
        Set<ChecksumType> digests = EnumSet.noneOf(ChecksumType.class);
        expected.forEach(sum -> digests.add(sum.type()));
        digests.removeAll(Digests.ALWAYS_TAKEN);
        if (!digests.isEmpty()) {
            target.wantChecksums(digests);
        }
        readOn();
    }

    private void readOn() {
        if (exchange.isOver()) {
            fail(new FsError.LeaseGone("the client of the copy is gone"));
            return;
        }
        int length = (int) Math.min(BLOCK_BYTES, source.sizeBytes() - offset);
        if (length == 0) {
            commit();
            return;
        }
        exchange.when(
                source.read(offset, block.internalNioBuffer(0, length)),
                count -> {
                    if (count < length) {
                        fail(
                                new FsError.IoFailure(
                                        "the source ended at %d, it should have %d bytes"
                                                .formatted(offset + count, source.sizeBytes())));
                    } else {
                        write(length);
                    }
                },
                this::fail);
    }

    private void write(int length) {
        exchange.when(
                target.write(offset, block.internalNioBuffer(0, length)),
                _ -> {
                    offset += length;
                    readOn();
                },
                this::fail);
    }

    private void commit() {
        source.close();
        block.release();
        exchange.when(
                target.commit(expected),
                result::complete,
                error -> result.completeExceptionally(new FsException(error)));
    }

    private void fail(FsError error) {
        source.close();
        block.release();
        exchange.when(target.abort(error.message()), _ -> {}, _ -> {});
        result.completeExceptionally(new FsException(error));
    }
}
