package org.cepheus.jmh.core;

import java.util.List;
import java.util.Optional;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Reply;
import org.cepheus.mgm.raft.Applied;
import org.cepheus.mgm.store.RocksStore;
import org.cepheus.namespace.Namespace;

/** The namespace over RocksDB as the log sees it, with the CPU that its apply thread used. */
final class CoreState implements Applied {
    private final RocksStore store;
    private final Namespace namespace;
    private volatile Position last = Position.START;

    CoreState(RocksStore store, Namespace namespace) {
        this.store = store;
        this.namespace = namespace;
    }

    @Override
    public Position last() {
        return last;
    }

    @Override
    public Position persisted() {
        return namespace
                .persistedHead()
                .filter(head -> head.term() > 0)
                .map(head -> new Position(head.term(), head.index()))
                .orElse(Position.START);
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
        return Optional.of(namespace.chainCheck());
    }

    @Override
    public void startFlush() {
        store.startFlush();
    }
}
