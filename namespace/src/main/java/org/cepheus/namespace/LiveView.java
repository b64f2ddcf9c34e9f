package org.cepheus.namespace;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rows.OperatorTables;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Rows.FleetStates;
import org.cepheus.namespace.rows.Rows.Head;
import org.cepheus.namespace.rows.Rows.Lease;
import org.cepheus.namespace.rows.Table;
import org.cepheus.namespace.rows.Tables;
import org.cepheus.namespace.store.Change;
import org.cepheus.namespace.store.Family;
import org.cepheus.namespace.store.Store;

/**
 * The state as of now, with what is hot on the heap: directories and the links to them, quota rows,
 * open leases, principals, FSTs. The apply thread writes through; any thread reads.
 *
 * <p>A reader that walks several rows would see a rename half done. {@link #consistently} gives it
 * rows of one moment, as far as directories go: the writer counts up before and after it changes
 * how paths are walked, and a reader during whose walk the count moved walks again.
 */
final class LiveView implements View {
    /** A cache with more rows is emptied and fills again; so many take some 100 MB of heap. */
    static final int MAX_CACHED_ROWS = 500_000;

    private static final int OPTIMISTIC_TRIES = 4;

    private final Store store;
    private final View inMemory = new InMemory();
    private final Map<Family, Map<Object, Object>> caches;
    // All of them, always: a scan of the family would walk over every upload that ended lately.
    private final Map<Object, Object> leases = new ConcurrentHashMap<>();
    private final Map<Object, Object> fleet = new ConcurrentHashMap<>();
    private final Object writing = new Object();
    private volatile long walkVersion;

    LiveView(Store store) {
        this.store = store;
        this.caches =
                Map.of(
                        Family.ENTRY, new ConcurrentHashMap<>(),
                        Family.DIR, new ConcurrentHashMap<>(),
                        Family.QUOTA, new ConcurrentHashMap<>(),
                        Family.LEASE, leases,
                        Family.PRINCIPAL, new ConcurrentHashMap<>(),
                        Family.FLEET, fleet);
        scan(
                Tables.LEASES,
                Tables.longKey(0),
                Tables.longKey(-1),
                (_, lease) -> {
                    leases.put(lease.ref(), lease);
                    return true;
                });
        showStates();
    }

    @Override
    public <K, V> Optional<V> get(Table<K, V> table, K key) {
        return get(table, key, Source.DISK);
    }

    // Every open asks for it, and mostly there is none: that must not be looked for in the store.
    private void showStates() {
        Object states =
                read(OperatorTables.STATES, OperatorTables.ALL_STATES, Source.DISK)
                        .orElse(FleetStates.NONE);
        fleet.put(OperatorTables.ALL_STATES, states);
    }

    /** How far a read goes. */
    private enum Source {
        /** Never to the disk: NotCached is thrown instead. */
        MEMORY,
        DISK
    }

    /**
     * The same rows for a thread that must not wait for the disk: {@link Store.NotCached} is thrown
     * by whatever would.
     */
    View inMemory() {
        return inMemory;
    }

    private final class InMemory implements View {
        @Override
        public <K, V> Optional<V> get(Table<K, V> table, K key) {
            return LiveView.this.get(table, key, Source.MEMORY);
        }

        @Override
        public <K, V> void scan(Table<K, V> table, byte[] from, byte[] to, RowVisitor<V> visitor) {
            throw new Store.NotCached();
        }
    }

    @SuppressWarnings("unchecked") // A value is cached under a key of its own table.
    private <K, V> Optional<V> get(Table<K, V> table, K key, Source source) {
        Map<Object, Object> cache = caches.get(table.family());
        if (cache == null) {
            return read(table, key, source);
        }
        Object cached = cache.get(key);
        if (cached != null) {
            return Optional.of((V) cached);
        }
        Optional<V> found = read(table, key, source);
        if (found.isPresent() && isCached(found.get())) {
            return fill(table, key, cache, source);
        }
        return found;
    }

    // Under the writer's lock, so that an old value never lands in the cache after a newer one.
    private <K, V> Optional<V> fill(
            Table<K, V> table, K key, Map<Object, Object> cache, Source source) {
        synchronized (writing) {
            Optional<V> found = read(table, key, source);
            if (found.isPresent() && isCached(found.get())) {
                cache(cache, key, found.get());
            }
            return found;
        }
    }

