package org.cepheus.mgm.raft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LeaseTimerTest {
    private static final long SECOND = 1_000_000_000L;

    private final LeaseTimer timer = new LeaseTimer();

    @Test
    void advancesWithMonotonicTimeWhileLeading() {
        timer.startAt(100, 5 * SECOND);

        timer.tick(6 * SECOND);

        assertThat(timer.now()).isEqualTo(100 + SECOND);
    }

    @Test
    void aSuspendedMachineExpiresNothing() {
        timer.startAt(0, 0);

        timer.tick(3_600 * SECOND);

        assertThat(timer.now()).isEqualTo(LeaseTimer.MAX_STEP_NANOS);
    }

    @Test
    void standsStillWithoutALeader() {
        timer.startAt(0, 0);
        timer.tick(SECOND);
        timer.stop();
        timer.tick(2 * SECOND);
        timer.startAt(0, 10 * SECOND);
        timer.tick(11 * SECOND);

        assertThat(timer.now()).isEqualTo(2 * SECOND);
    }

    @Test
    void takesOverFromTheStateWhenLeadershipComes() {
        timer.startAt(77 * SECOND, 0);

        assertThat(timer.now()).isEqualTo(77 * SECOND);
    }
}
