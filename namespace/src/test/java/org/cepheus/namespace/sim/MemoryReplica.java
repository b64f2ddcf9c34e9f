package org.cepheus.namespace.sim;

import java.util.List;
import java.util.Optional;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.Namespace;
import org.cepheus.namespace.Queries;
import org.cepheus.namespace.Snapshot;
import org.cepheus.namespace.rows.Rows.Head;
import org.cepheus.namespace.store.MemoryStore;

/** A member in memory: a store that forgets what was not flushed, and the namespace over it. */
final class MemoryReplica implements Replica {
    private final String name;
    private MemoryStore store = new MemoryStore();
    private Namespace namespace = Namespace.open(store, CLUSTER, BOUNDS);

    MemoryReplica(String name) {
        this.name = name;
    }

    @Override
    public Head head() {
        return namespace.head();
    }

    @Override
    public Queries queries() {
        return namespace.queries();
    }

    @Override
    public Snapshot snapshot() {
        return namespace.snapshot();
    }

    @Override
    public long persisted() {
        return namespace.persistedHead().map(Head::index).orElse(Namespace.NOTHING_APPLIED);
    }

    @Override
    public List<Reply> deliver(Slot slot) {
        if (slot.entry().isEmpty()) {
            namespace.note(slot.term(), slot.index());
            return List.of();
        }
        return namespace.apply(slot.term(), slot.index(), slot.entry().get().decode());
    }

    @Override
    public void flush() {
        store.flush();
    }

    @Override
    public void crash(Optional<Slot> underWay) {
        long expected = persisted();
        store = store.afterCrash();
        namespace = Namespace.open(store, CLUSTER, BOUNDS);
        if (applied() != expected) {
            throw new AssertionError(
                    "replay would start after %d, the state is of %d"
                            .formatted(expected, applied()));
        }
    }

    @Override
    public void install(Replica donor) {
        store = ((MemoryReplica) donor).store.duplicate();
        namespace = Namespace.open(store, CLUSTER, BOUNDS);
    }

    @Override
    public String toString() {
        return name;
    }
}
