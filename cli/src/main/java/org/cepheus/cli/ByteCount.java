package org.cepheus.cli;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of bytes as people write them: {@code 10GiB} is 1024^3, {@code 10GB} is 1000^3. */
final class ByteCount {
    private static final Pattern WRITTEN =
            Pattern.compile("(\\d+(?:\\.\\d+)?) *([KMGTPE]?)(i?)(B?)", Pattern.CASE_INSENSITIVE);
    private static final String PREFIXES = "KMGTPE";

    /** From here on one decimal would show 1024.0. */
    private static final double ROUNDS_UP = 1_023.95;

    private ByteCount() {}

    /** Reads {@code 4096}, {@code 10GiB}, {@code 10G} (the same), {@code 1.5 TB}. */
    static long parse(String text) {
        return read(text)
                .orElseThrow(() ->
                        new CommandFailure(
                                ExitCode.USAGE,
                                "'%s' is no size; write bytes, or a number with a unit such as 500MiB, 10GiB, 2TiB"
                                        .formatted(text)));
    }

    /** The same; empty if it is no size. */
    static Optional<Long> read(String text) {
        Matcher matcher = WRITTEN.matcher(text.strip());
        if (matcher.matches() && !(matcher.group(2).isEmpty() && !matcher.group(3).isEmpty())) {
            String prefix = matcher.group(2).toUpperCase(Locale.ROOT);
            boolean decimal = matcher.group(3).isEmpty() && !matcher.group(4).isEmpty();
            long base = decimal && !prefix.isEmpty() ? 1_000 : 1_024;
            int power = prefix.isEmpty() ? 0 : PREFIXES.indexOf(prefix) + 1;
            var bytes =
                    new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(base).pow(power));
            if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0) {
                return Optional.of(bytes.longValue());
            }
        }
        return Optional.empty();
    }

    /** One decimal in the largest unit that fits, {@code 1.5 GiB}; below 1 KiB plain bytes. */
    static String format(long bytes) {
        if (bytes < 1_024) {
            return bytes + " B";
        }
        int power = (63 - Long.numberOfLeadingZeros(bytes)) / 10;
        double scaled = bytes / (double) (1L << (10 * power));
        if (scaled >= ROUNDS_UP && power < PREFIXES.length()) {
            power++;
            scaled /= 1_024;
        }
        return String.format(Locale.ROOT, "%.1f %ciB", scaled, PREFIXES.charAt(power - 1));
    }
}
