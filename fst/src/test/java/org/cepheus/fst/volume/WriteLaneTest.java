package org.cepheus.fst.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class WriteLaneTest {
    @Test
    void callsRunOneAfterTheOtherInTheirOrder() throws Exception {
        var order = new ArrayList<Integer>(); // no lock: only one call runs at a time
        try (var pool = new IoPool(1, 4)) {
            var lane = new WriteLane(pool);
            var calls = new ArrayList<CompletionStage<Boolean>>();
            for (int i = 0; i < 1_000; i++) {
                int number = i;
                calls.add(lane.run(() -> order.add(number)));
            }
            for (CompletionStage<Boolean> call : calls) {
                call.toCompletableFuture().get(20, TimeUnit.SECONDS);
            }
        }

        assertThat(order).isEqualTo(IntStream.range(0, 1_000).boxed().toList());
    }

    @Test
    void aCallThatFailsDoesNotStopTheNext() throws Exception {
        try (var pool = new IoPool(1, 2)) {
            var lane = new WriteLane(pool);
            CompletionStage<List<Object>> first =
                    lane.run(() -> {
                        throw new IllegalStateException("broken");
                    });
            CompletionStage<String> second = lane.run(() -> "fine");

            assertThat(second.toCompletableFuture().get(20, TimeUnit.SECONDS)).isEqualTo("fine");
            assertThatThrownBy(() -> first.toCompletableFuture().get(20, TimeUnit.SECONDS))
                    .hasMessageContaining("broken");
        }
    }

    @Test
    void nothingRunsOnceThePoolIsClosed() {
        var pool = new IoPool(1, 2);
        var lane = new WriteLane(pool);
        pool.close();

        assertThat(lane.run(() -> "late").toCompletableFuture()).isCompletedExceptionally();
        assertThat(lane.run(() -> "later").toCompletableFuture()).isCompletedExceptionally();
    }
}
