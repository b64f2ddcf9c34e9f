package org.cepheus.domain.codec;

/** A constant that stands in formats by a number of its own, so that its place may change. */
public interface Coded {
    int code();
}
