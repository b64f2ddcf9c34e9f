package org.cepheus.fst;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.port.LeaseService;
import org.cepheus.fst.volume.WriteLane;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One write lease at this FST, from the first open to commit or abort, whatever connections come
 * and go. The first failure sticks: everything after it fails, and the commit aborts. Its lock
 * guards phase, handle, failure and counts; nothing blocks or is called under it.
 *
 * <p>What the namespace might have committed is never deleted here: only the MGM orders that.
 */
final class Upload {
    /** The most damaged pages that wait to be sent again. */
    static final int MAX_DAMAGED_PAGES = 256;

    private static final Logger LOG = LoggerFactory.getLogger(Upload.class);

    private enum Phase {
        /** Takes writes. */
        OPEN,
        /** The content is being made durable and visible. */
        COMMITTING,
        COMMITTED,
        ABORTED
    }

    /** Told once when an upload has ended and its lease may be forgotten. */
    interface Ended {
        void ended(Upload upload, EndedUpload.Outcome outcome);
    }

    private final Ticket ticket;
    private final LeaseRef lease;
    private final MountedVolume mounted;
    private final LeaseService leases;
    private final Ended ended;
    private final Reservation reservation;
    private final ContentSums sums = new ContentSums();
    private final StreamDigests digests = new StreamDigests();
    private final WritableData data;
    private final WriteLane lane;
    private final Set<Long> damaged = new HashSet<>();

    private Phase phase = Phase.OPEN;
    private Optional<FsError> failure = Optional.empty();
    private @Nullable UploadHandle current;
    private long heldSinceNanos;
    private int inFlight;
    private @Nullable CompletableFuture<Void> drained;
    private Set<ChecksumType> announced = Set.of();
    private long sizeBytes;
    private final CompletableFuture<Void> lost = new CompletableFuture<>();
    private boolean commitSent;
    private @Nullable CompletableFuture<FileStatus> commit;

    Upload(Ticket ticket, LeaseRef lease, MountedVolume mounted, LeaseService leases, Ended ended) {
        this.ticket = ticket;
        this.lease = lease;
        this.mounted = mounted;
        this.leases = leases;
        this.ended = ended;
        this.data = new WritableData(ticket, mounted.volume());
        this.lane = new WriteLane(mounted.pool());
        // In place the lease holds what the content grows by, elsewhere all of it.
        long atOpen = ticket.inPlace() ? ticket.sizeBytes() : 0;
        this.reservation =
                new Reservation(
                        ticket.coveredBytes(ticket.reservedBytes()),
                        !ticket.inPlace() && ticket.declaredSizeBytes().isEmpty(),
                        wanted ->
                                leases.extend(ticket.caller(), lease, wanted - atOpen)
                                        .thenApply(held -> held + atOpen));
    }

    Ticket ticket() {
        return ticket;
    }

    LeaseRef lease() {
        return lease;
    }

    /** Blocks: opens the content that is to be updated in place. */
    void openInPlace() {
        long size = data.openExisting();
        sums.lose();
        synchronized (this) {
            sizeBytes = size;
        }
    }

    /** The handle takes the upload over from whichever had it before. */
    synchronized void attach(UploadHandle handle) {
        current = handle;
        heldSinceNanos = 0;
    }

    /** The handle's connection is gone; what was written stays for a while. */
    synchronized void detach(UploadHandle handle, long nowNanos) {
        if (isCurrent(handle) && phase == Phase.OPEN) {
            current = null;
            heldSinceNanos = nowNanos | 1;
        }
    }

    /** True if no client has had it for so long. */
    synchronized boolean isHeldLongerThan(long nanos, long nowNanos) {
        return heldSinceNanos != 0 && phase == Phase.OPEN && nowNanos - heldSinceNanos > nanos;
    }

    synchronized boolean hasClient() {
        return current != null;
    }

    synchronized long sizeBytes() {
        return sizeBytes;
    }

    private boolean isCurrent(UploadHandle handle) {
        return current != null && current.equals(handle);
    }

    /** Under the lock: why the handle may not go on, if so. */
    private Optional<FsError> refusal(UploadHandle handle) {
        if (!isCurrent(handle)) {
            return Optional.of(
                    new FsError.FileLocked(
                            "the upload of %s was taken over by another connection of its client"
                                    .formatted(ticket.path())));
        }
        return switch (phase) {
            case OPEN -> failure;
            case COMMITTING, COMMITTED -> Optional.of(EndedUpload.closed(ticket));
            case ABORTED ->
                    Optional.of(
                            failure.orElseGet(() ->
                                    new FsError.LeaseGone(
                                            "the upload of %s was aborted"
                                                    .formatted(ticket.path()))));
        };
    }

