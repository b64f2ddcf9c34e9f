package org.cepheus.fst;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/**
 * How far one upload may write before the quota has to hold more for it: 16 MiB at first, doubling
 * to 1 GiB, the next asked for when half is used, and just what is needed near a limit. Writes
 * beyond it wait. One lock guards it; nothing is asked or answered under the lock.
 */
final class Reservation {
    static final long FIRST_STEP_BYTES = 16L << 20;
    static final long MAX_STEP_BYTES = 1L << 30;
    static final long MIN_STEP_BYTES = 1L << 20;

    /** The most writes of one upload that wait for more. */
    static final int MAX_WAITING = 1_024;

    /** Asks the namespace that so many bytes be held; answers how many are. */
    interface Extender {
        CompletionStage<Long> extend(long wantedBytes);
    }

    private record Waiter(long end, CompletableFuture<Void> released) {}

    private final Extender extender;
    private final List<Waiter> waiting = new ArrayList<>();
    private long allowedBytes;
    private long stepBytes = FIRST_STEP_BYTES;
    private boolean asking;
    private boolean askEarly;

    /**
     * Begins with what the open reserved.
     *
     * @param askEarly false when the final size is known: then nothing is asked in advance
     */
    Reservation(long allowedBytes, boolean askEarly, Extender extender) {
        this.allowedBytes = allowedBytes;
        this.askEarly = askEarly;
        this.extender = extender;
    }

    /** Completes when the content may grow to {@code end} bytes; fails when it may not. */
    CompletionStage<Void> upTo(long end) {
        long ask = 0;
        CompletableFuture<Void> released = null;
        synchronized (this) {
            if (end > allowedBytes) {
                if (waiting.size() >= MAX_WAITING) {
                    return failed(
                            new FsError.Overloaded(
                                    "%d writes wait for quota".formatted(MAX_WAITING), 1));
                }
                released = new CompletableFuture<>();
                waiting.add(new Waiter(end, released));
                if (!asking) {
                    ask = Math.max(furthest(), allowedBytes + stepBytes);
                }
            } else if (askEarly && !asking && end > allowedBytes / 2) {
                ask = allowedBytes + stepBytes;
            }
            asking |= ask > 0;
        }
        if (ask > 0) {
            ask(ask);
        }
        return released == null ? CompletableFuture.completedFuture(null) : released;
    }

    private void ask(long wantedBytes) {
        extender.extend(wantedBytes)
                .whenComplete((granted, failure) -> {
                    if (failure == null) {
                        granted(wantedBytes, granted);
                    } else {
                        refused(wantedBytes, FsException.errorOf(failure));
                    }
                });
    }

    private void granted(long wantedBytes, long grantedBytes) {
        var released = new ArrayList<Waiter>();
        long ask = 0;
        synchronized (this) {
            allowedBytes = Math.max(allowedBytes, grantedBytes);
            stepBytes = Math.min(MAX_STEP_BYTES, stepBytes * 2);
            for (Waiter waiter : waiting) {
                if (waiter.end <= allowedBytes) {
                    released.add(waiter);
                }
            }
            waiting.removeAll(released);
            if (!waiting.isEmpty()) {
                ask = furthest();
            }
            asking = ask > 0;
        }
        released.forEach(waiter -> waiter.released.complete(null));
        if (ask > 0 && grantedBytes < wantedBytes) {
            refused(
                    ask,
                    new FsError.Internal(
                            "asked for a reservation of %d bytes, got %d"
                                    .formatted(wantedBytes, grantedBytes)));
        } else if (ask > 0) {
            ask(ask);
        }
    }

    private void refused(long wantedBytes, FsError error) {
        Optional<List<Waiter>> lost = Optional.empty();
        long ask = 0;
        synchronized (this) {
            askEarly = false;
            stepBytes = MIN_STEP_BYTES;
            long needed = waiting.isEmpty() ? 0 : furthest();
            if (error instanceof FsError.QuotaExceeded && needed > 0 && needed < wantedBytes) {
                ask = needed;
            } else {
                lost = Optional.of(List.copyOf(waiting));
                waiting.clear();
            }
            asking = ask > 0;
        }
        lost.ifPresent(waiters ->
                waiters.forEach(
                        waiter -> waiter.released.completeExceptionally(new FsException(error))));
        if (ask > 0) {
            ask(ask);
        }
    }

    /** Under the lock. */
    private long furthest() {
        long furthest = 0;
        for (Waiter waiter : waiting) {
            furthest = Math.max(furthest, waiter.end);
        }
        return furthest;
    }

    private static CompletionStage<Void> failed(FsError error) {
        return CompletableFuture.failedFuture(new FsException(error));
    }
}
