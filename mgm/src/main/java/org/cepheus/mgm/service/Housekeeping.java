package org.cepheus.mgm.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.codec.DomainCodec;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.namespace.Queries.UnsettledFile;
import org.cepheus.namespace.rows.Rows.GarbageKey;
import org.cepheus.namespace.rows.Rows.Unsettled;
import org.cepheus.protocol.control.DataMeasure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a leader does without being asked: ends leases whose time is over, has FSTs delete what no
 * name has any more, and asks them for the size of files whose writer was lost. One thread of its
 * own; everything it starts is safe to repeat.
 */
public final class Housekeeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

    /** The most leases one command ends. */
    static final int MAX_EXPIRED = 1_000;

    /** The most contents of one look at the garbage, and so of one order. */
    static final int MAX_DELETES = 2_000;

    /** The most files that are looked at to be settled in one look. */
    static final int MAX_SETTLING = 100;

    private final BooleanSupplier isLeading;
    private final NamespaceState state;
    private final LongSupplier leaseNanos;
    private final Proposals proposals;
    private final FstRegistry fsts;
    private final Orders orders;
    private final Runnable lostLeadership;
    private final Set<Integer> busyVolumes = ConcurrentHashMap.newKeySet();
    private final Set<Long> settling = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("housekeeping").daemon().factory());
    private Optional<GarbageKey> seen = Optional.empty();
    private volatile boolean expiring;
    private boolean led;

    /** What is told to FSTs. */
    public interface Orders {
        /** Tells one to delete; answers what is gone. */
        CompletionStage<List<Long>> delete(int fstId, int volumeId, List<Long> dataIds);

        /** Asks one for the size of a content; NotFound if it has no data. */
        CompletionStage<DataMeasure> measure(
                int fstId, int volumeId, long dataId, int restoreEpoch);
    }

    /**
     * Wires it; nothing runs before {@link #start}.
     *
     * @param leaseNanos the lease clock as of now
     * @param lostLeadership is run once when another member leads
     */
    public Housekeeping(
            BooleanSupplier isLeading,
            NamespaceState state,
            LongSupplier leaseNanos,
            Proposals proposals,
            FstRegistry fsts,
            Orders orders,
            Runnable lostLeadership) {
        this.isLeading = isLeading;
        this.state = state;
        this.leaseNanos = leaseNanos;
        this.proposals = proposals;
        this.fsts = fsts;
        this.orders = orders;
        this.lostLeadership = lostLeadership;
    }

    /** Begins to look once a period. */
    public void start(long periodMillis) {
        thread.scheduleWithFixedDelay(
                this::look, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
    }

    // A failure here must not end the schedule: the next look may succeed.
    private void look() {
        try {
            boolean leads = isLeading.getAsBoolean();
            if (led && !leads) {
                lostLeadership.run();
            }
            led = leads;
            if (leads) {
                expireLeases();
                collectGarbage();
                state.queries().unsettled(MAX_SETTLING).forEach(this::settle);
            }
        } catch (FsException e) {
            LOG.debug("housekeeping: {}", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("housekeeping failed", e);
        }
    }

    private void expireLeases() {
        if (expiring || !state.queries().hasDeadLeases(leaseNanos.getAsLong())) {
            return;
        }
        expiring = true;
        proposals
                .propose(new FleetCommand.ExpireLeases(MAX_EXPIRED))
                .whenComplete((_, _) -> expiring = false);
    }

    private void collectGarbage() {
        List<GarbageKey> found = state.queries().garbage(seen, MAX_DELETES);
        // What is open somewhere stays, so each look goes on after the one before.
        seen = found.size() < MAX_DELETES ? Optional.empty() : Optional.of(found.getLast());
        Map<Integer, List<Long>> byVolume = new TreeMap<>();
        for (GarbageKey key : found) {
            byVolume.computeIfAbsent(key.volumeId(), _ -> new ArrayList<>()).add(key.dataId());
        }
        byVolume.forEach(this::delete);
    }

    private void delete(int volumeId, List<Long> dataIds) {
        OptionalInt fst = fsts.servingFst(volumeId);
        if (fst.isEmpty() || !busyVolumes.add(volumeId)) {
            return;
        }
        orders.delete(fst.getAsInt(), volumeId, dataIds)
                .thenCompose(gone -> collected(volumeId, gone))
                .whenComplete((_, failure) -> {
                    busyVolumes.remove(volumeId);
                    if (failure != null) {
                        LOG.debug("garbage of volume {} stays: {}", volumeId, failure);
                    }
                });
    }

    private void settle(UnsettledFile file) {
        Unsettled lost = file.lost();
        OptionalInt fst = whoMayMeasure(lost);
        if (fst.isEmpty() || !settling.add(file.inode())) {
            return;
        }
        orders.measure(fst.getAsInt(), lost.volumeId(), lost.dataId(), state.head().restoreEpoch())
                .exceptionally(failure -> nothingThere(file, failure))
                .thenCompose(found ->
                        proposals.propose(
                                new FleetCommand.SettleFile(
                                        file.inode(),
                                        lost.dataId(),
                                        found.sizeBytes(),
                                        found.modified())))
                .whenComplete((_, failure) -> {
                    settling.remove(file.inode());
                    if (failure == null) {
                        LOG.info("{} lost its writer and is settled now", file.path());
                    } else {
                        LOG.debug("{} stays unsettled: {}", file.path(), failure);
                    }
                });
    }

    // The FST that wrote, which stops its writer first. Any other only when that process is no
    // more: else its client could go on writing to what is settled.
    private OptionalInt whoMayMeasure(Unsettled lost) {
        if (fsts.isServing(lost.fstId(), lost.volumeId())) {
            return OptionalInt.of(lost.fstId());
        }
        boolean startedAgain =
                state.queries()
                        .fst(lost.fstId())
                        .filter(now -> now.bootId() != lost.bootId())
                        .isPresent();
        return startedAgain ? fsts.servingFst(lost.volumeId()) : OptionalInt.empty();
    }

    // An empty file has no data until somebody writes.
    private static DataMeasure nothingThere(UnsettledFile file, Throwable failure) {
        if (FsException.errorOf(failure) instanceof FsError.NotFound && file.sizeBytes() == 0) {
            return new DataMeasure(0, DomainCodec.instant(file.lost().sinceNanos()));
        }
        throw new CompletionException(failure);
    }

    private CompletionStage<Void> collected(int volumeId, List<Long> gone) {
        return gone.isEmpty()
                ? CompletableFuture.allOf()
                : proposals.propose(new FleetCommand.CollectGarbage(volumeId, gone));
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
