package org.cepheus.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cepheus.domain.QuotaLimits;
import org.junit.jupiter.api.Test;

class ReservationsTest {
    private static final long MIB = 1L << 20;

    @Test
    void takesSixteenMebibytesWhereThereIsRoom() {
        assertThat(Reservations.chunk(List.of(QuotaRow.EMPTY), 0)).hasValue(16 * MIB);
    }

    @Test
    void takesWhatWasWantedIfThatIsMore() {
        assertThat(Reservations.chunk(List.of(room(100 * MIB)), 64 * MIB)).hasValue(64 * MIB);
    }

    @Test
    void halvesUntilItFitsTheTightestRow() {
        assertThat(Reservations.chunk(List.of(room(100 * MIB), room(5 * MIB)), 0))
                .hasValue(4 * MIB);
        assertThat(Reservations.chunk(List.of(room(MIB)), 0)).hasValue(MIB);
    }

    @Test
    void takesNothingWhenNotEvenOneMebibyteIsLeft() {
        assertThat(Reservations.chunk(List.of(room(MIB - 1)), 0)).isEmpty();
    }

    private static QuotaRow room(long bytes) {
        return QuotaRow.EMPTY.withLimits(new QuotaLimits(bytes, -1, -1, -1));
    }
}
