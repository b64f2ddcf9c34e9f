package org.cepheus.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class HttpDatesTest {
    private static final DateTimeFormatter FIXED =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);

    @Test
    void writesTimesAsTheLibraryDoes() {
        // Twenty thousand years around 1970.
        new Random(1)
                .longs(20_000, -315_000_000_000L, 315_000_000_000L)
                .mapToObj(second -> Instant.ofEpochSecond(second, 999_999_999))
                .forEach(HttpDatesTest::assertAsTheLibrary);
        assertAsTheLibrary(Instant.EPOCH);
        assertAsTheLibrary(Instant.parse("2024-02-29T23:59:59.5Z"));
        assertAsTheLibrary(Instant.parse("1000-01-01T00:00:00Z"));
        assertAsTheLibrary(Instant.parse("0999-12-31T23:59:59Z"));
        assertAsTheLibrary(Instant.parse("9999-12-31T23:59:59Z"));
    }

    private static void assertAsTheLibrary(Instant time) {
        assertThat(HttpDates.format(time)).isEqualTo(FIXED.format(time));
        assertThat(HttpDates.formatIso(time))
                .isEqualTo(time.truncatedTo(ChronoUnit.SECONDS).toString());
    }
}
