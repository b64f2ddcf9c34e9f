package org.cepheus.protocol.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/** Times in headers and properties: IMF-fixdate (RFC 9110 section 5.6.7). */
final class HttpDates {
    private static final DateTimeFormatter FIXED =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);

    private HttpDates() {}

    static String format(Instant instant) {
        return FIXED.format(instant);
    }

    static Optional<Instant> parse(String text) {
        try {
            return Optional.of(Instant.from(FIXED.parse(text.strip())));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** {@code creationdate} of WebDAV (RFC 3339). */
    static String formatIso(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
