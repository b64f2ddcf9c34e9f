package org.cepheus.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class StampsTest {
    private final Stamps stamps = new Stamps();

    @Test
    void aTimeHasSixDigitsAfterTheSecond() {
        assertThat(stamps.of(Instant.parse("2026-11-22T00:01:02.000003999Z")))
                .isEqualTo("2026-11-22T00:01:02.000003Z");
        assertThat(stamps.of(Instant.parse("2026-11-22T00:01:02Z")))
                .isEqualTo("2026-11-22T00:01:02.000000Z");
    }

    @Test
    void theNextSecondAndAnEarlierOneAreNotTakenForTheLast() {
        stamps.of(Instant.parse("2026-12-31T23:59:59.5Z"));

        assertThat(stamps.of(Instant.parse("2027-01-01T00:00:00.25Z")))
                .isEqualTo("2027-01-01T00:00:00.250000Z");
        assertThat(stamps.of(Instant.parse("2026-12-31T23:59:59.75Z")))
                .isEqualTo("2026-12-31T23:59:59.750000Z");
    }
}
