package org.cepheus.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.cepheus.domain.QuotaUnit;
import org.junit.jupiter.api.Test;

class QuotaRowTest {
    private static final QuotaRow HUNDRED = QuotaRow.EMPTY.withLimits(100, 10);

    @Test
    void takesWhatFitsExactlyAndRefusesOneByteMore() {
        QuotaRow used = HUNDRED.plus(Charge.used(60, 1));

        assertThat(used.refusal(Charge.reserved(40, 1))).isEmpty();
        assertThat(used.refusal(Charge.reserved(41, 1)))
                .contains(new QuotaRow.Excess(QuotaUnit.BYTES, 100, 60, 0, 41));
    }

    @Test
    void countsReservationsAgainstTheLimitOfFilesToo() {
        QuotaRow full = HUNDRED.plus(new Charge(0, 4, 0, 6));

        assertThat(full.refusal(Charge.reserved(0, 1)))
                .contains(new QuotaRow.Excess(QuotaUnit.FILES, 10, 4, 6, 1));
    }

    @Test
    void letsUseShrinkOrStayWhenTheLimitWasSetBelowIt() {
        QuotaRow over = QuotaRow.EMPTY.plus(Charge.used(500, 1)).withLimits(100, 10);

        assertThat(over.refusal(Charge.used(-50, 0))).isEmpty();
        assertThat(over.refusal(new Charge(200, 0, -200, 0))).isEmpty();
        assertThat(over.refusal(Charge.used(1, 0))).isPresent();
    }

    @Test
    void limitsNothingWithoutALimit() {
        assertThat(QuotaRow.EMPTY.refusal(Charge.used(QuotaRow.MOST, 1))).isEmpty();
        assertThat(QuotaRow.EMPTY.roomBytes()).isEqualTo(QuotaRow.MOST);
    }

    @Test
    void stopsWhoeverTakesMoreThanWasCounted() {
        assertThatThrownBy(() -> QuotaRow.EMPTY.plus(Charge.used(-1, 0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("-1");
    }

    @Test
    void neverGrowsBeyondTheLimitWhateverIsCharged() {
        var random = new Random(11);
        QuotaRow row = HUNDRED;
        for (int i = 0; i < 10_000; i++) {
            var charge = Charge.reserved(random.nextInt(60) - 30, random.nextInt(5) - 2);
            boolean possible =
                    row.reservedBytes() + charge.reservedBytes() >= 0
                            && row.reservedFiles() + charge.reservedFiles() >= 0;
            if (possible && row.refusal(charge).isEmpty()) {
                row = row.plus(charge);
            }
            assertThat(row.reservedBytes()).isBetween(0L, 100L);
            assertThat(row.reservedFiles()).isBetween(0L, 10L);
        }
    }
}
