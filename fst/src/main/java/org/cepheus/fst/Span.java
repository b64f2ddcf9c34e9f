package org.cepheus.fst;

/** Some bytes of a file, at least one. */
record Span(long offset, long length) {}
