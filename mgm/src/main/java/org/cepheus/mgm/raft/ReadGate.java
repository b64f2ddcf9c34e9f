package org.cepheus.mgm.raft;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.jspecify.annotations.Nullable;

/**
 * Lets a read look at this member's state only while nobody else can have a newer one. A majority's
 * confirmation is good for as long as no other leader can be elected, so one confirmation serves
 * all reads of the next half second. A member that is alone needs none.
 *
 * <p>The age is looked at again after the read: the process may have stood still in between.
 */
public final class ReadGate {
    private static final int MAX_TRIES = 3;

    private final BooleanSupplier leading;
    private final Supplier<CompletableFuture<Void>> confirm;
    private final Supplier<FsError> notLeading;
    private final LongSupplier monotonicNanos;
    private final long goodForNanos;
    private final Object lock = new Object();
    private volatile long goodUntil;
    private @Nullable CompletableFuture<Void> asking;

    /**
     * Makes a closed gate.
     *
     * @param leading whether this member leads and has applied all that was committed before
     * @param confirm asks a majority; completes when the state has all that was committed before
     * @param notLeading what to answer on other members
     * @param goodForNanos how long a confirmation holds from before it was asked; 0 if alone
     */
    ReadGate(
            BooleanSupplier leading,
            Supplier<CompletableFuture<Void>> confirm,
            Supplier<FsError> notLeading,
            LongSupplier monotonicNanos,
            long goodForNanos) {
        this.leading = leading;
        this.confirm = confirm;
        this.notLeading = notLeading;
        this.monotonicNanos = monotonicNanos;
        this.goodForNanos = goodForNanos;
        this.goodUntil = monotonicNanos.getAsLong() - 1;
    }

    /**
     * Runs a read that sees everything acknowledged before it was asked for. The read may run more
     * than once, on the caller's thread or one of Ratis; it must not block for long.
     */
    public <T> CompletableFuture<T> read(Supplier<T> read) {
        return read(read, 1);
    }

    private <T> CompletableFuture<T> read(Supplier<T> read, int attempt) {
        if (!leading.getAsBoolean()) {
            return failed(notLeading.get());
        }
        if (isOpen()) {
            T result;
            try {
                result = read.get();
            } catch (FsException e) {
                return isOpen() && leading.getAsBoolean()
                        ? CompletableFuture.failedFuture(e)
                        : again(read, attempt);
            }
            return isOpen() && leading.getAsBoolean()
                    ? CompletableFuture.completedFuture(result)
                    : again(read, attempt);
        }
        return again(read, attempt);
    }

    private <T> CompletableFuture<T> again(Supplier<T> read, int attempt) {
        if (attempt > MAX_TRIES) {
            return failed(
                    new FsError.Unavailable("this member could not confirm that it leads", 2));
        }
        return confirmed().thenCompose(_ -> read(read, attempt + 1));
    }

    private boolean isOpen() {
        return goodForNanos == 0 || goodUntil - monotonicNanos.getAsLong() > 0;
    }

    private CompletableFuture<Void> confirmed() {
        if (goodForNanos == 0) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> mine = new CompletableFuture<>();
        synchronized (lock) {
            if (asking != null) {
                return asking;
            }
            asking = mine;
        }
        long start = monotonicNanos.getAsLong();
        confirm.get()
                .whenComplete((_, failure) -> {
                    synchronized (lock) {
                        asking = null;
                    }
                    if (failure == null) {
                        goodUntil = start + goodForNanos;
                        mine.complete(null);
                    } else {
                        mine.completeExceptionally(new FsException(notLeading.get()));
                    }
                });
        return mine;
    }

    private static <T> CompletableFuture<T> failed(FsError error) {
        return CompletableFuture.failedFuture(new FsException(error));
    }
}
