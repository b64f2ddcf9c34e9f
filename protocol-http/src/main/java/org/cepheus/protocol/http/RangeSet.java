package org.cepheus.protocol.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a {@code Range} header asks of a file (RFC 9110 section 14): one part or several, in the
 * order of the request, each within the file.
 */
record RangeSet(List<ByteRange> parts) {
    /** The most parts of one request; ROOT and davix send some hundreds. */
    static final int MAX_PARTS = 1024;

    /** More parts that overlap another than this are no honest request. */
    static final int MAX_OVERLAPS = 2;

    RangeSet {
        parts = List.copyOf(parts);
    }

    /** No part of the request lies in the file, or it is one that is refused (416). */
    static final class Unsatisfiable extends Exception {
        private static final long serialVersionUID = 1L;

        Unsatisfiable(String why) {
            super(why);
        }
    }

    /**
     * Reads the header for a file of that size. Other units and broken headers mean the whole file,
     * as the RFC allows.
     *
     * @return empty for the whole file
     */
    static Optional<RangeSet> parse(String header, long sizeBytes) throws Unsatisfiable {
        String text = header.strip();
        if (!text.regionMatches(true, 0, "bytes=", 0, 6)) {
            return Optional.empty();
        }
        var parts = new ArrayList<ByteRange>(1);
        int asked = 0;
        for (int start = 6; start <= text.length(); ) {
            int comma = text.indexOf(',', start);
            int end = comma < 0 ? text.length() : comma;
            String part = text.substring(start, end).strip();
            start = end + 1;
            if (part.isEmpty() && comma >= 0) {
                continue;
            }
            if (!isRange(part)) {
                return Optional.empty();
            }
            if (++asked > MAX_PARTS) {
                throw new Unsatisfiable(
                        "one request may ask for %d ranges; send several".formatted(MAX_PARTS));
            }
            addWithin(sizeBytes, part, parts);
        }
        if (parts.isEmpty()) {
            throw new Unsatisfiable(
                    "the file has %d bytes, none of them is in %s".formatted(sizeBytes, text));
        }
        refuseOverlaps(parts);
        return Optional.of(new RangeSet(parts));
    }

    /** {@code 0-9}, {@code 5-} or {@code -3}. */
    private static boolean isRange(String part) {
        int dash = part.indexOf('-');
        if (dash < 0 || part.length() == 1) {
            return false;
        }
        String first = part.substring(0, dash);
        String last = part.substring(dash + 1);
        return isNumber(first)
                && isNumber(last)
                && (first.isEmpty() || last.isEmpty() || number(first) <= number(last));
    }

    private static void addWithin(long sizeBytes, String part, List<ByteRange> parts) {
        int dash = part.indexOf('-');
        String last = part.substring(dash + 1);
        if (dash == 0) {
            long length = Math.min(number(last), sizeBytes);
            if (length > 0) {
                parts.add(new ByteRange(sizeBytes - length, length));
            }
            return;
        }
        long first = number(part.substring(0, dash));
        if (first < sizeBytes) {
            long end = last.isEmpty() ? sizeBytes : Math.min(number(last) + 1, sizeBytes);
            parts.add(new ByteRange(first, end - first));
        }
    }

    /** Overlapping floods make a small request cost a large answer. */
    private static void refuseOverlaps(List<ByteRange> parts) throws Unsatisfiable {
        if (parts.size() == 1) {
            return;
        }
        var sorted = new ArrayList<>(parts);
        sorted.sort(Comparator.comparingLong(ByteRange::offset));
        int overlaps = 0;
        long end = 0;
        for (ByteRange part : sorted) {
            overlaps += part.offset() < end ? 1 : 0;
            end = Math.max(end, part.end());
        }
        if (overlaps > MAX_OVERLAPS) {
            throw new Unsatisfiable(
                    "%d of the ranges overlap others, %d may".formatted(overlaps, MAX_OVERLAPS));
        }
    }

    private static boolean isNumber(String text) {
        return text.length() <= 18 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static long number(String digits) {
        return Long.parseLong(digits);
    }
}
