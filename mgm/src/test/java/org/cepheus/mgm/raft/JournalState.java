package org.cepheus.mgm.raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cepheus.domain.codec.ByteReader;
import org.cepheus.domain.codec.ByteWriter;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.store.Change;
import org.cepheus.namespace.store.Family;
import org.cepheus.namespace.store.Store;
import org.jspecify.annotations.Nullable;

/**
 * The simplest state over a store: counts how often each path was made, so that a test sees an
 * entry that was lost or applied twice.
 */
final class JournalState implements Applied {
    private static final byte[] POSITION = "position".getBytes(UTF_8);

    private final Store store;
    private Position last;
    private volatile long leaseNanos;

    JournalState(Store store) {
        this.store = store;
        this.last = position(store.get(Family.META, POSITION));
    }

    private static Position position(byte @Nullable [] bytes) {
        if (bytes == null) {
            return Position.START;
        }
        var in = new ByteReader(bytes);
        return new Position(in.i64(), in.i64());
    }

    @Override
    public synchronized Position last() {
        return last;
    }

    @Override
    public Position persisted() {
        return position(store.persisted(Family.META, POSITION));
    }

    @Override
    public List<Reply> apply(Position at, LogEntry entry) {
        var changes = new ArrayList<Change>();
        var replies = new ArrayList<Reply>();
        for (LogEntry.Item item : entry.items()) {
            var made = (Mutation.MakeDirectory) item.command();
            byte[] key = made.path().value().getBytes(UTF_8);
            byte[] before = store.get(Family.ENTRY, key);
            int times = before == null ? 1 : before[0] + 1;
            changes.add(Change.put(Family.ENTRY, key, new byte[] {(byte) times}));
            replies.add(new Reply.Extended(times));
        }
        byte[] position = new ByteWriter().i64(at.term()).i64(at.index()).toBytes();
        changes.add(Change.put(Family.META, POSITION, position));
        store.write(changes);
        moveTo(at);
        leaseNanos = Math.max(leaseNanos, entry.leaseNanos());
        return replies;
    }

    @Override
    public void passed(Position at) {
        moveTo(at);
    }

    private synchronized void moveTo(Position at) {
        last = at;
    }

    @Override
    public long leaseNanos() {
        return leaseNanos;
    }

    @Override
    public Optional<LogEntry.ChainCheck> check() {
        return Optional.empty();
    }

    @Override
    public void startFlush() {
        store.flush();
    }

    /** How often each path was made, as lines. */
    List<String> lines() {
        var lines = new ArrayList<String>();
        store.scan(
                Family.ENTRY,
                new byte[0],
                new byte[] {(byte) 0xff},
                (key, value) -> lines.add(new String(key, UTF_8) + " " + value[0]));
        return lines;
    }
}
