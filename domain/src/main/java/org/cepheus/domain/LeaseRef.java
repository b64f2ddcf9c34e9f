package org.cepheus.domain;

/**
 * Names one open-for-write lease: the directory and name it claims, and its own number. The FST
 * gets it in the ticket and brings it back in extend, commit and abort.
 */
public record LeaseRef(long parent, String name, long id) {}
