package org.cepheus.quota;

/** What an operation adds to (or with negative numbers takes from) a quota row. */
public record Charge(long usedBytes, long usedFiles, long reservedBytes, long reservedFiles) {
    /** Changes nothing. */
    public static final Charge NONE = new Charge(0, 0, 0, 0);

    public static Charge used(long bytes, long files) {
        return new Charge(bytes, files, 0, 0);
    }

    public static Charge reserved(long bytes, long files) {
        return new Charge(0, 0, bytes, files);
    }

    /** The opposite. */
    public Charge negated() {
        return new Charge(-usedBytes, -usedFiles, -reservedBytes, -reservedFiles);
    }

    public Charge plus(Charge other) {
        return new Charge(
                usedBytes + other.usedBytes,
                usedFiles + other.usedFiles,
                reservedBytes + other.reservedBytes,
                reservedFiles + other.reservedFiles);
    }

    public boolean isNone() {
        return equals(NONE);
    }
}
