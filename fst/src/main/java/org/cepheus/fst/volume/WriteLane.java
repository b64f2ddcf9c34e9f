package org.cepheus.fst.volume;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/**
 * The calls that change one file, one after the other on the pool's threads. The kernel lets one
 * buffered writer at a time into a file, so more threads would only wait at its lock, and one busy
 * upload would keep the others of the volume waiting for a thread. One lock guards the queue.
 */
public final class WriteLane {
    /** The most calls that wait in one lane. */
    public static final int MAX_QUEUED = 4_096;

    /** After so many calls another file gets the thread. */
    private static final int CALLS_PER_TURN = 16;

    private final IoPool pool;
    private final Queue<Waiting<?>> queue = new ArrayDeque<>();
    private boolean running;
    private boolean closed;

    public WriteLane(IoPool pool) {
        this.pool = pool;
    }

    /**
     * Runs a call after those before it. The stage completes on the thread that ran it; it fails
     * with Overloaded if the lane is full, and with what the call threw.
     */
    public <T> CompletionStage<T> run(Supplier<T> call) {
        var result = new CompletableFuture<T>();
        boolean begin;
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(stopping());
            }
            if (queue.size() >= MAX_QUEUED) {
                return CompletableFuture.failedFuture(
                        new FsException(
                                new FsError.Overloaded(
                                        "%d writes wait for one file".formatted(MAX_QUEUED), 5)));
            }
            queue.add(new Waiting<>(result, call));
            begin = !running;
            running = true;
        }
        if (begin) {
            turn();
        }
        return result;
    }

    private record Waiting<T>(CompletableFuture<T> result, Supplier<T> call) {
        void run() {
            T value;
            try {
                value = call.get();
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
                return;
            }
            result.complete(value);
        }
    }

    /** There is one at a time for each file, and files are limited: never refused. */
    private void turn() {
        pool.finish(
                        () -> {
                            for (int n = 0; n < CALLS_PER_TURN; n++) {
                                Waiting<?> next = next();
                                if (next == null) {
                                    return false;
                                }
                                next.run();
                            }
                            return true;
                        })
                .whenComplete((more, thrown) -> {
                    if (thrown != null) {
                        close();
                    } else if (more) {
                        turn();
                    }
                });
    }

    private synchronized @org.jspecify.annotations.Nullable Waiting<?> next() {
        Waiting<?> next = queue.poll();
        running = next != null;
        return next;
    }

    /** The pool is closed: nothing runs any more. */
    private void close() {
        synchronized (this) {
            closed = true;
        }
        for (Waiting<?> next = next(); next != null; next = next()) {
            next.result().completeExceptionally(stopping());
        }
    }

    private static FsException stopping() {
        return new FsException(new FsError.Unavailable("this FST is stopping", 1));
    }
}
