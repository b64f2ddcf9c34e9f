package org.cepheus.it.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Gauges;
import org.cepheus.it.harness.RawSocket;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Two thousand HTTP connections kept alive for later, and two hundred that fetch beside them. */
class ManyHttpConnectionsIT {
    private static final int IDLE = 2_000;
    private static final int BUSY = 200;
    private static final int ROUNDS = 4;
    private static final int MIB = 1 << 20;

    private static final long MAX_BYTES_EACH_IDLE = 64 * 1024;
    private static final long MAX_BYTES_EACH_BUSY = 2L * MIB;
    private static final long MAX_RESIDENT_BYTES = 1024L * MIB;

    /** Those of the volumes' pools, which start when they are needed; none belongs to a client. */
    private static final int MAX_MORE_THREADS = BUSY / 2;

    /** Data files, pipes, and what the process opens for itself. */
    private static final int OTHER_DESCRIPTORS = 2 * BUSY;

    private static final Duration SOON = Duration.ofSeconds(20);

    /** Silent for that long, a connection may be closed by its server (30 s). */
    private static final Duration KEPT = Duration.ofSeconds(25);

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    /** A connection that has been answered and is kept. */
    private record Kept(RawSocket socket, long askedNanos) {
        static Kept at(int port) {
            RawSocket socket = RawSocket.connect(port);
            assertThat(ask(socket)).startsWith("HTTP/1.1 200 ");
            return new Kept(socket, System.nanoTime());
        }

        static String ask(RawSocket socket) {
            return socket.say("HEAD / HTTP/1.1\nHost: localhost\n\n").head();
        }

        void assertKept() {
            String answer = ask(socket);
            if (System.nanoTime() - askedNanos < KEPT.toNanos()) {
                assertThat(answer).as("idle no more").startsWith("HTTP/1.1 200 ");
            }
        }
    }

    @Test
    void areServedInLittleMemory() throws Exception {
        Sample sample = Sample.write(directory.resolve("sample"), MIB + 777, 1);
        Client.named("xrdcp").run(sample.file(), UP.get().root("/fetched")).succeeded();
        fetch(1); // What is started for the first client is not the crowd's.
        Gauges gauges = UP.get().gauges();
        var idle = new ArrayList<Kept>(IDLE);
        try {
            long resident = gauges.residentBytes();
            long descriptors = gauges.descriptors();
            int threads = gauges.threads();
            for (int i = 0; i < IDLE; i++) {
                idle.add(Kept.at(UP.get().portBase() + 10 + i % 3)); // The MGM and both doors.
            }
            assertThat(gauges.residentBytes() - resident)
                    .as("memory for %d idle connections", IDLE)
                    .isLessThan(IDLE * MAX_BYTES_EACH_IDLE);
            assertThat(gauges.descriptors() - descriptors)
                    .as("descriptors of %d idle connections", IDLE)
                    .isBetween((long) IDLE, (long) IDLE + OTHER_DESCRIPTORS);
            assertThat(gauges.threads() - threads)
                    .as("threads for idle connections")
                    .isLessThan(MAX_MORE_THREADS);
            Deadline.await("no buffers for the idle", SOON, () -> gauges.bufferBytes() < MIB);

            fetch(BUSY);

            assertThat(gauges.threads() - threads)
                    .as("threads for busy connections")
                    .isLessThan(MAX_MORE_THREADS);
            assertThat(gauges.residentBytes()).isLessThan(MAX_RESIDENT_BYTES);
            idle.forEach(Kept::assertKept);
            Deadline.await("no buffers are left", SOON, () -> gauges.bufferBytes() < MIB);

            idle.forEach(each -> each.socket().close());
            Deadline.await(
                    "no descriptors are left",
                    SOON,
                    () -> gauges.descriptors() < descriptors + OTHER_DESCRIPTORS);
        } finally {
            idle.forEach(each -> each.socket().close());
        }
    }

    private void fetch(int clients) throws Exception {
        Gauges gauges = UP.get().gauges();
        byte[] content = Files.readAllBytes(directory.resolve("sample"));
        long most = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                running.add(
                        threads.submit(() -> {
                            fetchOnItsOwnConnections(content);
                            return true;
                        }));
            }
            for (Future<?> each : running) {
                while (!each.isDone()) {
                    most = Math.max(most, gauges.bufferBytes());
                }
                each.get();
            }
        }
        assertThat(most)
                .as("buffers at the worst")
                .isLessThanOrEqualTo(clients * MAX_BYTES_EACH_BUSY);
    }

    private static void fetchOnItsOwnConnections(byte[] content) throws Exception {
        try (var http =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NORMAL)
                        .build()) {
            var request = HttpRequest.newBuilder(URI.create(UP.get().http("/fetched"))).build();
            for (int round = 0; round < ROUNDS; round++) {
                HttpResponse<byte[]> answer =
                        http.send(request, HttpResponse.BodyHandlers.ofByteArray());
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(Arrays.equals(answer.body(), content)).isTrue();
            }
        }
    }
}
