package org.cepheus.jmh.core;

import org.cepheus.domain.FsPath;

/**
 * The names of so many files: a thousand in each directory, but for a tenth of them that crowd in
 * one when there are many.
 */
record Layout(long files) {
    static final int IN_A_DIRECTORY = 1_000;

    /** The directory with a tenth of the files. */
    static final FsPath CROWD = FsPath.parse("/atlas/data/crowd");

    private static final long MANY = 10_000;

    long inCrowd() {
        return files < MANY ? 0 : files / 10;
    }

    long directories() {
        return Math.ceilDiv(files - inCrowd(), IN_A_DIRECTORY);
    }

    /** One of {@link #directories}. */
    FsPath directory(long number) {
        return FsPath.parse("/atlas/data/run%d/raw".formatted(number));
    }

    FsPath file(long number) {
        FsPath directory =
                number < inCrowd() ? CROWD : directory((number - inCrowd()) / IN_A_DIRECTORY);
        return directory.child("data." + number + ".root");
    }

    /** The number of the first file in one of {@link #directories}. */
    long firstIn(long directory) {
        return inCrowd() + directory * IN_A_DIRECTORY;
    }
}
