package org.cepheus.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the parts of a process one after the other and stops them in reverse order. Parts may be
 * started by several threads; {@link #close} comes last, and closing again does nothing.
 */
public final class Lifecycle implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

    private record Part(String name, AutoCloseable handle) {}

    private final Deque<Part> started = new ArrayDeque<>();
    private boolean closed;

    /**
     * Starts a part and keeps it until {@link #close}. After a failure this part is not kept, and
     * those before it are still to be closed.
     *
     * @throws Exception what the part threw, or IllegalStateException after close
     */
    public <T extends AutoCloseable> T start(String name, Callable<T> part) throws Exception {
        long begin = System.nanoTime();
        T handle = part.call();
        if (!keep(new Part(name, handle))) {
            handle.close();
            throw new IllegalStateException(name + " came up after the stop had begun");
        }
        LOG.info("started {} in {} ms", name, millisSince(begin));
        return handle;
    }

    /** Keeps something that is stopped like a part but needs no starting. */
    public void onStop(String name, AutoCloseable action) {
        if (!keep(new Part(name, action))) {
            throw new IllegalStateException(name + " came up after the stop had begun");
        }
    }

    private synchronized boolean keep(Part part) {
        if (!closed) {
            started.push(part);
        }
        return !closed;
    }

    private synchronized Deque<Part> takeAll() {
        closed = true;
        var all = new ArrayDeque<>(started);
        started.clear();
        return all;
    }

    /** Stops every part, the last one first; a part that fails is logged and the others go on. */
    @Override
    public void close() {
        for (Part part : takeAll()) {
            stop(part);
        }
    }

    // Whatever a part throws must not keep the others from stopping.
    private static void stop(Part part) {
        long begin = System.nanoTime();
        try {
            part.handle().close();
            LOG.info("stopped {} in {} ms", part.name(), millisSince(begin));
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            LOG.error("stopping {} failed", part.name(), e);
        }
    }

    private static long millisSince(long nanoTime) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanoTime);
    }
}
