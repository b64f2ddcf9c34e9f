package org.cepheus.domain;

import java.util.HexFormat;

/**
 * Follows one client request through MGM, Raft and FST: the same 16 hex digits in each log line.
 */
public record TraceId(long value) {
    /** What no client asked for (expiry, renewal). */
    public static final TraceId NONE = new TraceId(0);

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(value);
    }
}
