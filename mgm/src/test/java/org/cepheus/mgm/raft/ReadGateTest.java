package org.cepheus.mgm.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.junit.jupiter.api.Test;

final class ReadGateTest {
    private final AtomicBoolean leading = new AtomicBoolean(true);
    private final AtomicLong nanos = new AtomicLong();
    private final List<CompletableFuture<Void>> asked = new ArrayList<>();

    private ReadGate gate(long goodForNanos) {
        return new ReadGate(
                leading::get,
                () -> {
                    var answer = new CompletableFuture<Void>();
                    asked.add(answer);
                    return answer;
                },
                () -> new FsError.NotLeader(Optional.empty()),
                nanos::get,
                goodForNanos);
    }

    @Test
    void aLoneMemberAsksNobody() {
        assertThat(gate(0).read(() -> 5)).isCompletedWithValue(5);
        assertThat(asked).isEmpty();
    }

    @Test
    void oneConfirmationServesManyReads() {
        ReadGate gate = gate(100);
        var first = gate.read(() -> 1);
        var second = gate.read(() -> 2);
        assertThat(first).isNotDone();

        asked.getFirst().complete(null);
        var third = gate.read(() -> 3);

        assertThat(first).isCompletedWithValue(1);
        assertThat(second).isCompletedWithValue(2);
        assertThat(third).isCompletedWithValue(3);
        assertThat(asked).hasSize(1);
    }

    @Test
    void aConfirmationIsGoodFromBeforeItWasAskedFor() {
        ReadGate gate = gate(100);
        var read = gate.read(() -> 1);

        nanos.set(150);
        asked.getFirst().complete(null);

        assertThat(read).isNotDone();
        assertThat(asked).hasSize(2);
    }

    @Test
    void repeatsAReadDuringWhichTheConfirmationRanOut() {
        ReadGate gate = gate(100);
        var runs = new AtomicInteger();
        var read =
                gate.read(() -> {
                    if (runs.incrementAndGet() == 1) {
                        nanos.set(200);
                    }
                    return runs.get();
                });

        asked.get(0).complete(null);
        asked.get(1).complete(null);

        assertThat(read).isCompletedWithValue(2);
    }

    @Test
    void sendsReadersToTheLeader() {
        leading.set(false);

        assertThat(gate(0).read(() -> 5))
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(FsException.class)
                .withMessageContaining("not the leader");
    }

    @Test
    void aFailedConfirmationFailsTheReadAndIsAskedForAgain() {
        ReadGate gate = gate(100);
        var read = gate.read(() -> 1);

        asked.getFirst().completeExceptionally(new IllegalStateException("no majority"));
        var next = gate.read(() -> 2);
        asked.get(1).complete(null);

        assertThat(read).isCompletedExceptionally();
        assertThat(next).isCompletedWithValue(2);
    }
}