    CompletionStage<Void> write(UploadHandle handle, long offset, ByteBuffer... from) {
        long length = 0;
        for (ByteBuffer buffer : from) {
            length += buffer.remaining();
        }
        long end = offset + length;
        if (offset < 0 || end < offset) {
            return failed(new FsError.InvalidArgument("write at offset " + offset));
        }
        Optional<FsError> refusal = begin(handle, exceedsDeclared(end));
        return refusal.isPresent()
                ? failed(refusal.get())
                : tracked(
                        reservation
                                .upTo(end)
                                .thenCompose(_ -> lane.run(() -> store(offset, from))));
    }

    private Optional<FsError> exceedsDeclared(long end) {
        return ticket.inPlace()
                        || ticket.declaredSizeBytes().isEmpty()
                        || end <= ticket.declaredSizeBytes().getAsLong()
                ? Optional.empty()
                : Optional.of(
                        new FsError.SizeMismatch(
                                "%s was declared with %d bytes, a write reaches to %d"
                                        .formatted(
                                                ticket.path(),
                                                ticket.declaredSizeBytes().getAsLong(),
                                                end)));
    }

    /**
     * Counts a call as in flight, or says why it cannot be.
     *
     * @param wrong what is wrong with the call itself; it sticks
     */
    private synchronized Optional<FsError> begin(UploadHandle handle, Optional<FsError> wrong) {
        Optional<FsError> refusal = refusal(handle);
        if (refusal.isEmpty() && wrong.isPresent()) {
            failure = wrong;
            refusal = wrong;
        }
        if (refusal.isEmpty()) {
            inFlight++;
        }
        return refusal;
    }

    private <T> CompletionStage<T> tracked(CompletionStage<T> call) {
        return call.whenComplete(
                (_, thrown) -> finished(Optional.ofNullable(thrown).map(FsException::errorOf)));
    }

    private void finished(Optional<FsError> error) {
        CompletableFuture<Void> waiting = null;
        synchronized (this) {
            if (failure.isEmpty()) {
                failure = error;
            }
            inFlight--;
            if (inFlight == 0) {
                waiting = drained;
                drained = null;
            }
        }
        if (waiting != null) {
            waiting.complete(null);
        }
    }

    /** Completes once no call is in flight any more. */
    private synchronized CompletableFuture<Void> drained() {
        if (inFlight == 0) {
            return CompletableFuture.completedFuture(null);
        }
        if (drained == null) {
            drained = new CompletableFuture<>();
        }
        return drained.copy();
    }

    /** On the pool. */
    private @Nullable Void store(long offset, ByteBuffer... from) {
        PieceSum piece = PieceSum.of(from);
        digests.add(offset, from);
        onStorage(() -> data.write(offset, piece.length(), from));
        sums.add(offset, piece);
        synchronized (this) {
            sizeBytes = Math.max(sizeBytes, offset + piece.length());
        }
        return null;
    }

    /** On the pool: what goes wrong below is told in the client's words. */
    private void onStorage(Runnable call) {
        try {
            call.run();
        } catch (FsException e) {
            throw StorageTrouble.inWordsOfTheClient(e, ticket, mounted.volume());
        }
    }

    CompletionStage<Integer> read(long offset, ByteBuffer... into) {
        return mounted.pool().run(() -> data.read(offset, into));
    }

    CompletionStage<Void> truncate(UploadHandle handle, long size) {
        Optional<FsError> refusal = begin(handle, exceedsDeclared(size));
        return refusal.isPresent()
                ? failed(refusal.get())
                : tracked(reservation.upTo(size).thenCompose(_ -> lane.run(() -> cut(size))));
    }

    private @Nullable Void cut(long size) {
        onStorage(() -> data.truncate(size));
        sums.lose();
        synchronized (this) {
            sizeBytes = size;
        }
        return null;
    }

    CompletionStage<Void> sync(UploadHandle handle) {
        Optional<FsError> refusal = begin(handle, Optional.empty());
        return refusal.isPresent()
                ? failed(refusal.get())
                : tracked(mounted.pool().run(this::syncData));
    }

    private @Nullable Void syncData() {
        onStorage(data::sync);
        return null;
    }

