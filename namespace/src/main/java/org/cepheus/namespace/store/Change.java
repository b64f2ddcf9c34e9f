package org.cepheus.namespace.store;

import org.jspecify.annotations.Nullable;

/** One row to put, or to delete if it has no value. Nobody changes the arrays after it was made. */
public final class Change {
    private final Family family;
    private final byte[] key;
    private final byte @Nullable [] value;

    private Change(Family family, byte[] key, byte @Nullable [] value) {
        this.family = family;
        this.key = key;
        this.value = value;
    }

    public static Change put(Family family, byte[] key, byte[] value) {
        return new Change(family, key, value);
    }

    public static Change delete(Family family, byte[] key) {
        return new Change(family, key, null);
    }

    public Family family() {
        return family;
    }

    public byte[] key() {
        return key;
    }

    /** Absent for a deletion. */
    public byte @Nullable [] value() {
        return value;
    }
}
