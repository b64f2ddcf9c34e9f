package org.cepheus.protocol.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Times in headers and properties: IMF-fixdate (RFC 9110 section 5.6.7). */
final class HttpDates {
    private static final DateTimeFormatter FIXED =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);

    private static final List<String> DAYS =
            List.of("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun");
    private static final List<String> MONTHS =
            List.of(
                    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov",
                    "Dec");

    private HttpDates() {}

    // By hand: a listing formats two for each entry, and the library's formatters take longer than
    // all the rest of it.
    static String format(Instant instant) {
        LocalDateTime at = utc(instant);
        if (at.getYear() < 1000 || at.getYear() > 9999) {
            return FIXED.format(instant);
        }
        var out = new StringBuilder(29).append(DAYS.get(at.getDayOfWeek().getValue() - 1));
        two(at.getDayOfMonth(), out.append(", "));
        out.append(' ').append(MONTHS.get(at.getMonthValue() - 1));
        time(at, out.append(' ').append(at.getYear()).append(' '));
        return out.append(" GMT").toString();
    }

    private static LocalDateTime utc(Instant instant) {
        return LocalDateTime.ofEpochSecond(instant.getEpochSecond(), 0, ZoneOffset.UTC);
    }

    private static void time(LocalDateTime at, StringBuilder out) {
        two(at.getHour(), out);
        two(at.getMinute(), out.append(':'));
        two(at.getSecond(), out.append(':'));
    }

    private static void two(int number, StringBuilder out) {
        out.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
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
        LocalDateTime at = utc(instant);
        if (at.getYear() < 1000 || at.getYear() > 9999) {
            return instant.truncatedTo(ChronoUnit.SECONDS).toString();
        }
        var out = new StringBuilder(20).append(at.getYear()).append('-');
        two(at.getMonthValue(), out);
        two(at.getDayOfMonth(), out.append('-'));
        time(at, out.append('T'));
        return out.append('Z').toString();
    }
}
