package org.cepheus.namespace.rows;

import java.util.function.Function;
import org.cepheus.namespace.store.Family;

/** How records of one kind stand in a family: the bytes of their keys and values. */
public final class Table<K, V> {
    private final Family family;
    private final Function<K, byte[]> keyBytes;
    private final Function<V, byte[]> valueBytes;
    private final Function<byte[], V> value;

    Table(
            Family family,
            Function<K, byte[]> keyBytes,
            Function<V, byte[]> valueBytes,
            Function<byte[], V> value) {
        this.family = family;
        this.keyBytes = keyBytes;
        this.valueBytes = valueBytes;
        this.value = value;
    }

    public Family family() {
        return family;
    }

    public byte[] keyBytes(K key) {
        return keyBytes.apply(key);
    }

    public byte[] valueBytes(V row) {
        return valueBytes.apply(row);
    }

    /** Decodes a value; its version must be known. */
    public V value(byte[] bytes) {
        return value.apply(bytes);
    }
}
