package org.cepheus.fst.volume;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/**
 * The platform threads that touch one volume, so that a mount that hangs takes no other volume's
 * threads with it. The queue is bounded; a call that lasts too long shows in {@link #isHung}. No
 * thread is ever interrupted.
 */
public final class IoPool implements AutoCloseable {
    /** The most calls that wait for a thread. */
    public static final int MAX_QUEUED = 8_192;

    /** After that long in one call the volume counts as hung. */
    public static final Duration HUNG_AFTER = Duration.ofSeconds(30);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private final int volumeId;
    private final ThreadPoolExecutor threads;

    /** When each slot's call began, 0 while it has none. */
    private final AtomicLongArray begun;

    private final AtomicInteger lastSlot = new AtomicInteger();

    public IoPool(int volumeId, int threadCount) {
        this.volumeId = volumeId;
        this.begun = new AtomicLongArray(threadCount);
        this.threads =
                new ThreadPoolExecutor(
                        threadCount,
                        threadCount,
                        0,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        task -> {
                            int slot = lastSlot.getAndIncrement() % threadCount;
                            var thread =
                                    new Thread(
                                            () -> task.run(),
                                            "volume-%d-io-%d".formatted(volumeId, slot));
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /**
     * Runs a call on one of the threads. The stage completes on that thread; it fails with
     * Overloaded if the queue is full, and with what the call threw.
     */
    public <T> CompletionStage<T> run(Supplier<T> call) {
        var result = new CompletableFuture<T>();
        if (threads.getQueue().size() >= MAX_QUEUED) {
            result.completeExceptionally(
                    new FsException(
                            new FsError.Overloaded(
                                    "%d calls wait for volume %d".formatted(MAX_QUEUED, volumeId),
                                    5)));
            return result;
        }
        return finish(call);
    }

    /**
     * As {@link #run}, but never refused while the pool is open: for what gives resources back.
     * There is one such call at most for each open file, and those are limited.
     */
    public <T> CompletionStage<T> finish(Supplier<T> call) {
        var result = new CompletableFuture<T>();
        try {
            threads.execute(() -> watched(call, result));
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(
                    new FsException(new FsError.Unavailable("this FST is stopping", 1)));
        }
        return result;
    }

    private <T> void watched(Supplier<T> call, CompletableFuture<T> result) {
        int slot = enter();
        T value;
        try {
            value = call.get();
        } catch (RuntimeException | Error e) {
            begun.set(slot, 0);
            result.completeExceptionally(e);
            return;
        }
        begun.set(slot, 0);
        result.complete(value);
    }

    private int enter() {
        long now = System.nanoTime() | 1;
        int slot = (int) (Thread.currentThread().threadId() % begun.length());
        while (!begun.compareAndSet(slot, 0, now)) {
            slot = (slot + 1) % begun.length();
        }
        return slot;
    }

    /** True while some call has lasted longer than {@link #HUNG_AFTER}. */
    public boolean isHung() {
        return isHung(HUNG_AFTER);
    }

    boolean isHung(Duration after) {
        long now = System.nanoTime();
        for (int slot = 0; slot < begun.length(); slot++) {
            long since = begun.get(slot);
            if (since != 0 && now - since > after.toNanos()) {
                return true;
            }
        }
        return false;
    }

    public int queued() {
        return threads.getQueue().size();
    }

    /** Lets what was begun end, for a while. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            threads.awaitTermination(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
