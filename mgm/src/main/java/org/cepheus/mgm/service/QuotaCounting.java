package org.cepheus.mgm.service;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.command.QuotaCommand;
import org.cepheus.namespace.NodeCounts;
import org.cepheus.namespace.Queries;
import org.cepheus.namespace.Queries.NodeCount;
import org.cepheus.namespace.Recount;
import org.cepheus.namespace.Snapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts, while this member leads, what lay below the quota nodes that were set over much content:
 * on a snapshot, on a thread of its own, and then by commands. Nothing of it is kept: what is
 * missing is the same in every snapshot, so whoever leads next begins again where the commands
 * stopped.
 */
public final class QuotaCounting implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(QuotaCounting.class);

    /** Looked at between two looks at whether to go on. */
    private static final int STEP_ENTRIES = 5_000;

    private static final long COMMAND_SECONDS = 30;

    private final BooleanSupplier isLeading;
    private final NamespaceState state;
    private final Proposals proposals;
    private final Map<Long, Long> seen = new ConcurrentHashMap<>();
    private final Set<Long> wrong = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("quota-counting").daemon().factory());
    private volatile boolean closed;

    /** Wires it; nothing runs before {@link #start}. */
    public QuotaCounting(BooleanSupplier isLeading, NamespaceState state, Proposals proposals) {
        this.isLeading = isLeading;
        this.state = state;
        this.proposals = proposals;
    }

    /** Begins to look once a period for nodes to count. */
    public void start(long periodMillis) {
        thread.scheduleWithFixedDelay(
                this::look, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
    }

    /** How many entries were seen below the nodes that are being counted here just now. */
    public Map<FsPath, Long> seen() {
        var byPath = new HashMap<FsPath, Long>();
        seen.forEach((node, entries) ->
                state.queries().nodePath(node).ifPresent(path -> byPath.put(path, entries)));
        return byPath;
    }

    // A failure here must not end the schedule: the next look may succeed.
    private void look() {
        try {
            if (mayGoOn()) {
                state.queries().counts().stream()
                        .filter(each -> !wrong.contains(each.count().countId()))
                        .forEach(this::count);
            }
        } catch (RuntimeException e) {
            LOG.error("quota nodes could not be counted", e);
        } finally {
            seen.clear();
        }
    }

    private boolean mayGoOn() {
        return !closed && isLeading.getAsBoolean();
    }

    private void count(NodeCount wanted) {
        long began = System.nanoTime();
        try (Snapshot snapshot = state.snapshot()) {
            Optional<NodeCount> found =
                    Queries.counts(snapshot).stream()
                            .filter(each -> each.node() == wanted.node())
                            .findFirst();
            if (found.isEmpty()) {
                return;
            }
            Recount recount = Recount.ofNode(snapshot, wanted.node());
            while (!recount.step(STEP_ENTRIES)) {
                seen.put(wanted.node(), recount.seen());
                if (!mayGoOn()) {
                    return;
                }
            }
            bring(NodeCounts.parts(found.get(), recount.missing(), QuotaCommand.MAX_ROWS));
            LOG.info(
                    "{} counts now: {} entries of index {} were added up in {} ms",
                    snapshot.path(wanted.node()),
                    recount.seen(),
                    snapshot.head().index(),
                    (System.nanoTime() - began) / 1_000_000);
        } catch (FsException e) {
            refused(wanted, e.error());
        } finally {
            seen.remove(wanted.node());
        }
    }

    private void bring(List<QuotaCommand.AddCounted> parts) {
        for (QuotaCommand.AddCounted part : parts) {
            try {
                proposals.propose(part).get(COMMAND_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw new FsException(FsException.errorOf(e));
            } catch (TimeoutException e) {
                throw new FsException(new FsError.Unavailable("no answer came", 1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new FsException(new FsError.Unavailable("this member stops", 1));
            }
        }
    }

    // Our own fault is not tried again and again; anything else the next look does better.
    private void refused(NodeCount wanted, FsError error) {
        if (error instanceof FsError.Internal) {
            wrong.add(wanted.count().countId());
            LOG.error(
                    "quota node {} stays uncounted until it is removed and set again: {}",
                    wanted.node(),
                    error.message());
        } else {
            LOG.debug("quota node {} is not counted yet: {}", wanted.node(), error.message());
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.shutdownNow();
    }
}
