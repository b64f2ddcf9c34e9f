package org.cepheus.mgm.service;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Reply;
import org.cepheus.mgm.raft.Applied;
import org.cepheus.mgm.store.RocksStore;
import org.cepheus.namespace.Namespace;
import org.cepheus.namespace.Queries;
import org.cepheus.namespace.rows.Rows.Head;

/** The namespace as the state that the log is applied to. */
public final class NamespaceState implements Applied {
    private final RocksStore store;
    private final Namespace namespace;
    private volatile Position last;

    /**
     * Opens the namespace in its store.
     *
     * @throws Namespace.DivergenceException if the store belongs to another cluster
     */
    public NamespaceState(RocksStore store, UUID cluster) {
        this.store = store;
        this.namespace = Namespace.open(store, cluster);
        this.last = position(namespace.head());
    }

    private static Position position(Head head) {
        return new Position(head.term(), head.index());
    }

    public Queries queries() {
        return namespace.queries();
    }

    public Head head() {
        return namespace.head();
    }

    @Override
    public Position last() {
        return last;
    }

    @Override
    public Position persisted() {
        return namespace.persistedHead().map(NamespaceState::position).orElse(Position.START);
    }

    @Override
    public List<Reply> apply(Position at, LogEntry entry) {
        List<Reply> replies = namespace.apply(at.term(), at.index(), entry);
        last = at;
        return replies;
    }

    @Override
    public void passed(Position at) {
        namespace.note(at.term(), at.index());
        last = at;
    }

    @Override
    public long leaseNanos() {
        return namespace.head().leaseNanos();
    }

    @Override
    public Optional<LogEntry.ChainCheck> check() {
        LogEntry.ChainCheck check = namespace.chainCheck();
        return check.index() < 0 ? Optional.empty() : Optional.of(check);
    }

    @Override
    public void startFlush() {
        store.startFlush();
    }
}
