package org.cepheus.protocol.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.SelectStrategy;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An event loop that waits")
class ShortWaitsTest {
    private static final int ENOUGH = 64;
    private static final long BRIEF = 40_000;
    private static final long LONG = 10_000_000;

    private long now = 1_000;
    private int events;
    private final ShortWaits waits = new ShortWaits(() -> now);

    @Test
    void sleepsAtFirst() throws Exception {
        assertThat(step()).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void looksAgainOnceItsWaitsAreShort() throws Exception {
        afterWaitsOf(BRIEF);

        assertThat(step()).isEqualTo(SelectStrategy.CONTINUE);
        assertThat(step()).isEqualTo(SelectStrategy.CONTINUE);
    }

    @Test
    void losesNoEventThatItSeesWhileItLooks() throws Exception {
        afterWaitsOf(BRIEF);
        assertThat(step()).isEqualTo(SelectStrategy.CONTINUE);
        events = 3;

        assertThat(step()).isEqualTo(3);
    }

    @Test
    void doesNotTakeEventsFromTheKernelBeforeItSleeps() throws Exception {
        events = 3;

        assertThat(step()).isEqualTo(SelectStrategy.SELECT);
        assertThat(events).isEqualTo(3);
    }

    @Test
    void sleepsWhenItHasLookedForLongEnough() throws Exception {
        afterWaitsOf(BRIEF);
        assertThat(step()).isEqualTo(SelectStrategy.CONTINUE);
        now += ShortWaits.SHORT_NANOS + 1;

        assertThat(step()).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void stopsLookingSoonAfterItsWaitsHaveBecomeLong() throws Exception {
        afterWaitsOf(BRIEF);
        int looked = 0;
        for (int i = 0; i < ENOUGH; i++) {
            looked += waitFor(LONG) ? 1 : 0;
        }

        assertThat(looked).isLessThanOrEqualTo(2 * WaitHistory.REMEMBERED);
        assertThat(step()).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void hardlyLooksWhileOnlyHalfOfItsWaitsAreShort() throws Exception {
        int looked = 0;
        var random = new Random(7);
        for (int i = 0; i < 1_000; i++) {
            looked += waitFor(random.nextBoolean() ? BRIEF : LONG) ? 1 : 0;
        }

        assertThat(looked).isLessThan(100);
    }

    @Test
    void looksBeforeTheShortWaitsOfAPatternOnly() throws Exception {
        for (int i = 0; i < ENOUGH; i++) {
            waitFor(LONG);
            waitFor(BRIEF);
        }

        assertThat(waitFor(LONG)).isFalse();
        assertThat(waitFor(BRIEF)).isTrue();
    }

    @Test
    void endsItsWaitWhenTheLoopIsGivenWork() throws Exception {
        afterWaitsOf(BRIEF);
        assertThat(step()).isEqualTo(SelectStrategy.CONTINUE);
        events = 2;

        assertThat(waits.calculateStrategy(this::takeEvents, true)).isEqualTo(2);
    }

    private void afterWaitsOf(long nanos) throws Exception {
        for (int i = 0; i < ENOUGH; i++) {
            waitFor(nanos);
        }
    }

    /** One wait that an event ends; true if the loop looked for it. */
    private boolean waitFor(long nanos) throws Exception {
        int first = step();
        now += nanos;
        if (first == SelectStrategy.CONTINUE && nanos > ShortWaits.SHORT_NANOS) {
            assertThat(step()).isEqualTo(SelectStrategy.SELECT);
        } else if (first == SelectStrategy.CONTINUE) {
            events = 1;
            assertThat(step()).isEqualTo(1);
        }
        // Sleeping has ended with the event; the loop shows that by asking again.
        return first == SelectStrategy.CONTINUE;
    }

    private int step() throws Exception {
        return waits.calculateStrategy(this::takeEvents, false);
    }

    private int takeEvents() {
        int taken = events;
        events = 0;
        return taken;
    }
}
