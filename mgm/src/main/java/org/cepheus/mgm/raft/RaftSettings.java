package org.cepheus.mgm.raft;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys.Log;
import org.apache.ratis.server.RaftServerConfigKeys.Read;
import org.apache.ratis.server.RaftServerConfigKeys.Rpc;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.codec.Bytes;

/**
 * How this member takes part in the group, and every Ratis setting that differs from its default
 * with the reason.
 *
 * @param cluster also the Raft group's id
 * @param member the id of this member among the peers
 * @param directory for the logs; exists
 * @param transferKey what members know each other by when one fetches the state; without it none
 *     does
 * @param keptEntries entries kept behind the flushed index for members that are away for a while;
 *     each costs up to a kilobyte of heap. Who was away for longer fetches the state
 */
public record RaftSettings(
        UUID cluster,
        String member,
        List<Peer> peers,
        Path directory,
        Optional<Bytes> transferKey,
        long keptEntries) {
    /** The longest entry: a full batch, or one command of the greatest length, with room. */
    static final SizeInBytes MAX_ENTRY = SizeInBytes.valueOf("4MB");

    /** Leases and elections are measured against this. */
    static final Duration RPC_TIMEOUT_MIN = Duration.ofSeconds(2);

    private static final Duration RPC_TIMEOUT_MAX = Duration.ofSeconds(3);
    private static final Duration LONE_RPC_TIMEOUT_MIN = Duration.ofSeconds(1);
    private static final Duration LONE_RPC_TIMEOUT_MAX = Duration.ofSeconds(2);

    /** The leader believes in its lease for this part of the least timeout. */
    static final double LEASE_RATIO = 0.7;

    /** What a site should keep. */
    public static final long KEPT_ENTRIES = 200_000;

    private static final long MAX_SEGMENT_BYTES = 32L << 20;
    private static final long MIN_SEGMENT_BYTES = 1L << 18;

    /** A segment is purged as a whole, so it must not be more than what is kept. */
    private static final long SEGMENT_BYTES_PER_KEPT_ENTRY = 160;

    /** A member of the group and where clients find it. */
    public record Peer(String id, String host, int raftPort, MgmAddress address) {}

    public RaftSettings {
        peers = List.copyOf(peers);
    }

    /** A member that keeps what a site should and fetches no state. */
    public RaftSettings(UUID cluster, String member, List<Peer> peers, Path directory) {
        this(cluster, member, peers, directory, Optional.empty(), KEPT_ENTRIES);
    }

    public boolean isAlone() {
        return peers.size() == 1;
    }

    /** This member's own row. */
    public Peer self() {
        return peers.stream().filter(peer -> peer.id().equals(member)).findFirst().orElseThrow();
    }

    RaftGroupId groupId() {
        return RaftGroupId.valueOf(cluster);
    }

    RaftPeerId memberId() {
        return RaftPeerId.valueOf(member);
    }

    RaftGroup group() {
        return RaftGroup.valueOf(
                groupId(),
                peers.stream()
                        .map(peer ->
                                RaftPeer.newBuilder()
                                        .setId(peer.id())
                                        .setAddress(peer.host() + ":" + peer.raftPort())
                                        .build())
                        .toList());
    }

    /** Where the segments of the log are. */
    Path segments() {
        return directory.resolve(cluster.toString()).resolve("current");
    }

    RaftProperties properties() {
        var p = new RaftProperties();
        RaftServerConfigKeys.setStorageDir(p, List.of(directory.toFile()));
        network(p);
        log(p);
        elections(p);
        reads(p);
        // Exactly-once comes from the state, not from this cache; it only holds memory.
        RaftServerConfigKeys.RetryCache.setExpiryTime(p, time(Duration.ofSeconds(5)));
        // The store flushes by itself; only what it has flushed is ever called a snapshot.
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(p, false);
        RaftServerConfigKeys.Snapshot.setCreationGap(p, 1);
        Log.Appender.setInstallSnapshotEnabled(p, false);
        return p;
    }

    private void network(RaftProperties p) {
        RaftConfigKeys.Rpc.setType(p, SupportedRpcType.GRPC);
        // Ratis listens on the wildcard address unless told otherwise.
        GrpcConfigKeys.Server.setHost(p, self().host());
        GrpcConfigKeys.Server.setPort(p, self().raftPort());
        GrpcConfigKeys.Admin.setHost(p, self().host());
        GrpcConfigKeys.Admin.setPort(p, self().raftPort());
        GrpcConfigKeys.Client.setHost(p, self().host());
        GrpcConfigKeys.Client.setPort(p, self().raftPort());
        GrpcConfigKeys.setMessageSizeMax(p, SizeInBytes.valueOf("16MB"));
    }

    private void log(RaftProperties p) {
        long segment =
                Math.clamp(
                        keptEntries * SEGMENT_BYTES_PER_KEPT_ENTRY,
                        MIN_SEGMENT_BYTES,
                        MAX_SEGMENT_BYTES);
        Log.setSegmentSizeMax(p, SizeInBytes.valueOf(segment));
        Log.setPreallocatedSize(p, SizeInBytes.valueOf(Math.min(segment, 4L << 20)));
        Log.setSegmentCacheNumMax(p, isAlone() ? 1 : 4);
        Log.setPurgeUptoSnapshotIndex(p, true);
        Log.setPurgePreservationLogNum(p, isAlone() ? 0 : keptEntries);
        Log.setCorruptionPolicy(p, Log.CorruptionPolicy.EXCEPTION);
        // An entry and a disk write per commit, for followers alone to learn what committed.
        Log.setLogMetadataEnabled(p, !isAlone());
        // 0 means no limit by number; the bytes are the limit.
        Log.Appender.setBufferElementLimit(p, 0);
        Log.Appender.setBufferByteLimit(p, MAX_ENTRY);
        Log.setWriteBufferSize(p, SizeInBytes.valueOf("5MB"));
    }

    private void elections(RaftProperties p) {
        Rpc.setTimeoutMin(p, time(isAlone() ? LONE_RPC_TIMEOUT_MIN : RPC_TIMEOUT_MIN));
        Rpc.setTimeoutMax(p, time(isAlone() ? LONE_RPC_TIMEOUT_MAX : RPC_TIMEOUT_MAX));
        if (isAlone()) {
            // Nobody can have taken over while the process stood still, so it need not close.
            RaftServerConfigKeys.setCloseThreshold(p, time(Duration.ofDays(30)));
            Rpc.setFirstElectionTimeoutMin(p, time(Duration.ofMillis(50)));
            Rpc.setFirstElectionTimeoutMax(p, time(Duration.ofMillis(70)));
        }
        RaftServerConfigKeys.LeaderElection.setPreVote(p, true);
    }

    private void reads(RaftProperties p) {
        Read.setOption(p, Read.Option.LINEARIZABLE);
        Read.setLeaderLeaseEnabled(p, !isAlone());
        Read.setLeaderLeaseTimeoutRatio(p, LEASE_RATIO);
    }

    private static TimeDuration time(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }
}
