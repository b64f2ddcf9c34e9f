package org.cepheus.it.failure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.cepheus.it.harness.CepheusUp;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.RawSocket;

/**
 * Many connections that say a byte now and then and never a whole request, and some that ask for
 * much and take nothing.
 */
final class SlowClients implements AutoCloseable {
    private static final int EACH = 25;
    private static final int PAUSE_SECONDS = 2;

    /** Both protocols give them 30 s, and look every few seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<RawSocket> dripping = new ArrayList<>();
    private final List<RawSocket> deaf = new ArrayList<>();
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("slow clients").factory());

    /**
     * Starts them all.
     *
     * @param large the path of a file that no socket's buffers hold
     */
    static SlowClients start(CepheusUp up, String large) {
        var slow = new SlowClients();
        int base = up.portBase();
        for (int i = 0; i < EACH; i++) {
            slow.dripping.add(RawSocket.connect(base).send((byte) 0));
            slow.dripping.add(RawSocket.connect(base + 1).send((byte) 0));
            slow.dripping.add(RawSocket.connect(base + 10).say("GET / HTTP/1.1\nX: "));
            slow.dripping.add(RawSocket.connect(base + 11).say("PUT /safe/slow HTTP/1.1\nX: "));
        }
        for (int i = 0; i < EACH; i++) {
            slow.deaf.add(
                    RawSocket.connect(base + 11).say("GET " + large + " HTTP/1.1\nHost: h\n\n"));
        }
        // Zeros are a handshake as far as they go, and part of a header that is not yet over.
        var _ =
                slow.clock.scheduleAtFixedRate(
                        () -> slow.dripping.forEach(client -> client.send((byte) 0)),
                        PAUSE_SECONDS,
                        PAUSE_SECONDS,
                        TimeUnit.SECONDS);
        return slow;
    }

    /**
     * Those that speak were let go by the server. The others do not hear it: the server's process
     * tells whether it still has their connections.
     */
    void awaitEnd() {
        Deadline.await(
                "slow clients are let go",
                PATIENCE,
                () -> dripping.stream().allMatch(RawSocket::isClosed));
    }

    @Override
    public void close() {
        clock.shutdownNow();
        dripping.forEach(RawSocket::close);
        deaf.forEach(RawSocket::close);
    }
}
