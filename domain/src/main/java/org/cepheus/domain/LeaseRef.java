package org.cepheus.domain;

/**
 * Names one open-for-write lease: the directory and name it claims, its own number, and the inode
 * it writes for. The FST gets it in the ticket and brings it back in extend, commit and abort. The
 * number is also the dataId of a new content, and the content version after its commit.
 */
public record LeaseRef(long parent, String name, long id, long inode) {}
