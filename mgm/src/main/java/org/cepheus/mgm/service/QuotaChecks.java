package org.cepheus.mgm.service;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.cepheus.domain.port.QuotaCheck;
import org.cepheus.domain.port.QuotaCheck.Difference;
import org.cepheus.domain.port.QuotaCheck.State;
import org.cepheus.domain.port.QuotaCheck.Use;
import org.cepheus.namespace.Recount;
import org.cepheus.namespace.Snapshot;
import org.cepheus.quota.Charge;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recounts every quota node on a snapshot when somebody asks, one at a time, on a thread of its
 * own. Writers do not wait for it. All fields that change are guarded by this object.
 */
public final class QuotaChecks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(QuotaChecks.class);

    /** Looked at between two looks at the clock. */
    private static final int STEP_ENTRIES = 5_000;

    private final Supplier<Snapshot> snapshots;
    private final InstantSource clock;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().name("quota-check").daemon().factory());
    private Optional<QuotaCheck> latest = Optional.empty();
    private boolean canceled;
    private long nextId = 1;

    public QuotaChecks(Supplier<Snapshot> snapshots, InstantSource clock) {
        this.snapshots = snapshots;
        this.clock = clock;
    }

    /** Starts one, unless one runs; answers the one that does. */
    public synchronized QuotaCheck start(Duration limit) {
        if (latest.isPresent() && latest.get().state() == State.RUNNING) {
            return latest.get();
        }
        Instant now = clock.instant();
        var begun =
                new QuotaCheck(
                        nextId++,
                        State.RUNNING,
                        -1,
                        now,
                        Duration.ZERO,
                        now.plus(limit),
                        0,
                        0,
                        0,
                        0,
                        0,
                        List.of(),
                        List.of(),
                        "the recount begins");
        latest = Optional.of(begun);
        canceled = false;
        thread.execute(() -> run(begun));
        return begun;
    }

    /** The one that runs or ran last. */
    public synchronized Optional<QuotaCheck> latest() {
        return latest;
    }

    /** Ends the one that runs, at its next step. */
    public synchronized Optional<QuotaCheck> cancel() {
        canceled = true;
        return latest;
    }

    private synchronized boolean isCanceled() {
        return canceled;
    }

    private synchronized void show(QuotaCheck check) {
        latest = Optional.of(check);
    }

    private void run(QuotaCheck begun) {
        try (Snapshot snapshot = snapshots.get()) {
            run(begun, snapshot);
        } catch (RuntimeException e) {
            LOG.warn("the recount of quotas failed", e);
            show(ended(begun, State.FAILED, "it could not read on: " + e.getMessage()));
        }
    }

    private void run(QuotaCheck begun, Snapshot snapshot) {
        Recount recount = Recount.ofAll(snapshot);
        boolean done = false;
        while (!done) {
            QuotaCheck soFar = progress(begun, snapshot, recount);
            show(soFar);
            if (isCanceled()) {
                show(ended(soFar, State.CANCELED, "canceled"));
                return;
            }
            if (clock.instant().isAfter(begun.deadline())) {
                show(ended(soFar, State.EXPIRED, "not done within its time: allow more"));
                return;
            }
            done = recount.step(STEP_ENTRIES);
        }
        show(compared(progress(begun, snapshot, recount), snapshot, recount));
    }

    private QuotaCheck progress(QuotaCheck begun, Snapshot snapshot, Recount recount) {
        return new QuotaCheck(
                begun.id(),
                State.RUNNING,
                snapshot.head().index(),
                begun.started(),
                Duration.between(begun.started(), clock.instant()),
                begun.deadline(),
                recount.seen(),
                snapshot.entries(),
                recount.nodes().size(),
                0,
                0,
                List.of(),
                recount.counting().stream().map(snapshot::path).toList(),
                "counting");
    }

    private QuotaCheck compared(QuotaCheck done, Snapshot snapshot, Recount recount) {
        Recount.Comparison comparison = recount.compare();
        List<Recount.Difference> differences = comparison.differences();
        boolean equal = differences.isEmpty();
        String message =
                equal
                        ? "%d rows of %d quota nodes equal the sums of %d entries at index %d"
                                .formatted(
                                        comparison.rows(),
                                        done.nodes(),
                                        done.seenEntries(),
                                        done.index())
                        : "%d of %d rows differ from the sums at index %d: this is a bug, report it with the examples"
                                .formatted(differences.size(), comparison.rows(), done.index());
        if (!equal) {
            LOG.error("{}; the first: {}", message, differences.getFirst());
        }
        return new QuotaCheck(
                done.id(),
                equal ? State.EQUAL : State.DIFFERENT,
                done.index(),
                done.started(),
                Duration.between(done.started(), clock.instant()),
                done.deadline(),
                done.seenEntries(),
                done.expectedEntries(),
                done.nodes(),
                comparison.rows(),
                differences.size(),
                differences.stream()
                        .limit(QuotaCheck.MAX_EXAMPLES)
                        .map(each -> difference(snapshot, each))
                        .toList(),
                done.counting(),
                message);
    }

    private static Difference difference(Snapshot snapshot, Recount.Difference each) {
        return new Difference(
                snapshot.path(each.key().node()),
                each.key().kind(),
                snapshot.principal(each.key()),
                use(each.counter()),
                use(each.sum()));
    }

    private static Use use(Charge charge) {
        return new Use(
                charge.usedBytes(),
                charge.usedFiles(),
                charge.reservedBytes(),
                charge.reservedFiles());
    }

    private QuotaCheck ended(QuotaCheck check, State state, String message) {
        return new QuotaCheck(
                check.id(),
                state,
                check.index(),
                check.started(),
                Duration.between(check.started(), clock.instant()),
                check.deadline(),
                check.seenEntries(),
                check.expectedEntries(),
                check.nodes(),
                check.rows(),
                check.differences(),
                check.examples(),
                check.counting(),
                message);
    }

    /** Ends the one that runs; waits for nobody. */
    @Override
    public void close() {
        cancel();
        thread.shutdownNow();
    }
}
