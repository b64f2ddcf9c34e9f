package org.cepheus.protocol.socket;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import java.util.function.LongSupplier;

/**
 * How an event loop waits: it sleeps in the kernel, unless its last waits say that the next event
 * comes at once. Then it looks again and again, {@link #SHORT_NANOS} at most. To sleep and be woken
 * costs a client that asks one thing after another more time than its request, on a virtual machine
 * several times as much, and this processor no less than to look. Belongs to one loop.
 */
final class ShortWaits implements SelectStrategy {
    static final long SHORT_NANOS = 100_000;

    /** After sleeping, the time to wake up and to serve what came is part of what was measured. */
    static final long SLEPT_SHORT_NANOS = 2 * SHORT_NANOS;

    private enum State {
        BUSY,
        LOOKING,
        SLEEPING
    }

    private final LongSupplier clock;
    private final WaitHistory history = new WaitHistory();
    private State state = State.BUSY;
    private long since;

    /**
     * @param clock nanoseconds that never go back
     */
    ShortWaits(LongSupplier clock) {
        this.clock = clock;
    }

    @Override
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        long now = clock.getAsLong();
        if (state == State.SLEEPING) {
            ended(now - since <= SLEPT_SHORT_NANOS);
        }
        if (hasTasks) {
            if (state == State.LOOKING) {
                ended(true);
            }
            return selectNow.get();
        }
        if (state == State.BUSY) {
            since = now;
            state = history.expectsShort() ? State.LOOKING : State.SLEEPING;
        } else if (now - since > SHORT_NANOS) {
            state = State.SLEEPING;
        }
        return state == State.SLEEPING ? SELECT : look(selectNow);
    }

    private int look(IntSupplier selectNow) throws Exception {
        int events = selectNow.get();
        if (events > 0) {
            ended(true);
            return events;
        }
        Thread.onSpinWait();
        return CONTINUE;
    }

    private void ended(boolean isShort) {
        history.waited(isShort);
        state = State.BUSY;
    }
}
