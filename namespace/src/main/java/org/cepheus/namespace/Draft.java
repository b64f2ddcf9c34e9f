package org.cepheus.namespace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.cepheus.namespace.rows.Table;
import org.cepheus.namespace.store.Change;
import org.cepheus.namespace.store.Family;
import org.jspecify.annotations.Nullable;

/**
 * What the commands of a log entry want to change, laid over what they read from. Reads see the
 * changes, so that a command sees what earlier ones of its entry did; nothing below is touched.
 * What a refused command had changed is taken back.
 */
public final class Draft implements View {
    private final View below;
    // Insertion order, because the order of changes goes into the chain hash of every replica.
    private final Map<Family, Map<Object, Edit<?, ?>>> edits = new EnumMap<>(Family.class);
    private final List<Replaced> sinceBegin = new ArrayList<>();

    public Draft(View below) {
        this.below = below;
    }

    /** A row put, or deleted if the value is null. */
    public record Edit<K, V>(Table<K, V> table, K key, @Nullable V value) {
        Change change() {
            byte[] bytes = table.keyBytes(key);
            return value == null
                    ? Change.delete(table.family(), bytes)
                    : Change.put(table.family(), bytes, table.valueBytes(value));
        }
    }

    @Override
    @SuppressWarnings("unchecked") // An edit is stored under the key of its own table.
    public <K, V> Optional<V> get(Table<K, V> table, K key) {
        Map<Object, Edit<?, ?>> mine = edits.get(table.family());
        if (mine != null) {
            Edit<?, ?> edit = mine.get(key);
            if (edit != null) {
                return Optional.ofNullable((V) edit.value());
            }
        }
        return below.get(table, key);
    }

    public <K, V> void put(Table<K, V> table, K key, V value) {
        record(new Edit<>(table, key, value));
    }

    public <K, V> void delete(Table<K, V> table, K key) {
        record(new Edit<K, V>(table, key, null));
    }

    private void record(Edit<?, ?> edit) {
        Map<Object, Edit<?, ?>> family =
                edits.computeIfAbsent(edit.table().family(), _ -> new LinkedHashMap<>());
        sinceBegin.add(new Replaced(family, edit.key(), family.put(edit.key(), edit)));
    }

    /** The edit that another one took the place of, or null if it was the key's first. */
    private record Replaced(
            Map<Object, Edit<?, ?>> family, Object key, @Nullable Edit<?, ?> edit) {}

    /** A command begins: {@link #takeBack} comes back to this moment. */
    void begin() {
        sinceBegin.clear();
    }

    /** Forgets every change since {@link #begin}. */
    void takeBack() {
        for (Replaced replaced : sinceBegin.reversed()) {
            if (replaced.edit() == null) {
                replaced.family().remove(replaced.key());
            } else {
                replaced.family().put(replaced.key(), replaced.edit());
            }
        }
        sinceBegin.clear();
    }

    @Override
    public <K, V> void scan(Table<K, V> table, byte[] from, byte[] to, RowVisitor<V> visitor) {
        Map<Object, Edit<?, ?>> mine = edits.get(table.family());
        if (mine == null || mine.isEmpty()) {
            below.scan(table, from, to, visitor);
            return;
        }
        NavigableMap<byte[], Optional<V>> overlay = overlay(table, mine, from, to);
        boolean[] stopped = {false};
        below.scan(
                table,
                from,
                to,
                (key, value) -> {
                    while (!overlay.isEmpty()
                            && Arrays.compareUnsigned(overlay.firstKey(), key) < 0) {
                        if (!visitFirst(overlay, visitor)) {
                            stopped[0] = true;
                            return false;
                        }
                    }
                    if (!overlay.isEmpty() && Arrays.equals(overlay.firstKey(), key)) {
                        stopped[0] = !visitFirst(overlay, visitor);
                    } else {
                        stopped[0] = !visitor.visit(key, value);
                    }
                    return !stopped[0];
                });
        while (!stopped[0] && !overlay.isEmpty()) {
            stopped[0] = !visitFirst(overlay, visitor);
        }
    }

    @SuppressWarnings("unchecked") // The table is compared first.
    private static <K, V> NavigableMap<byte[], Optional<V>> overlay(
            Table<K, V> table, Map<Object, Edit<?, ?>> mine, byte[] from, byte[] to) {
        var overlay = new TreeMap<byte[], Optional<V>>(Arrays::compareUnsigned);
        for (Edit<?, ?> edit : mine.values()) {
            if (edit.table() == table) {
                byte[] key = table.keyBytes((K) edit.key());
                if (Arrays.compareUnsigned(key, from) >= 0 && Arrays.compareUnsigned(key, to) < 0) {
                    overlay.put(key, Optional.ofNullable((V) edit.value()));
                }
            }
        }
        return overlay;
    }

    private static <V> boolean visitFirst(
            NavigableMap<byte[], Optional<V>> overlay, RowVisitor<V> visitor) {
        var first = overlay.pollFirstEntry();
        return first == null
                || first.getValue().isEmpty()
                || visitor.visit(first.getKey(), first.getValue().get());
    }

    void forEach(Consumer<Edit<?, ?>> consumer) {
        for (Map<Object, Edit<?, ?>> family : edits.values()) {
            family.values().forEach(consumer);
        }
    }

    /** The changes as bytes, in the same order on every replica. */
    List<Change> changes() {
        var changes = new ArrayList<Change>();
        forEach(edit -> changes.add(edit.change()));
        return changes;
    }
}
