package org.cepheus.app;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops the parts of a process on Ctrl-C and SIGTERM. Stopping takes at most {@link #LIMIT}: what
 * was acknowledged is on disk anyway, so a part that hangs is left behind.
 */
final class Shutdown {
    static final Duration LIMIT = Duration.ofSeconds(15);

    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

    private final CountDownLatch asked = new CountDownLatch(1);

    /** Closes the parts when the JVM is told to end. */
    static Shutdown of(AutoCloseable parts) {
        var shutdown = new Shutdown();
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform().name("shutdown").unstarted(() -> shutdown.stop(parts)));
        return shutdown;
    }

    private void stop(AutoCloseable parts) {
        asked.countDown();
        var done = new CountDownLatch(1);
        Thread.ofPlatform()
                .daemon()
                .name("stopping")
                .start(() -> {
                    close(parts);
                    done.countDown();
                });
        try {
            if (!done.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.error("not all parts stopped within {} s", LIMIT.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ServerLog.close();
    }

    private static void close(AutoCloseable parts) {
        try {
            parts.close();
        } catch (Exception e) { // Whatever it is, the process ends now.
            LOG.error("stopping failed", e);
        }
    }

    boolean isAsked() {
        return asked.getCount() == 0;
    }

    /** Waits until the process is told to end. */
    void await() throws InterruptedException {
        asked.await();
    }
}
