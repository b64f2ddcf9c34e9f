package org.cepheus.mgm.raft;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Reply;
import org.cepheus.mgm.raft.Applied.Position;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Ratis calls. The snapshot it is told of is what the store has on disk: Ratis replays from
 * there, so an entry is applied exactly once whatever the store flushed by itself. A refused
 * command is a value in the reply; whatever is thrown means that this replica must end.
 */
final class NamespaceStateMachine extends BaseStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(NamespaceStateMachine.class);

    /** More commands in memory only, and a flush is started: it bounds the replay at a start. */
    static final long MAX_UNFLUSHED_COMMANDS = 400_000;

    /** The same in bytes of the log. */
    static final long MAX_UNFLUSHED_BYTES = 192L << 20;

    private final Applied applied;
    private final Listener listener;
    private final Fatal fatal;
    private final ClientId ownClient;
    private volatile @Nullable TransactionContext lastStarted;
    private volatile @Nullable SnapshotInfo snapshot;
    private volatile boolean closing;
    private final long keptEntries;
    private final Optional<Exchange> exchange;
    private long unflushedEntries;
    private long unflushedCommands;
    private long unflushedBytes;

    /** Hears of what was applied, on the apply thread. */
    interface Listener {
        void applied(long index, LogEntry.BatchId batch, List<Reply> replies);

        void passed(long index);
    }

    /**
     * What other members get and give.
     *
     * @param donor answers who fetches
     * @param fetcher fetches when the log does not go back far enough
     */
    record Exchange(StateFiles files, StateDonor donor, StateFetcher fetcher) {}

    NamespaceStateMachine(
            Applied applied,
            Listener listener,
            Fatal fatal,
            ClientId ownClient,
            long keptEntries,
            Optional<Exchange> exchange) {
        this.applied = applied;
        this.listener = listener;
        this.fatal = fatal;
        this.ownClient = ownClient;
        this.keptEntries = keptEntries;
        this.exchange = exchange;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
            throws IOException {
        super.initialize(server, group, storage);
        Position persisted = applied.persisted();
        Position last = applied.last();
        if (!persisted.equals(last)) {
            throw new IOException(
                    "the store stands at %s but only %s is on disk".formatted(last, persisted));
        }
        if (persisted.index() >= 0) {
            setLastAppliedTermIndex(TermIndex.valueOf(persisted.term(), persisted.index()));
            snapshot = new OnDisk(persisted);
        }
        getLifeCycle().transition(LifeCycle.State.STARTING);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    /** The part of the log that is in the store's files; Ratis itself sends nothing to others. */
    private record OnDisk(Position at) implements SnapshotInfo {
        @Override
        public TermIndex getTermIndex() {
            return TermIndex.valueOf(at.term(), at.index());
        }

        @Override
        public List<FileInfo> getFiles() {
            return List.of();
        }
    }

    @Override
    public @Nullable SnapshotInfo getLatestSnapshot() {
        return snapshot;
    }

    /** Tells what the store flushed, so that the log before it can go. Flushes nothing. */
    @Override
    public long takeSnapshot() {
        Position persisted = applied.persisted();
        if (!isNews(persisted)) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        snapshot = new OnDisk(persisted);
        return persisted.index();
    }

    /** True if the store has flushed entries that {@link #takeSnapshot} has not told of. */
    boolean hasFlushedMore() {
        return isNews(applied.persisted());
    }

    private boolean isNews(Position persisted) {
        SnapshotInfo before = snapshot;
        return persisted.index() >= 0 && (before == null || persisted.index() > before.getIndex());
    }

    @Override
    public TransactionContext startTransaction(RaftClientRequest request) throws IOException {
        TransactionContext context = super.startTransaction(request);
        if (request.getClientId().equals(ownClient)) {
            lastStarted = context;
        } else {
            context.setException(
                    new IOException("this group takes entries from its own members only"));
        }
        return context;
    }

    /** The index of the entry that {@link #startTransaction} saw last, if it got into the log. */
    long takeStartedIndex() {
        TransactionContext started = lastStarted;
        lastStarted = null;
        LogEntryProto entry = started == null ? null : started.getLogEntry();
        return entry == null ? EntryLog.REFUSED : entry.getIndex();
    }

    @Override
    public CompletableFuture<Message> query(Message request) {
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        try {
            apply(entry);
        } catch (RuntimeException | Error e) {
            fatal.stop("entry %d cannot be applied".formatted(entry.getIndex()), e);
            throw e;
        }
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    private void apply(LogEntryProto proto) {
        byte[] bytes = proto.getStateMachineLogEntry().getLogData().toByteArray();
        LogEntry entry = LogEntry.decode(bytes);
        mustFollow(proto.getIndex());
        List<Reply> replies = applied.apply(new Position(proto.getTerm(), proto.getIndex()), entry);
        listener.applied(proto.getIndex(), entry.batch(), replies);
        flushSometimes(entry.items().size(), bytes.length);
    }

    private void mustFollow(long index) {
        long last = applied.last().index();
        if (index != last + 1) {
            throw new IllegalStateException("entry %d comes after entry %d".formatted(index, last));
        }
    }

    private void flushSometimes(int commands, int bytes) {
        unflushedCommands += commands;
        unflushedBytes += bytes;
        unflushedEntries++;
        if (unflushedCommands > MAX_UNFLUSHED_COMMANDS
                || unflushedBytes > MAX_UNFLUSHED_BYTES
                || unflushedEntries > keptEntries) {
            flushed();
            applied.startFlush();
        }
    }

    private void flushed() {
        unflushedCommands = 0;
        unflushedBytes = 0;
        unflushedEntries = 0;
    }

    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        try {
            mustFollow(index);
            applied.passed(new Position(term, index));
        } catch (RuntimeException | Error e) {
            fatal.stop("entry %d cannot be passed".formatted(index), e);
            throw e;
        }
        updateLastAppliedTermIndex(term, index);
        listener.passed(index);
    }

    @Override
    public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(
            RoleInfoProto role, TermIndex firstInLog) {
        LOG.info(
                "this member ends at entry {} and the leader's log begins at {}: it needs the state",
                applied.last().index(),
                firstInLog.getIndex());
        if (exchange.isEmpty()) {
            return CompletableFuture.failedFuture(
                    new IOException("this member has no key to fetch the state with"));
        }
        var leader = RaftPeerId.valueOf(role.getFollowerInfo().getLeaderInfo().getId().getId());
        return exchange.get()
                .fetcher()
                .fetch(leader, firstInLog.getIndex())
                .thenApply(at -> TermIndex.valueOf(at.term(), at.index()));
    }

    /** What was fetched is about to be taken over: Ratis applies nothing from here on. */
    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    /** On the apply thread: the state is from now on what was fetched. */
    @Override
    public void reinitialize() throws IOException {
        try {
            exchange.orElseThrow().files().takeOver();
        } catch (IOException | RuntimeException | Error e) {
            fatal.stop("the state that was fetched cannot be taken over", e);
            throw e;
        }
        Position at = applied.persisted();
        flushed();
        snapshot = new OnDisk(at);
        setLastAppliedTermIndex(TermIndex.valueOf(at.term(), at.index()));
        getLifeCycle().transition(LifeCycle.State.STARTING);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
        LOG.info("this member took over the state as of entry {}", at.index());
        listener.passed(at.index());
    }

    /** Only members that fetch the state ask for anything. */
    @Override
    public CompletableFuture<Message> queryStale(Message request, long minIndex) {
        return exchange.isEmpty()
                ? query(request)
                : exchange.get()
                        .donor()
                        .answer(request.getContent().toByteArray())
                        .thenApply(
                                bytes -> Message.valueOf(UnsafeByteOperations.unsafeWrap(bytes)));
    }

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failed) {
        if (!closing) {
            fatal.stop("the Raft log failed", cause);
        }
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean all) {
        if (!closing) {
            fatal.stop("Ratis closed by itself", new IllegalStateException("server shut down"));
        }
    }

    /** From now on a shutdown is what was asked for. */
    void expectShutdown() {
        closing = true;
    }
}