    synchronized void pageDamaged(UploadHandle handle, long offset) {
        if (isCurrent(handle)) {
            damaged.add(offset);
            if (damaged.size() > MAX_DAMAGED_PAGES && failure.isEmpty()) {
                failure =
                        Optional.of(
                                new FsError.ChecksumMismatch(
                                        "more than %d pages of %s arrived damaged"
                                                .formatted(MAX_DAMAGED_PAGES, ticket.path())));
            }
        }
    }

    synchronized void pageMended(UploadHandle handle, long offset) {
        if (isCurrent(handle)) {
            damaged.remove(offset);
        }
    }

    /** Checksums that are wanted beside those that are always taken. */
    void wantChecksums(UploadHandle handle, Set<ChecksumType> types) {
        synchronized (this) {
            if (!isCurrent(handle) || phase != Phase.OPEN) {
                return;
            }
            announced = Set.copyOf(types);
        }
        digests.want(types);
    }

    CompletionStage<FileStatus> commit(
            UploadHandle handle, List<Checksum> expected, OptionalLong onlyOver) {
        CompletableFuture<FileStatus> result;
        synchronized (this) {
            if (commit != null && (phase == Phase.COMMITTING || phase == Phase.COMMITTED)) {
                return commit.copy();
            }
            Optional<FsError> refusal = refusal(handle);
            if (refusal.isPresent() && (phase != Phase.OPEN || !isCurrent(handle))) {
                return failed(refusal.get());
            }
            phase = Phase.COMMITTING;
            result = new CompletableFuture<>();
            commit = result;
        }
        drained()
                .thenCompose(_ -> prepared(expected, onlyOver))
                .thenCompose(this::sendCommit)
                .whenComplete((status, thrown) -> {
                    if (thrown == null) {
                        committed(result, status);
                    } else {
                        notCommitted(result, FsException.errorOf(thrown));
                    }
                });
        return result.copy();
    }

    private CompletionStage<LeaseCommand.Commit> prepared(
            List<Checksum> expected, OptionalLong onlyOver) {
        long size;
        Set<ChecksumType> wanted = EnumSet.of(ChecksumType.ADLER32, ChecksumType.CRC32C);
        wanted.addAll(ticket.checksums());
        expected.forEach(sum -> wanted.add(sum.type()));
        synchronized (this) {
            Optional<FsError> wrong = failure.or(this::incomplete);
            if (wrong.isPresent()) {
                return failed(wrong.get());
            }
            size = sizeBytes;
            wanted.addAll(announced);
        }
        CompletionStage<List<Checksum>> sums =
                size == 0 && !data.exists()
                        ? CompletableFuture.completedFuture(durable(0, wanted, expected))
                        : mounted.pool().run(() -> durable(size, wanted, expected));
        return sums.thenApply(
                found -> new LeaseCommand.Commit(lease, size, found, Optional.empty(), onlyOver));
    }

    /** Under the lock. */
    private Optional<FsError> incomplete() {
        if (!damaged.isEmpty()) {
            return Optional.of(
                    new FsError.ChecksumMismatch(
                            "%d pages of %s arrived damaged and were not sent again"
                                    .formatted(damaged.size(), ticket.path())));
        }
        if (!ticket.inPlace()
                && ticket.declaredSizeBytes().isPresent()
                && ticket.declaredSizeBytes().getAsLong() != sizeBytes) {
            return Optional.of(
                    new FsError.SizeMismatch(
                            "%s was declared with %d bytes, %d arrived"
                                    .formatted(
                                            ticket.path(),
                                            ticket.declaredSizeBytes().getAsLong(),
                                            sizeBytes)));
        }
        return Optional.empty();
    }

    /** On the pool, unless there is nothing on disk: sums, compares, notes, syncs. */
    private List<Checksum> durable(long size, Set<ChecksumType> wanted, List<Checksum> expected) {
        List<Checksum> found =
                WholeSums.of(data.file(), size, sums.whole(size), digests.finish(size), wanted);
        for (Checksum sum : expected) {
            if (!found.contains(sum)) {
                Checksum other =
                        found.stream()
                                .filter(it -> it.type() == sum.type())
                                .findFirst()
                                .orElseThrow();
                throw new FsException(
                        new FsError.ChecksumMismatch(
                                "%s should have %s, what arrived has %s"
                                        .formatted(ticket.path(), sum, other)));
            }
        }
        onStorage(() -> data.finish(size, found));
        return found;
    }

