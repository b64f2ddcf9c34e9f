package org.cepheus.domain;

/** What an entry of a directory is. */
public enum FileKind {
    FILE,
    DIRECTORY,
    SYMLINK
}