    private <K, V> Optional<V> read(Table<K, V> table, K key, Source source) {
        byte[] keyBytes = table.keyBytes(key);
        byte[] value =
                source == Source.DISK
                        ? store.get(table.family(), keyBytes)
                        : store.cached(table.family(), keyBytes);
        return value == null ? Optional.empty() : Optional.of(table.value(value));
    }

    // Files are many and are read once; the links to directories are few and walked all the time.
    private static boolean isCached(Object row) {
        return !(row instanceof Entry) || row instanceof Entry.DirectoryLink;
    }

    private static void cache(Map<Object, Object> cache, Object key, Object row) {
        if (cache.size() >= MAX_CACHED_ROWS && !(row instanceof Lease)) {
            cache.clear();
        }
        cache.put(key, row);
    }

    /** An open lease that is so. */
    Optional<Lease> findLease(Predicate<Lease> condition) {
        for (Object lease : leases.values()) {
            if (condition.test((Lease) lease)) {
                return Optional.of((Lease) lease);
            }
        }
        return Optional.empty();
    }

    /** Whether some open lease is so. */
    boolean anyLease(Predicate<Lease> condition) {
        return findLease(condition).isPresent();
    }

    @Override
    public <K, V> void scan(Table<K, V> table, byte[] from, byte[] to, RowVisitor<V> visitor) {
        store.scan(
                table.family(), from, to, (key, value) -> visitor.visit(key, table.value(value)));
    }

    /** Writes the draft's changes as one batch and then shows them. Only the apply thread does. */
    void write(Draft draft, List<Change> changes) {
        boolean walksChange = changesWalks(draft);
        synchronized (writing) {
            if (walksChange) {
                walkVersion = walkVersion + 1;
            }
            store.write(changes);
            draft.forEach(this::show);
            if (walksChange) {
                walkVersion = walkVersion + 1;
            }
        }
    }

    private void show(Draft.Edit<?, ?> edit) {
        Map<Object, Object> cache = caches.get(edit.table().family());
        if (cache != null) {
            Object row = edit.value();
            if (row != null && isCached(row)) {
                cache(cache, edit.key(), row);
            } else {
                cache.remove(edit.key());
            }
        }
    }

    private boolean changesWalks(Draft draft) {
        boolean[] found = {false};
        draft.forEach(edit -> found[0] = found[0] || changesWalks(edit));
        return found[0];
    }

    private <K, V> boolean changesWalks(Draft.Edit<K, V> edit) {
        return switch (edit.table().family()) {
            // Where a directory was before, its own record or its new link changes in this entry,
            // too.
            case ENTRY -> edit.value() instanceof Entry.DirectoryLink;
            case DIR -> {
                Optional<V> before = get(edit.table(), edit.key());
                yield !(edit.value() instanceof Directory after)
                        || before.isEmpty()
                        || !(before.get() instanceof Directory old)
                        || !after.walksLike(old);
            }
            case PLACE,
                    QUOTA,
                    LEASE,
                    EXPIRY,
                    GC,
                    REPLY,
                    PRINCIPAL,
                    FLEET,
                    ACL,
                    XATTR,
                    CONTENT,
                    UNSETTLED,
                    JOB,
                    META ->
                    false;
        };
    }

    /** Runs a read over rows of one moment, repeating it if directories changed under it. */
    <T> T consistently(Function<View, T> query) {
        return consistently(this, query);
    }

    /** The same over this view or {@link #inMemory}. */
    <T> T consistently(View view, Function<View, T> query) {
        for (int i = 0; i < OPTIMISTIC_TRIES; i++) {
            long before = walkVersion;
            if ((before & 1) == 0) {
                try {
                    T result = query.apply(view);
                    if (walkVersion == before) {
                        return result;
                    }
                } catch (RuntimeException failed) {
                    // Halfway through a removal a name may lead to a directory that is gone.
                    if (walkVersion == before) {
                        throw failed;
                    }
                }
            }
        }
        synchronized (writing) {
            return query.apply(view);
        }
    }

    /** All rows of this moment. */
    Snapshot snapshot() {
        return new Snapshot(store.snapshot());
    }

    /** The head as a crash at this moment would leave it at the latest. */
    Optional<Head> persistedHead() {
        byte[] value = store.persisted(Family.META, Tables.HEADS.keyBytes(Tables.HEAD));
        return value == null ? Optional.empty() : Optional.of(Tables.HEADS.value(value));
    }
}
