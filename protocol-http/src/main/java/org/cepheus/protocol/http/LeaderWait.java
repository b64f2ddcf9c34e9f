package org.cepheus.protocol.http;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/**
 * Repeats a call while the namespace has no leader: most HTTP clients give up at the first 503, so
 * an election is waited out here.
 *
 * @param hold how long calls are repeated
 * @param abandoned true when nobody waits for the answer any more
 */
record LeaderWait(ScheduledExecutorService loop, Duration hold, BooleanSupplier abandoned) {
    private static final long PAUSE_MILLIS = 250;

    /** The first answer that is not for want of a leader, or the last of those. */
    <T> CompletionStage<T> call(Supplier<CompletionStage<T>> attempt) {
        return attempt(attempt, System.nanoTime() + hold.toNanos());
    }

    private <T> CompletionStage<T> attempt(Supplier<CompletionStage<T>> attempt, long deadline) {
        return attempt.get()
                .exceptionallyCompose(failure ->
                        mayPass(FsException.errorOf(failure))
                                        && System.nanoTime() < deadline
                                        && !abandoned.getAsBoolean()
                                ? later(attempt, deadline)
                                : CompletableFuture.failedStage(failure));
    }

    private <T> CompletionStage<T> later(Supplier<CompletionStage<T>> attempt, long deadline) {
        var pause = new CompletableFuture<Boolean>();
        loop.schedule(() -> pause.complete(true), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        return pause.thenCompose(_ -> attempt(attempt, deadline));
    }

    private static boolean mayPass(FsError error) {
        return error instanceof FsError.Unavailable
                || (error instanceof FsError.NotLeader(var leader) && leader.isEmpty());
    }
}
