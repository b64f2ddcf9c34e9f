package org.cepheus.domain;

/** Who asks, from where, under which trace id. Travels in commands, tickets, audit lines. */
public record Caller(Identity identity, String address, TraceId trace) {
    /** The system's own commands. */
    public static final Caller SYSTEM = new Caller(Identity.SYSTEM, "-", TraceId.NONE);
}
