package org.cepheus.fst.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.junit.jupiter.api.Test;

final class IoPoolTest {
    @Test
    void aCallThatHangsIsSeenUntilItEnds() throws Exception {
        try (var pool = new IoPool(1, 2)) {
            var entered = new CountDownLatch(1);
            var release = new CountDownLatch(1);
            CompletionStage<Boolean> call =
                    pool.run(() -> {
                        entered.countDown();
                        return waitFor(release);
                    });
            assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();

            assertThat(pool.isHung(Duration.ZERO)).isTrue();
            assertThat(pool.isHung()).isFalse();

            release.countDown();
            assertThat(call.toCompletableFuture().get(10, TimeUnit.SECONDS)).isTrue();
            assertThat(pool.isHung(Duration.ZERO)).isFalse();
        }
    }

    @Test
    void aFullQueueAnswersAtOnce() {
        var release = new CountDownLatch(1);
        try (var pool = new IoPool(1, 1)) {
            CompletionStage<Boolean> last = pool.run(() -> waitFor(release));
            for (int i = 0; i <= IoPool.MAX_QUEUED; i++) {
                last = pool.run(() -> true);
            }

            assertThat(last.toCompletableFuture()).isCompletedExceptionally();
            assertThat(FsException.errorOf(last.toCompletableFuture().exceptionNow()))
                    .isInstanceOf(FsError.Overloaded.class);
            release.countDown();
        }
    }

    @Test
    void whatACallThrowsArrives() {
        try (var pool = new IoPool(1, 1)) {
            CompletionStage<Object> call =
                    pool.run(() -> {
                        throw new FsException(new FsError.IoFailure("disk on fire"));
                    });

            assertThatThrownBy(() -> call.toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .hasMessageContaining("disk on fire");
        }
    }

    private static boolean waitFor(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
