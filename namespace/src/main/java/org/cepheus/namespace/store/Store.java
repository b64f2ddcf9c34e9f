package org.cepheus.namespace.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ordered rows of bytes. One thread writes; any number may read at any time and see either all or
 * nothing of a write. Keys order as unsigned bytes.
 *
 * <p>What was written need not be on disk before {@link #flush}: after a crash the store stands as
 * it did after some earlier write, never between two, and never before the last flush. The Raft log
 * brings back the rest. Failures of storage are thrown as {@link StoreException} and leave the
 * store unusable: the process must end.
 */
public interface Store extends AutoCloseable {
    /** The row's value, or null if there is none. */
    byte @Nullable [] get(Family family, byte[] key);

    /**
     * The same without reading from the disk: for threads that must not wait for it.
     *
     * @throws NotCached if the answer is not in memory; {@link #get} has it
     */
    default byte @Nullable [] cached(Family family, byte[] key) {
        return get(family, key);
    }

    /**
     * The value that would be there after a crash at this moment at the latest, or null. It may lag
     * behind {@link #get}, never run ahead.
     */
    byte @Nullable [] persisted(Family family, byte[] key);

    /**
     * Visits the rows with {@code from <= key < to} in ascending order, as of one moment, until the
     * visitor says false.
     */
    void scan(Family family, byte[] from, byte[] to, Visitor visitor);

    /** All rows of this moment, whatever is written afterwards; must be closed. */
    Snapshot snapshot();

    /** Writes all or nothing, in this order, visible at once. */
    void write(List<Change> changes);

    /** On return everything written before is on disk. */
    void flush();

    @Override
    void close();

    /** Rows of one moment. Keeping one for long keeps what was overwritten since on the disk. */
    interface Snapshot extends AutoCloseable {
        byte @Nullable [] get(Family family, byte[] key);

        /** As {@link Store#scan}. */
        void scan(Family family, byte[] from, byte[] to, Visitor visitor);

        @Override
        void close();
    }

    /** Sees one row; the arrays are its own. */
    @FunctionalInterface
    interface Visitor {
        /** Returns false to stop. */
        boolean visit(byte[] key, byte[] value);
    }

    /** The answer is on the disk. A signal, not an error, and without a trace: it is cheap. */
    final class NotCached extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public NotCached() {
            super("only the disk knows", null, false, false);
        }
    }

    /** Storage failed: nothing is known of what was written. */
    final class StoreException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public StoreException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