    private CompletionStage<FileStatus> sendCommit(LeaseCommand.Commit prepared) {
        synchronized (this) {
            commitSent = true;
        }
        return leases.commit(ticket.caller(), prepared);
    }

    private void committed(CompletableFuture<FileStatus> result, FileStatus status) {
        synchronized (this) {
            phase = Phase.COMMITTED;
        }
        closeData(false);
        ended.ended(this, new EndedUpload.Outcome.Committed(status));
        result.complete(status);
    }

    private void notCommitted(CompletableFuture<FileStatus> result, FsError error) {
        boolean unknown;
        synchronized (this) {
            unknown = commitSent && isPassing(error);
            if (unknown) {
                phase = Phase.OPEN;
                if (current == null) {
                    heldSinceNanos = System.nanoTime() | 1;
                }
            }
        }
        if (unknown) {
            result.completeExceptionally(new FsException(error));
        } else {
            abortWith(error)
                    .whenComplete((_, _) -> result.completeExceptionally(new FsException(error)));
        }
    }

    /** True if the same commit may succeed, or turn out to have succeeded, later. */
    private static boolean isPassing(FsError error) {
        return error instanceof FsError.Unavailable
                || error instanceof FsError.Overloaded
                || error instanceof FsError.NotLeader
                || error instanceof FsError.Internal;
    }

    /** A client gives up. */
    CompletionStage<Void> abort(UploadHandle handle, String reason) {
        synchronized (this) {
            if (phase != Phase.OPEN || !isCurrent(handle)) {
                return CompletableFuture.completedFuture(null);
            }
        }
        return abortWith(new FsError.LeaseGone(reason));
    }

    /** No client comes back for it, or the MGM has ordered its content to be deleted. */
    CompletionStage<Void> giveUp(FsError why) {
        synchronized (this) {
            if (phase != Phase.OPEN) {
                return CompletableFuture.completedFuture(null);
            }
        }
        CompletionStage<Void> over = abortWith(why);
        lost.completeExceptionally(new FsException(why));
        return over;
    }

    CompletionStage<Void> lost() {
        return lost.copy();
    }

    private CompletionStage<Void> abortWith(FsError why) {
        boolean delete;
        FsError first;
        synchronized (this) {
            if (phase == Phase.ABORTED || phase == Phase.COMMITTED) {
                return CompletableFuture.completedFuture(null);
            }
            phase = Phase.ABORTED;
            first = failure.orElse(why);
            failure = Optional.of(first);
            delete = !commitSent && !ticket.inPlace();
        }
        LOG.atInfo()
                .addKeyValue("trace", ticket.caller().trace())
                .log("aborting the upload of {}: {}", ticket.path(), why.message());
        ended.ended(this, new EndedUpload.Outcome.Aborted(first));
        CompletionStage<Void> over = drained().thenCompose(_ -> closeData(delete));
        if (ticket.inPlace()) {
            // Once the MGM knows, it asks for the size: nothing may be under way then.
            return over.thenCompose(_ -> tellAbort(why));
        }
        CompletionStage<Void> told = tellAbort(why);
        return over.thenCompose(_ -> told);
    }

    private CompletionStage<Void> tellAbort(FsError why) {
        return leases.abort(ticket.caller(), lease, why.message())
                .handle((_, thrown) -> {
                    if (thrown != null) {
                        LOG.atInfo()
                                .addKeyValue("trace", ticket.caller().trace())
                                .log(
                                        "the abort of {} is not known to the MGM, its lease will expire: {}",
                                        ticket.path(),
                                        FsException.errorOf(thrown).message());
                    }
                    return null;
                });
    }

    private CompletionStage<Void> closeData(boolean delete) {
        sums.lose();
        if (!data.exists()) {
            return CompletableFuture.completedFuture(null);
        }
        return mounted.pool()
                .<@Nullable Void>finish(() -> {
                    data.close(delete);
                    return null;
                })
                .exceptionally(thrown -> {
                    LOG.atInfo()
                            .addKeyValue("trace", ticket.caller().trace())
                            .log(
                                    "the data of {} was not tidied up: {}",
                                    ticket.path(),
                                    FsException.errorOf(thrown).message());
                    return null;
                });
    }

    private static <T> CompletionStage<T> failed(FsError error) {
        return CompletableFuture.failedFuture(new FsException(error));
    }
}
