package org.cepheus.mgm.store;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts who is inside native memory, so that closing waits for the last reader: a call into a
 * closed database would not throw but end the process.
 */
final class Handle {
    private static final int CLOSED = Integer.MIN_VALUE / 2;

    private final AtomicInteger users = new AtomicInteger();

    /** Enters; each success is followed by exactly one {@link #leave}. */
    void enter() {
        if (!enterIfOpen()) {
            throw new IllegalStateException("the store is closed");
        }
    }

    /** The same for whoever has nothing left to do once it is closed. */
    boolean enterIfOpen() {
        if (users.getAndIncrement() < 0) {
            users.getAndDecrement();
            return false;
        }
        return true;
    }

    void leave() {
        users.getAndDecrement();
    }

    /**
     * Lets nobody in any more and waits until everybody has left.
     *
     * @return false if it was closed before
     */
    boolean close() {
        int before = users.getAndUpdate(n -> n < 0 ? n : n + CLOSED);
        if (before < 0) {
            return false;
        }
        while (users.get() > CLOSED) {
            LockSupport.parkNanos(this, 50_000);
        }
        return true;
    }
}
