package org.cepheus.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.cepheus.namespace.Trial.ALICE;
import static org.cepheus.namespace.Trial.path;

import java.util.List;
import org.cepheus.namespace.store.Change;
import org.cepheus.namespace.store.Family;
import org.cepheus.namespace.store.MemoryStore;
import org.cepheus.namespace.store.Store;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a thread gets that must not wait for the disk. */
class MemoryReadTest {
    /** A store that has nothing of the tree in memory. */
    private record ColdStore(MemoryStore rows) implements Store {
        @Override
        public byte @Nullable [] get(Family family, byte[] key) {
            return rows.get(family, key);
        }

        @Override
        public byte @Nullable [] cached(Family family, byte[] key) {
            if (family == Family.ENTRY || family == Family.DIR) {
                throw new NotCached();
            }
            return rows.get(family, key);
        }

        @Override
        public byte @Nullable [] persisted(Family family, byte[] key) {
            return rows.persisted(family, key);
        }

        @Override
        public void scan(Family family, byte[] from, byte[] to, Visitor visitor) {
            rows.scan(family, from, to, visitor);
        }

        @Override
        public Snapshot snapshot() {
            return rows.snapshot();
        }

        @Override
        public void write(List<Change> changes) {
            rows.write(changes);
        }

        @Override
        public void flush() {
            rows.flush();
        }

        @Override
        public void close() {
            rows.close();
        }
    }

    @Test
    void isToldThatTheDiskHasTheAnswerUntilSomebodyHasReadIt() {
        var trial = new Trial();
        trial.makeDirectory(ALICE, "/d", 0755);
        trial.file(ALICE, "/d/f", 5);
        Queries cold = Namespace.open(new ColdStore(trial.store()), Trial.CLUSTER).queries();

        assertThatThrownBy(() -> cold.inMemory().stat(ALICE, path("/d")))
                .isInstanceOf(Store.NotCached.class);

        assertThat(cold.stat(ALICE, path("/d")).isDirectory()).isTrue();

        // Directories stay on the heap, files are the store's to keep.
        assertThat(cold.inMemory().stat(ALICE, path("/d")).isDirectory()).isTrue();
        assertThatThrownBy(() -> cold.inMemory().openForRead(ALICE, path("/d/f")))
                .isInstanceOf(Store.NotCached.class);
        assertThat(cold.openForRead(ALICE, path("/d/f")).sizeBytes()).isEqualTo(5);
    }
}
