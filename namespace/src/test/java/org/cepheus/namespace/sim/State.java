package org.cepheus.namespace.sim;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.codec.ByteReader;
import org.cepheus.namespace.View;
import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rows.Rows.AttributeKey;
import org.cepheus.namespace.rows.Rows.Count;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Rows.EntryKey;
import org.cepheus.namespace.rows.Rows.Garbage;
import org.cepheus.namespace.rows.Rows.GarbageKey;
import org.cepheus.namespace.rows.Rows.Head;
import org.cepheus.namespace.rows.Rows.Lease;
import org.cepheus.namespace.rows.Rows.Place;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.namespace.rows.Table;
import org.cepheus.namespace.rows.Tables;
import org.cepheus.quota.QuotaRow;

/** All rows of a namespace as the store has them, read past the caches. */
record State(
        Map<EntryKey, Entry> entries,
        Map<Long, Directory> directories,
        Map<Long, Place> places,
        Map<QuotaKey, QuotaRow> quotas,
        Map<LeaseRef, Lease> leases,
        Map<GarbageKey, Garbage> garbage,
        Set<AttributeKey> attributes,
        Map<Long, Long> contents,
        Map<Long, Long> unsettled,
        Map<Long, Count> counts,
        Head head) {

    static State of(Replica replica) {
        return replica.queries().read(view -> read(view, replica.head()));
    }

    private static State read(View view, Head head) {
        var state =
                new State(
                        new HashMap<>(),
                        new HashMap<>(),
                        new HashMap<>(),
                        new HashMap<>(),
                        new HashMap<>(),
                        new HashMap<>(),
                        new HashSet<>(),
                        new TreeMap<>(),
                        new TreeMap<>(),
                        new TreeMap<>(),
                        head);
        all(view, Tables.ENTRIES, (key, row) -> state.entries.put(entryKey(key), row));
        all(view, Tables.DIRECTORIES, (key, row) -> state.directories.put(id(key), row));
        all(view, Tables.PLACES, (key, row) -> state.places.put(id(key), row));
        all(view, Tables.QUOTAS, (key, row) -> state.quotas.put(Tables.quotaKey(key), row));
        all(view, Tables.LEASES, (_, row) -> state.leases.put(row.ref(), row));
        all(view, Tables.GARBAGE, (key, row) -> state.garbage.put(Tables.garbageKey(key), row));
        all(view, Tables.CONTENTS, (key, inode) -> state.contents.put(id(key), inode));
        all(view, Tables.UNSETTLED, (key, row) -> state.unsettled.put(id(key), row.dataId()));
        all(view, Tables.COUNTS, (key, row) -> state.counts.put(Tables.countedNode(key), row));
        all(
                view,
                Tables.ATTRIBUTES,
                (key, _) -> state.attributes.add(new AttributeKey(id(key), Tables.nameIn(key))));
        return state;
    }

    private interface Row<V> {
        void add(byte[] key, V row);
    }

    private static <K, V> void all(View view, Table<K, V> table, Row<V> row) {
        view.scan(
                table,
                new byte[0],
                new byte[] {(byte) 0xff},
                (key, value) -> {
                    row.add(key, value);
                    return true;
                });
    }

    private static EntryKey entryKey(byte[] key) {
        return new EntryKey(id(key), Tables.nameIn(key));
    }

    private static long id(byte[] key) {
        return new ByteReader(key).i64();
    }

    /** Whether the node only notes changes yet. */
    boolean isCounting(long node) {
        Directory dir = directories.get(node);
        return dir != null && dir.isCounting();
    }

    /** The quota nodes from a directory up to the root. */
    Iterable<Long> nodesAbove(long directory) {
        var nodes = new java.util.ArrayList<Long>(4);
        for (long id = directory; ; ) {
            Directory dir = java.util.Objects.requireNonNull(directories.get(id), "directory");
            if (dir.isQuotaNode()) {
                nodes.add(id);
            }
            if (id == dir.parent()) {
                return nodes;
            }
            id = dir.parent();
        }
    }
}
