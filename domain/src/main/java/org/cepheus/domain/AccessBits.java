package org.cepheus.domain;

/** What the asking identity may do with an entry. */
public record AccessBits(boolean mayRead, boolean mayWrite, boolean maySearch) {}
