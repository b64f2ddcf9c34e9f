package org.cepheus.namespace;

import java.util.Optional;
import org.cepheus.domain.FsPath;
import org.cepheus.namespace.rows.Rows.Head;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.namespace.rows.Table;
import org.cepheus.namespace.rules.Work;
import org.cepheus.namespace.store.Store;

/** All rows as they were after one log index, however long somebody reads. Must be closed. */
public final class Snapshot implements View, AutoCloseable {
    private final Store.Snapshot rows;

    Snapshot(Store.Snapshot rows) {
        this.rows = rows;
    }

    /** The head of that index. */
    public Head head() {
        return Work.head(this);
    }

    @Override
    public <K, V> Optional<V> get(Table<K, V> table, K key) {
        byte[] value = rows.get(table.family(), table.keyBytes(key));
        return value == null ? Optional.empty() : Optional.of(table.value(value));
    }

    @Override
    public <K, V> void scan(Table<K, V> table, byte[] from, byte[] to, RowVisitor<V> visitor) {
        rows.scan(table.family(), from, to, (key, value) -> visitor.visit(key, table.value(value)));
    }

    /** Where a directory is. */
    public FsPath path(long directory) {
        return Work.pathOf(this, directory);
    }

    /** Whose row that is; empty for the project and for defaults. */
    public String principal(QuotaKey key) {
        return QuotaReports.principal(this, key);
    }

    /** How many entries there are to walk over. */
    public long entries() {
        return QuotaReports.entries(this);
    }

    @Override
    public void close() {
        rows.close();
    }
}
