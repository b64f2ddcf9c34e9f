package org.cepheus.mgm.raft;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.cepheus.domain.FsError;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Reply;
import org.cepheus.domain.port.OperatorService.MemberStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as a member of the Raft group: checks the log, starts Ratis, puts entries in and
 * takes them out. Owns the Ratis server, the aggregator and the read gate.
 */
public final class RaftMember implements AutoCloseable, EntryLog {
    private static final Logger LOG = LoggerFactory.getLogger(RaftMember.class);

    /** The log before what the store has flushed may be purged; how often to look for that. */
    private static final long FLUSH_LOOK_MILLIS = 500;

    private static final long ADMIN_TIMEOUT_MILLIS = 5_000;

    /** A confirmed lease may be almost over: what is left of the timeout is what is certain. */
    private static final long TICKET_NANOS =
            (long) ((1 - RaftSettings.LEASE_RATIO) * RaftSettings.RPC_TIMEOUT_MIN.toNanos());

    private final RaftSettings settings;
    private final Applied applied;
    private final Optional<NamespaceStateMachine.Exchange> exchange;
    private final NamespaceStateMachine machine;
    private final RaftServer server;
    private final RaftServer.Division division;
    private final DivisionInfo info;
    private final RaftClientAsynchronousProtocol entries;
    private final Aggregator aggregator;
    private final ReadGate gate;
    // Drawn anew at each start: Ratis' retry cache is refilled from the log, and would answer a new
    // request of an old id with an old reply.
    private final ClientId client = ClientId.randomId();
    private final AtomicLong callId = new AtomicLong();
    private final ScheduledExecutorService admin =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("raft-admin").daemon().factory());

    /**
     * Starts taking part. What is thrown leaves nothing running.
     *
     * @throws DamagedLogException if an operator has to decide about the log first
     */
    public RaftMember(RaftSettings settings, Applied applied, RandomGenerator random, Fatal fatal)
            throws IOException {
        this(settings, applied, random, fatal, 4);
    }

    /** The same with another number of entries under way, for measurements. */
    public RaftMember(
            RaftSettings settings,
            Applied applied,
            RandomGenerator random,
            Fatal fatal,
            int maxEntriesUnderWay)
            throws IOException {
        this.settings = settings;
        this.applied = applied;
        TornTail.cut(settings.segments(), RaftSettings.MAX_ENTRY);
        ObsoleteLog.drop(settings.segments(), applied.persisted().index(), RaftSettings.MAX_ENTRY);
        aggregator =
                new Aggregator(
                        new Aggregator.Frame(
                                settings.cluster(),
                                random.nextLong(),
                                applied::leaseNanos,
                                applied::check,
                                this::anotherLeader,
                                maxEntriesUnderWay),
                        this,
                        System::nanoTime,
                        InstantSource.system());
        exchange = exchange();
        machine =
                new NamespaceStateMachine(
                        applied, listener(), fatal, client, settings.keptEntries(), exchange);
        server =
                RaftServer.newBuilder()
                        .setServerId(settings.memberId())
                        .setGroup(settings.group())
                        .setOption(RaftStorage.StartupOption.RECOVER)
                        .setProperties(settings.properties())
                        .setStateMachine(machine)
                        .build();
        try {
            server.start();
            division = server.getDivision(settings.groupId());
            info = division.getInfo();
            entries = shortWay();
        } catch (IOException | RuntimeException e) {
            machine.expectShutdown();
            server.close();
            throw e;
        }
        gate =
                new ReadGate(
                        this::isLeading,
                        this::confirmLeadership,
                        () -> new FsError.NotLeader(anotherLeader()),
                        System::nanoTime,
                        settings.isAlone() ? 0 : TICKET_NANOS);
        aggregator.start();
        admin.scheduleWithFixedDelay(
                this::noteFlushed, FLUSH_LOOK_MILLIS, FLUSH_LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    // The server hands each request to a pool and waits for it; the division takes it where it
    // comes from. With 64 clients that hop cost 6 % of all CPU.
    private RaftClientAsynchronousProtocol shortWay() {
        return division instanceof RaftClientAsynchronousProtocol direct ? direct : server;
    }

    private Optional<NamespaceStateMachine.Exchange> exchange() {
        return settings.transferKey()
                .flatMap(key ->
                        applied.files()
                                .map(files ->
                                        new NamespaceStateMachine.Exchange(
                                                files,
                                                new StateDonor(files, key),
                                                new StateFetcher(settings, files, key))));
    }

    private NamespaceStateMachine.Listener listener() {
        return new NamespaceStateMachine.Listener() {
            @Override
            public void applied(long index, LogEntry.BatchId batch, List<Reply> replies) {
                aggregator.applied(index, batch, replies);
            }

            @Override
            public void passed(long index) {
                aggregator.appliedUpTo(index);
            }
        };
    }

    public Aggregator aggregator() {
        return aggregator;
    }

    public ReadGate gate() {
        return gate;
    }

    /** True if this member leads and has applied all that was committed before it did. */
    @Override
    public boolean isLeading() {
        return info.isLeaderReady();
    }

    public long term() {
        return info.getCurrentTerm();
    }

    /** leader, follower, candidate or listener. */
    public String role() {
        return info.getCurrentRole().name().toLowerCase(Locale.ROOT);
    }

    /** Every member of the group, in the order of the configuration. */
    public List<MemberStatus> members() {
        Map<String, MemberStatus> followers = followers();
        String self = settings.memberId().toString();
        RaftPeerId leader = info.getLeaderId();
        return settings.peers().stream()
                .map(peer ->
                        peer.id().equals(self)
                                ? self()
                                : followers.getOrDefault(peer.id(), other(peer.id(), leader)))
                .toList();
    }

    private MemberStatus self() {
        long lag = division.getRaftLog().getLastCommittedIndex() - applied.last().index();
        return new MemberStatus(
                settings.memberId().toString(),
                role(),
                OptionalLong.of(Math.max(0, lag)),
                OptionalLong.empty());
    }

    private static MemberStatus other(String id, @Nullable RaftPeerId leader) {
        String role = "unknown";
        if (leader != null) {
            role = id.equals(leader.toString()) ? "leader" : "follower";
        }
        return new MemberStatus(id, role, OptionalLong.empty(), OptionalLong.empty());
    }

    // Empty on members that do not lead.
    private Map<String, MemberStatus> followers() {
        long[] has = info.getFollowerMatchIndices();
        var peers = info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList();
        if (has == null || has.length != peers.size()) {
            return Map.of();
        }
        long last = applied.last().index();
        // Ratis walks its log appenders for both, so that one index means one follower.
        return IntStream.range(0, has.length)
                .mapToObj(i ->
                        new MemberStatus(
                                peers.get(i).getId().getId().toStringUtf8(),
                                "follower",
                                OptionalLong.of(Math.max(0, last - has[i])),
                                OptionalLong.of(peers.get(i).getLastRpcElapsedTimeMs())))
                .collect(Collectors.toMap(MemberStatus::id, Function.identity(), (a, _) -> a));
    }

    /** False once Ratis has closed itself, which it does after a long stop of the process. */
    public boolean isAlive() {
        return info.isAlive();
    }

    // A member that was just elected is not ready yet: whoever is sent to it would come back to it
    // at once and in a circle, and has to wait instead.
    private Optional<MgmAddress> anotherLeader() {
        return settings.memberId().equals(info.getLeaderId()) ? Optional.empty() : leader();
    }

    /** Where the leader is, if one is known. */
    public Optional<MgmAddress> leader() {
        RaftPeerId leader = info.getLeaderId();
        return leader == null
                ? Optional.empty()
                : settings.peers().stream()
                        .filter(peer -> peer.id().equals(leader.toString()))
                        .map(RaftSettings.Peer::address)
                        .findFirst();
    }

    @Override
    public long append(byte[] entry) {
        ByteString bytes = UnsafeByteOperations.unsafeWrap(entry);
        RaftClientRequest request =
                request(RaftClientRequest.writeRequestType(), Message.valueOf(bytes));
        try {
            // Comes back when the entry is in this member's log, or certainly is not. How it ends
            // is learned from the apply thread: the future fails for entries that still commit.
            entries.submitClientRequestAsync(request).exceptionally(this::submitFailed);
        } catch (IOException | RejectedExecutionException e) {
            LOG.warn("an entry was not taken", e);
        }
        return machine.takeStartedIndex();
    }

    private @Nullable RaftClientReply submitFailed(Throwable failure) {
        LOG.debug("an entry's request failed; its outcome comes with the log", failure);
        return null;
    }

    private RaftClientRequest request(RaftClientRequest.Type type, Message message) {
        return RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(settings.memberId())
                .setGroupId(settings.groupId())
                .setCallId(callId.incrementAndGet())
                .setType(type)
                .setMessage(message)
                .build();
    }

    private CompletableFuture<Void> confirmLeadership() {
        var confirmed = new CompletableFuture<Void>();
        try {
            admin.execute(() -> confirmLeadership(confirmed));
        } catch (RejectedExecutionException e) {
            confirmed.completeExceptionally(e);
        }
        return confirmed;
    }

    private void confirmLeadership(CompletableFuture<Void> confirmed) {
        try {
            server.submitClientRequestAsync(
                            request(
                                    RaftClientRequest.readRequestType(false, false, true),
                                    Message.EMPTY))
                    .whenComplete((reply, failure) -> {
                        if (failure == null && reply.isSuccess()) {
                            confirmed.complete(null);
                        } else {
                            confirmed.completeExceptionally(
                                    failure != null ? failure : reply.getException());
                        }
                    });
        } catch (IOException | RuntimeException e) {
            confirmed.completeExceptionally(e);
        }
    }

    // Looked at now and then, not told by the store: a thread of RocksDB that calls Java while the
    // process ends waits for the virtual machine, and that for the thread.
    private void noteFlushed() {
        try {
            if (!machine.hasFlushedMore()) {
                return;
            }
            server.snapshotManagementAsync(
                            SnapshotManagementRequest.newCreate(
                                    client,
                                    settings.memberId(),
                                    settings.groupId(),
                                    callId.incrementAndGet(),
                                    ADMIN_TIMEOUT_MILLIS,
                                    1))
                    .exceptionally(e -> {
                        LOG.debug("no snapshot was noted", e);
                        return null;
                    });
        } catch (RuntimeException e) {
            LOG.debug("no snapshot was noted", e);
        }
    }

    /** Asks the group for another leader; where there is none this member stays it. */
    public void stepDown() {
        try {
            admin.execute(() -> {
                try {
                    server.transferLeadershipAsync(
                            new TransferLeadershipRequest(
                                    client,
                                    settings.memberId(),
                                    settings.groupId(),
                                    callId.incrementAndGet(),
                                    null,
                                    ADMIN_TIMEOUT_MILLIS));
                } catch (IOException | RuntimeException e) {
                    LOG.info("could not step down", e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("stepping down while closing", e);
        }
    }

    /**
     * How far the log is, by the indexes of its entries.
     *
     * @param followerLag entries that the last of the followers lacks, 0 where nobody follows
     */
    public record Progress(long logIndex, long committedIndex, long followerLag) {}

    /** How far the log is now. */
    public Progress progress() {
        RaftLog log = division.getRaftLog();
        TermIndex last = log.getLastEntryTermIndex();
        long end = last == null ? log.getLastCommittedIndex() : last.getIndex();
        long lag = 0;
        long[] has = info.getFollowerMatchIndices();
        if (has != null) {
            for (long matched : has) {
                lag = Math.max(lag, end - matched);
            }
        }
        return new Progress(end, log.getLastCommittedIndex(), lag);
    }

    /** The last entry applied here. */
    public Applied.Position lastApplied() {
        return applied.last();
    }

    @Override
    public void close() {
        machine.expectShutdown();
        aggregator.close();
        admin.shutdown();
        try {
            server.close();
        } catch (IOException e) {
            LOG.warn("closing Ratis", e);
        }
        exchange.ifPresent(each -> {
            each.donor().close();
            each.fetcher().close();
        });
    }
}
