package org.cepheus.namespace;

import java.util.Optional;
import org.cepheus.namespace.rows.Table;

/** The rows of the namespace as records, to be read. */
public interface View {
    <K, V> Optional<V> get(Table<K, V> table, K key);

    /**
     * Visits rows whose keys' bytes are in {@code from <= key < to}, ascending, until told to stop.
     */
    <K, V> void scan(Table<K, V> table, byte[] from, byte[] to, RowVisitor<V> visitor);

    /** Sees one row; the key is as bytes. */
    @FunctionalInterface
    interface RowVisitor<V> {
        /** Returns false to stop. */
        boolean visit(byte[] key, V value);
    }
}
