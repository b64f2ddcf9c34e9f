package org.cepheus.it.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Gauges;
import org.cepheus.it.harness.RawXrootd;
import org.cepheus.it.harness.SharedUp;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two thousand connections that are only there, and two hundred that work beside them. */
class ManyConnectionsIT {
    private static final int IDLE = 2_000;
    private static final int BUSY = 200;
    private static final int MIB = 1 << 20;
    private static final int FILE_BYTES = MIB / 2 + 777;
    private static final int WRITE_BYTES = MIB / 4;

    private static final long MAX_BYTES_EACH_IDLE = 64 * 1024;
    private static final long MAX_BYTES_EACH_BUSY = 2L * MIB;
    private static final long MAX_RESIDENT_BYTES = 1024L * MIB;
    private static final Duration SOON = Duration.ofSeconds(20);

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @Test
    void areServedInLittleMemory() throws Exception {
        Gauges gauges = UP.get().gauges();
        int manager = UP.get().portBase();
        var idle = new ArrayList<RawXrootd>(IDLE);
        try {
            long before = gauges.residentBytes();
            for (int i = 0; i < IDLE; i++) {
                idle.add(RawXrootd.login(manager + i % 3)); // The MGM and both FSTs.
            }
            assertThat(gauges.residentBytes() - before)
                    .as("memory for %d idle connections", IDLE)
                    .isLessThan(IDLE * MAX_BYTES_EACH_IDLE);
            Deadline.await("no buffers for the idle", SOON, () -> gauges.bufferBytes() < MIB);

            work(manager, gauges);

            Deadline.await("no buffers are left", SOON, () -> gauges.bufferBytes() < MIB);
            assertThat(gauges.residentBytes()).isLessThan(MAX_RESIDENT_BYTES);
            for (RawXrootd each : idle) {
                assertThat(each.ask(new XrootdRequest.Ping()).status())
                        .as("idle no more")
                        .isEqualTo(XrootdResponse.OK);
            }
        } finally {
            idle.forEach(RawXrootd::close);
        }
    }

    private static void work(int manager, Gauges gauges) throws Exception {
        long most = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < BUSY; i++) {
                int number = i;
                running.add(threads.submit(() -> writeAndReadBack(manager, number)));
            }
            for (Future<?> each : running) {
                while (!each.isDone()) {
                    most = Math.max(most, gauges.bufferBytes());
                }
                each.get();
            }
        }
        assertThat(most).as("buffers at the worst").isLessThanOrEqualTo(BUSY * MAX_BYTES_EACH_BUSY);
    }

    private static void writeAndReadBack(int manager, int number) {
        byte[] content = new byte[FILE_BYTES];
        new Random(number).nextBytes(content);
        String path = "/busy-" + number;
        int create = XrootdRequest.Open.NEW | XrootdRequest.Open.UPDATE;
        try (RawXrootd writer = RawXrootd.open(manager, path, create)) {
            for (int at = 0; at < FILE_BYTES; at += WRITE_BYTES) {
                int end = Math.min(FILE_BYTES, at + WRITE_BYTES);
                writer.write(at, Arrays.copyOfRange(content, at, end));
            }
            writer.closeFile();
        }
        try (RawXrootd reader = RawXrootd.open(manager, path, XrootdRequest.Open.FOR_READ)) {
            assertThat(Arrays.equals(reader.read(0, FILE_BYTES), content)).as(path).isTrue();
            reader.closeFile();
        }
    }
}
