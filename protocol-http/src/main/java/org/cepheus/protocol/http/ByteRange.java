package org.cepheus.protocol.http;

import java.util.Optional;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/** A part of a file, in bytes. */
record ByteRange(long offset, long length) {
    /** The end of the last byte, inclusive, as headers count. */
    long last() {
        return offset + length - 1;
    }

    /** A range that lies beyond the end of the file (416). */
    static final class Unsatisfiable extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /**
     * Reads a {@code Range} header for a file of that size (RFC 9110 section 14). Several ranges,
     * other units and broken headers mean the whole file, as the RFC allows.
     *
     * @return empty for the whole file
     */
    static Optional<ByteRange> parse(String header, long sizeBytes) throws Unsatisfiable {
        String text = header.strip();
        if (!text.regionMatches(true, 0, "bytes=", 0, 6) || text.indexOf(',') >= 0) {
            return Optional.empty();
        }
        int dash = text.indexOf('-');
        if (dash < 0) {
            return Optional.empty();
        }
        String first = text.substring(6, dash).strip();
        String last = text.substring(dash + 1).strip();
        if (!isNumber(first) || !isNumber(last) || (first.isEmpty() && last.isEmpty())) {
            return Optional.empty();
        }
        return first.isEmpty()
                ? Optional.of(suffix(number(last), sizeBytes))
                : between(number(first), last.isEmpty() ? Long.MAX_VALUE : number(last), sizeBytes);
    }

    private static ByteRange suffix(long wanted, long sizeBytes) throws Unsatisfiable {
        long length = Math.min(wanted, sizeBytes);
        if (length == 0) {
            throw new Unsatisfiable();
        }
        return new ByteRange(sizeBytes - length, length);
    }

    private static Optional<ByteRange> between(long first, long last, long sizeBytes)
            throws Unsatisfiable {
        if (last < first) {
            return Optional.empty();
        }
        if (first >= sizeBytes) {
            throw new Unsatisfiable();
        }
        return Optional.of(new ByteRange(first, Math.min(last, sizeBytes - 1) - first + 1));
    }

    private static boolean isNumber(String text) {
        return text.length() <= 18 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static long number(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new FsException(new FsError.InvalidArgument("not a byte position: " + digits));
        }
    }
}
