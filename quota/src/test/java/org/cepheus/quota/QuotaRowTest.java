package org.cepheus.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.cepheus.domain.QuotaLimits;
import org.cepheus.domain.QuotaUnit;
import org.junit.jupiter.api.Test;

class QuotaRowTest {
    private static final QuotaRow HUNDRED = QuotaRow.EMPTY.withLimits(limits(100, 10));

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
        QuotaRow over = QuotaRow.EMPTY.plus(Charge.used(500, 1)).withLimits(limits(100, 10));

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

    @Test
    void aRowThatOnlyNotesChangesMayBeNegativeUntilTheRestIsBrought() {
        QuotaRow noted = HUNDRED.noted(Charge.used(-60, -1));

        assertThat(noted.isSound()).isFalse();
        assertThat(noted.noted(Charge.used(60, 1))).isEqualTo(HUNDRED);
    }

    @Test
    void aDefaultCountsOnlyWhereARowHasNoLimitOfItsOwn() {
        var defaults = new QuotaLimits(50, 5, 40, QuotaLimits.INHERITED);
        var own = new QuotaLimits(QuotaLimits.UNLIMITED, QuotaLimits.INHERITED, 10, -2);

        assertThat(own.over(defaults)).isEqualTo(new QuotaLimits(-1, 5, 10, -2));
        assertThat(QuotaLimits.NONE.over(defaults)).isEqualTo(defaults);
    }

    @Test
    void whatIsUnlimitedOrInheritsNothingRefusesNothing() {
        QuotaRow lifted = QuotaRow.EMPTY.withLimits(limits(-1, -2));

        assertThat(lifted.refusal(Charge.used(1L << 40, 1L << 30))).isEmpty();
    }

    @Test
    void aSoftLimitRefusesNothing() {
        QuotaRow soft = QuotaRow.EMPTY.withLimits(new QuotaLimits(100, 10, 0, 0));

        assertThat(soft.refusal(Charge.reserved(100, 10))).isEmpty();
    }

    private static QuotaLimits limits(long bytes, long files) {
        return new QuotaLimits(bytes, files, QuotaLimits.INHERITED, QuotaLimits.INHERITED);
    }
}
