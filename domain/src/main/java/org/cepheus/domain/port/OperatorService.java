package org.cepheus.domain.port;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.MgmAddress;

/** What an operator asks of an MGM beyond the namespace itself. Blocks nothing; reads only. */
public interface OperatorService {
    ClusterStatus status();

    /** Every row of every quota node, in order of paths. */
    CompletionStage<List<QuotaReport>> quotas(Caller caller);

    /**
     * Recounts every quota node on a snapshot and compares: in the background, one at a time. While
     * one runs, this answers that one. Only the leader does it.
     *
     * @param limit it ends by itself after so long, {@code EXPIRED}
     */
    default CompletionStage<QuotaCheck> startQuotaCheck(Caller caller, Duration limit) {
        return CompletableFuture.failedFuture(
                new FsException(new FsError.Unsupported("quotas are not recounted here")));
    }

    /** The recount that runs or ran last in this process. */
    default CompletionStage<Optional<QuotaCheck>> quotaCheck(Caller caller) {
        return CompletableFuture.completedStage(Optional.empty());
    }

    /** Ends the recount that runs, if one does; answers how it stands then. */
    default CompletionStage<Optional<QuotaCheck>> cancelQuotaCheck(Caller caller) {
        return CompletableFuture.completedStage(Optional.empty());
    }

    /** Uploads that are running, oldest first, at most so many. */
    CompletionStage<List<Transfer>> transfers(Caller caller, int max);

    /** What is at an inode, and under which path now. Fails with NotFound. */
    default CompletionStage<Found> find(Caller caller, long inode) {
        return CompletableFuture.failedFuture(
                new FsException(new FsError.Unsupported("inodes are not looked up here")));
    }

    /** An entry and where it is. */
    record Found(FsPath path, FileStatus status) {}

    /**
     * The cluster as this member sees it.
     *
     * @param committedIndex the last entry of the log of which this member knows that a majority
     *     has it
     * @param appliedIndex the last entry that it has applied
     */
    record ClusterStatus(
            String cluster,
            String memberId,
            String role,
            Optional<MgmAddress> leader,
            long term,
            long committedIndex,
            long appliedIndex,
            List<MemberStatus> members,
            long files,
            long directories,
            long usedBytes,
            List<FstStatus> fsts,
            List<VolumeStatus> volumes) {
        public ClusterStatus {
            members = List.copyOf(members);
            fsts = List.copyOf(fsts);
            volumes = List.copyOf(volumes);
        }

        /** True if this member leads: only then it knows the FSTs and their volumes. */
        public boolean leads() {
            return role.equals("leader");
        }
    }

    /**
     * A member of the Raft group as the asked member sees it: the leader knows how far the others
     * are, the others know only themselves and who leads.
     *
     * @param role leader, follower, candidate or listener; unknown while no leader is known
     * @param lagEntries entries of the log that it lacks, of the asked member itself those that it
     *     has not applied
     * @param silentMillis since it answered the leader last
     */
    record MemberStatus(
            String id, String role, OptionalLong lagEntries, OptionalLong silentMillis) {}

    record FstStatus(FstAddress address, boolean alive, Instant lastSeen, int streams) {}

    record VolumeStatus(int volumeId, long totalBytes, long freeBytes, boolean usable) {}

    /**
     * An upload.
     *
     * @param id the number of its lease, to end it by; absent when it is unsettled
     * @param state granted, active, or unsettled: an update in place was lost, and its FST has not
     *     said yet what came of the file; that has no user, client and trace any more
     */
    record Transfer(
            OptionalLong id,
            FsPath path,
            int fstId,
            String user,
            String client,
            Instant since,
            OptionalLong declaredBytes,
            long reservedBytes,
            String state,
            String trace) {}
}
