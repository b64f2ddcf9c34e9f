package org.cepheus.namespace.sim;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.Namespace.DivergenceException;
import org.cepheus.namespace.Queries;
import org.cepheus.namespace.Snapshot;
import org.cepheus.namespace.rows.Rows.Head;
import org.cepheus.namespace.rules.Bounds;

/** One member of the simulated group: a namespace, and what it is kept in. */
public interface Replica {
    /** The cluster that all members belong to. */
    UUID CLUSTER = new UUID(0x5eed, 0xc0ffee);

    /** So few that trees of this size are counted in the background, and too large to be moved. */
    Bounds BOUNDS = new Bounds(4, 6);

    /** The namespace's clocks and counters as of the last applied slot. */
    Head head();

    Queries queries();

    /** All rows as of now; must be closed. */
    Snapshot snapshot();

    /** The index that a crash now would fall back to. */
    long persisted();

    /** The last index that it has, applied or in a log of its own to be applied. */
    default long logged() {
        return applied();
    }

    /**
     * Applies the slot, and keeps it first if it has a log of its own.
     *
     * @throws DivergenceException if it is not the next one; nothing has changed
     */
    List<Reply> deliver(Slot slot);

    /** Brings everything to disk. */
    void flush();

    /** The slots up to the persisted one are not needed any more. */
    default void purge() {}

    /**
     * Loses what was not persisted and starts again.
     *
     * @param underWay what was being written then, if anything: nobody was told that it is there
     */
    void crash(Optional<Slot> underWay);

    /**
     * Throws its state away for that of another one of its kind. May crash on the way, and then
     * stands where it stood before, or at its last persisted index, or where the other one stands.
     */
    void install(Replica donor);

    /** The index that was applied last. */
    default long applied() {
        return head().index();
    }

    /** The chain hash after it. */
    default LogEntry.ChainCheck chainCheck() {
        return new LogEntry.ChainCheck(head().index(), head().chainHash());
    }
}
