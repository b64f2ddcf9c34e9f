package org.cepheus.namespace.sim;

import java.util.List;
import java.util.UUID;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.Namespace;
import org.cepheus.namespace.rows.Rows.Head;
import org.cepheus.namespace.rules.Bounds;
import org.cepheus.namespace.store.MemoryStore;

/** One member: a store, and the namespace over it. */
final class Replica {
    static final UUID CLUSTER = new UUID(0x5eed, 0xc0ffee);

    /** So few that trees of this size are counted in the background, and too large to be moved. */
    static final Bounds BOUNDS = new Bounds(4, 6);

    private final String name;
    private MemoryStore store = new MemoryStore();
    private Namespace namespace = Namespace.open(store, CLUSTER, BOUNDS);

    Replica(String name) {
        this.name = name;
    }

    Namespace namespace() {
        return namespace;
    }

    MemoryStore store() {
        return store;
    }

    long applied() {
        return namespace.appliedIndex();
    }

    /** What a crash now would fall back to. */
    long persisted() {
        return namespace.persistedHead().map(Head::index).orElse(Namespace.NOTHING_APPLIED);
    }

    List<Reply> deliver(Slot slot) {
        if (slot.entry().isEmpty()) {
            namespace.note(slot.term(), slot.index());
            return List.of();
        }
        return namespace.apply(slot.term(), slot.index(), slot.entry().get().decode());
    }

    void flush() {
        store.flush();
    }

    /** Loses what was not flushed and starts again. */
    void crash() {
        long expected = persisted();
        store = store.afterCrash();
        namespace = Namespace.open(store, CLUSTER, BOUNDS);
        if (applied() != expected) {
            throw new AssertionError(
                    "replay would start after %d, the state is of %d"
                            .formatted(expected, applied()));
        }
    }

    /** Throws its state away for the other's. */
    void install(Replica donor) {
        store = donor.store.duplicate();
        namespace = Namespace.open(store, CLUSTER, BOUNDS);
    }

    @Override
    public String toString() {
        return name;
    }
}
