package org.cepheus.fst;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PaceTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @Test
    void aPieceWaitsAsLongAsItTakesAtTheRate() {
        assertThat(new Pace(1_000).waitNanos(500, 77)).isEqualTo(SECOND / 2);
    }

    @Test
    void piecesQueueBehindEachOther() {
        var pace = new Pace(1_000);

        pace.waitNanos(1_000, 0);

        assertThat(pace.waitNanos(1_000, 0)).isEqualTo(2 * SECOND);
        assertThat(pace.waitNanos(1_000, SECOND)).isEqualTo(2 * SECOND);
    }

    @Test
    void whoWasIdleHasSavedNothing() {
        var pace = new Pace(1_000);
        pace.waitNanos(1_000, 0);

        assertThat(pace.waitNanos(1_000, 60 * SECOND)).isEqualTo(SECOND);
    }

    @Test
    void theClockMayBeNegative() {
        var pace = new Pace(1_000);

        assertThat(pace.waitNanos(1_000, -5 * SECOND)).isEqualTo(SECOND);
        assertThat(pace.waitNanos(1_000, -5 * SECOND)).isEqualTo(2 * SECOND);
    }
}
