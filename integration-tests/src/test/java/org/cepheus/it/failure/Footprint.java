package org.cepheus.it.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.cepheus.it.harness.CepheusUp;
import org.cepheus.it.harness.Deadline;

/** What a server's process holds of its machine. */
record Footprint(long threads, long descriptors, long bufferBytes) {
    /** Pools grow to their limits. Hostile clients come by thousands: what they leak is more. */
    private static final int SOME_THREADS = 64;

    /** Fewer than there are slow clients of each kind. */
    private static final int SOME_DESCRIPTORS = 16;

    private static final long SOME_BYTES = 1 << 20;
    private static final Duration SOON = Duration.ofSeconds(45);

    static Footprint of(CepheusUp up) {
        Path process = Path.of("/proc", Long.toString(up.pid()));
        return new Footprint(
                count(process.resolve("task")),
                count(process.resolve("fd")),
                (long) up.metric("cepheus_buffer_bytes"));
    }

    private static long count(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the server holds no more than this again. */
    void awaitIn(CepheusUp up) {
        try {
            Deadline.await("as before", SOON, () -> of(up).isNoMoreThan(this));
        } catch (AssertionError e) {
            assertThat(of(up)).as("what the process holds").isEqualTo(this);
        }
    }

    private boolean isNoMoreThan(Footprint before) {
        return threads <= before.threads + SOME_THREADS
                && descriptors <= before.descriptors + SOME_DESCRIPTORS
                && bufferBytes <= before.bufferBytes + SOME_BYTES;
    }
}
