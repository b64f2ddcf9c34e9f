package org.cepheus.namespace;

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
 * What a command (or a whole log entry) wants to change, laid over what it read from. Reads see the
 * changes; nothing below is touched. A refused command's draft is dropped, an applied one's is
 * merged into the entry's, so that later commands of the entry see it.
 */
public final class Draft implements View {
    private final View below;
    // Insertion order, because the order of changes goes into the chain hash of every replica.
    private final Map<Family, Map<Object, Edit<?, ?>>> edits = new EnumMap<>(Family.class);

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
        edits.computeIfAbsent(edit.table().family(), _ -> new LinkedHashMap<>())
                .put(edit.key(), edit);
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

    /** Adds these changes to the draft below, as if they had been made there. */
    void mergeInto(Draft target) {
        forEach(target::record);
    }

    void forEach(Consumer<Edit<?, ?>> consumer) {
        for (Map<Object, Edit<?, ?>> family : edits.values()) {
            family.values().forEach(consumer);
        }
    }

    /** The changes as bytes, in the same order on every replica. */
    List<Change> changes() {
        return edits.values().stream()
                .flatMap(family -> family.values().stream())
                .map(Edit::change)
                .toList();
    }
}
