package org.cepheus.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LifecycleTest {
    private final List<String> events = new ArrayList<>();
    private final Lifecycle lifecycle = new Lifecycle();

    @Test
    void stopsInReverseOrder() throws Exception {
        start("store");
        start("raft");
        lifecycle.onStop("flush", () -> events.add("flushed"));

        lifecycle.close();

        assertThat(events)
                .containsExactly(
                        "store started",
                        "raft started",
                        "flushed",
                        "raft stopped",
                        "store stopped");
    }

    @Test
    void stopsTheOthersWhenOneFailsToStop() throws Exception {
        start("store");
        lifecycle.onStop(
                "broken",
                () -> {
                    throw new IOException("for the test");
                });

        lifecycle.close();

        assertThat(events).containsExactly("store started", "store stopped");
    }

    @Test
    void stopsWhatWasStartedBeforeAFailure() throws Exception {
        start("store");
        assertThatThrownBy(() ->
                        lifecycle.start(
                                "raft",
                                () -> {
                                    throw new IOException("no port");
                                }))
                .hasMessage("no port");

        lifecycle.close();

        assertThat(events).containsExactly("store started", "store stopped");
    }

    @Test
    void stopsAPartThatComesUpAfterTheStop() {
        lifecycle.close();

        assertThatThrownBy(() -> start("late")).isInstanceOf(IllegalStateException.class);

        assertThat(events).containsExactly("late started", "late stopped");
    }

    private void start(String name) throws Exception {
        var _ =
                lifecycle.start(
                        name,
                        () -> {
                            events.add(name + " started");
                            return () -> events.add(name + " stopped");
                        });
    }
}
