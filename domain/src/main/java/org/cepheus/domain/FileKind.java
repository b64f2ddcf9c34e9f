package org.cepheus.domain;

import org.cepheus.domain.codec.Coded;

/** What an entry of a directory is. */
public enum FileKind implements Coded {
    FILE(1),
    DIRECTORY(2),
    SYMLINK(3);

    private final int code;

    FileKind(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }
}
