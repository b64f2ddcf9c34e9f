package org.cepheus.namespace.sim;

import java.util.Optional;
import org.cepheus.namespace.View;
import org.cepheus.namespace.rows.Table;
import org.cepheus.namespace.rows.Tables;

/** What is read by key, through the caches, is what the store's rows say; what is gone is gone. */
final class CachesShowTheStore implements Invariant {
    @Override
    public void check(Step step) {
        step.replica()
                .queries()
                .read(view -> {
                    State now = step.after();
                    now.entries().forEach((key, row) -> same(view, Tables.ENTRIES, key, row));
                    now.directories()
                            .forEach((key, row) -> same(view, Tables.DIRECTORIES, key, row));
                    now.quotas().forEach((key, row) -> same(view, Tables.QUOTAS, key, row));
                    step.before().entries().keySet().stream()
                            .filter(key -> !now.entries().containsKey(key))
                            .forEach(key -> gone(view, Tables.ENTRIES, key));
                    step.before().directories().keySet().stream()
                            .filter(key -> !now.directories().containsKey(key))
                            .forEach(key -> gone(view, Tables.DIRECTORIES, key));
                    step.before().quotas().keySet().stream()
                            .filter(key -> !now.quotas().containsKey(key))
                            .forEach(key -> gone(view, Tables.QUOTAS, key));
                    return Optional.empty();
                });
    }

    private static <K, V> void same(View view, Table<K, V> table, K key, V row) {
        Optional<V> cached = view.get(table, key);
        Step.require(
                cached.equals(Optional.of(row)), "%s is cached as %s, is %s", key, cached, row);
    }

    private static <K, V> void gone(View view, Table<K, V> table, K key) {
        Step.require(view.get(table, key).isEmpty(), "%s is gone and still cached", key);
    }
}
