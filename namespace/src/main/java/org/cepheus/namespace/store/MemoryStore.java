package org.cepheus.namespace.store;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * A store on the heap, for tests and the simulator. {@link #afterCrash} is what a crash would
 * leave: the state of the last flush.
 */
public final class MemoryStore implements Store {
    private final Map<Family, ConcurrentNavigableMap<byte[], byte[]>> rows;
    private Map<Family, ConcurrentNavigableMap<byte[], byte[]>> flushed;

    public MemoryStore() {
        this(empty());
    }

    private MemoryStore(Map<Family, ConcurrentNavigableMap<byte[], byte[]>> rows) {
        this.rows = rows;
        this.flushed = copy(rows);
    }

    private static Map<Family, ConcurrentNavigableMap<byte[], byte[]>> empty() {
        var map = new EnumMap<Family, ConcurrentNavigableMap<byte[], byte[]>>(Family.class);
        for (Family family : Family.values()) {
            map.put(family, new ConcurrentSkipListMap<>(Arrays::compareUnsigned));
        }
        return map;
    }

    private static Map<Family, ConcurrentNavigableMap<byte[], byte[]>> copy(
            Map<Family, ConcurrentNavigableMap<byte[], byte[]>> from) {
        var map = empty();
        from.forEach((family, rows) -> family(map, family).putAll(rows));
        return map;
    }

    private static ConcurrentNavigableMap<byte[], byte[]> family(
            Map<Family, ConcurrentNavigableMap<byte[], byte[]>> map, Family family) {
        var rows = map.get(family);
        if (rows == null) {
            throw new IllegalStateException("no rows for " + family);
        }
        return rows;
    }

    /** A store that has what the last flush wrote; this one must not be used any more. */
    public synchronized MemoryStore afterCrash() {
        return new MemoryStore(flushed);
    }

    /** A copy of everything, flushed or not: what a snapshot sends to another replica. */
    public synchronized MemoryStore duplicate() {
        return new MemoryStore(copy(rows));
    }

    @Override
    public byte @Nullable [] get(Family family, byte[] key) {
        return family(rows, family).get(key);
    }

    @Override
    public synchronized byte @Nullable [] persisted(Family family, byte[] key) {
        return family(flushed, family).get(key);
    }

    @Override
    public void scan(Family family, byte[] from, byte[] to, Visitor visitor) {
        for (var row : family(rows, family).subMap(from, true, to, false).entrySet()) {
            if (!visitor.visit(row.getKey(), row.getValue())) {
                return;
            }
        }
    }

    @Override
    public Snapshot snapshot() {
        MemoryStore copy = duplicate();
        return new Snapshot() {
            @Override
            public byte @Nullable [] get(Family family, byte[] key) {
                return copy.get(family, key);
            }

            @Override
            public void scan(Family family, byte[] from, byte[] to, Visitor visitor) {
                copy.scan(family, from, to, visitor);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public synchronized void write(List<Change> changes) {
        for (Change change : changes) {
            byte[] value = change.value();
            if (value == null) {
                family(rows, change.family()).remove(change.key());
            } else {
                family(rows, change.family()).put(change.key(), value);
            }
        }
    }

    @Override
    public synchronized void flush() {
        flushed = copy(rows);
    }

    @Override
    public void close() {}
}
