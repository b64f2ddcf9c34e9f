package org.cepheus.namespace.rows;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.ServiceState;
import org.cepheus.domain.ServiceTarget;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand;

/** The smaller records of the namespace, each the value or key of a table in {@link Tables}. */
public final class Rows {
    private Rows() {}

    /** A name in a directory. */
    public record EntryKey(long parent, String name) {}

    /** Where an inode is linked. */
    public record Place(long parent, String name) {}

    /**
     * The access record and the counters of a directory.
     *
     * @param files number of files directly in it
     * @param directories number of directories directly in it
     * @param quota what this is as a quota node: a sum of {@link #NODE}, {@link #COUNTING} and
     *     {@link #DEFAULTS}
     * @param policy reserved: names a placement policy, empty for the default
     * @param levels no directory lies more levels below this one; it may be more than is true, for
     *     what was moved or removed deep below does not lower it
     */
    public record Directory(
            long id,
            long parent,
            int mode,
            int owner,
            int group,
            int acl,
            long modifiedNanos,
            long changedNanos,
            long bornNanos,
            long files,
            long directories,
            int quota,
            String policy,
            int levels) {
        /** Of a row from before levels were counted: it may be as deep as a path can be. */
        public static final int UNKNOWN_LEVELS = FsPath.MAX_DEPTH;

        /** Limits may hang here, and what is below is counted. */
        public static final int NODE = 1;

        /** Only changes are noted yet: what lay below before is still being counted. */
        public static final int COUNTING = 2;

        /** There are limits for users or groups that have none of their own. */
        public static final int DEFAULTS = 4;

        /** All that this build knows. */
        public static final int KNOWN_QUOTA = NODE | COUNTING | DEFAULTS;

        public boolean isQuotaNode() {
            return (quota & NODE) != 0;
        }

        public boolean isCounting() {
            return (quota & COUNTING) != 0;
        }

        public boolean hasDefaults() {
            return (quota & DEFAULTS) != 0;
        }

        public Directory withEntries(long moreFiles, long moreDirectories, long nowNanos) {
            return new Directory(
                    id,
                    parent,
                    mode,
                    owner,
                    group,
                    acl,
                    nowNanos,
                    nowNanos,
                    bornNanos,
                    files + moreFiles,
                    directories + moreDirectories,
                    quota,
                    policy,
                    directories + moreDirectories == 0 ? 0 : levels);
        }

        public Directory withAccess(int newMode, int newOwner, int newGroup, long nowNanos) {
            return new Directory(
                    id,
                    parent,
                    newMode,
                    newOwner,
                    newGroup,
                    acl,
                    modifiedNanos,
                    nowNanos,
                    bornNanos,
                    files,
                    directories,
                    quota,
                    policy,
                    levels);
        }

        public Directory withModified(long newModifiedNanos, long nowNanos) {
            return new Directory(
                    id,
                    parent,
                    mode,
                    owner,
                    group,
                    acl,
                    newModifiedNanos,
                    nowNanos,
                    bornNanos,
                    files,
                    directories,
                    quota,
                    policy,
                    levels);
        }

        public Directory withParent(long newParent, long nowNanos) {
            return new Directory(
                    id,
                    newParent,
                    mode,
                    owner,
                    group,
                    acl,
                    modifiedNanos,
                    nowNanos,
                    bornNanos,
                    files,
                    directories,
                    quota,
                    policy,
                    levels);
        }

        public Directory withQuota(int newQuota) {
            return new Directory(
                    id,
                    parent,
                    mode,
                    owner,
                    group,
                    acl,
                    modifiedNanos,
                    changedNanos,
                    bornNanos,
                    files,
                    directories,
                    newQuota,
                    policy,
                    levels);
        }

        public Directory withLevels(int newLevels) {
            return new Directory(
                    id,
                    parent,
                    mode,
                    owner,
                    group,
                    acl,
                    modifiedNanos,
                    changedNanos,
                    bornNanos,
                    files,
                    directories,
                    quota,
                    policy,
                    newLevels);
        }

        /** The same for whoever walks through it: neither moved nor with other rights. */
        public boolean walksLike(Directory other) {
            return parent == other.parent
                    && mode == other.mode
                    && owner == other.owner
                    && group == other.group
                    && acl == other.acl;
        }
    }

    /**
     * A row of a quota node; the principal is 0 for the project, and for the defaults of users and
     * of groups, which nobody has as a number.
     */
    public record QuotaKey(long node, QuotaKind kind, int principal) {}

    /**
     * The count of a quota node that was set over existing content. Its rows note every change
     * since; what is missing, the sum of that moment, is the same whenever it is worked out.
     *
     * @param countId another for each count that was ever begun
     * @param sinceNanos wall time
     * @param addedRows how many rows of that sum have been brought
     */
    public record Count(long countId, long sinceNanos, long addedRows) {
        public Count plus(long moreRows) {
            return new Count(countId, sinceNanos, addedRows + moreRows);
        }
    }

    /**
     * An upload that is running.
     *
     * @param dataId the data file it writes; the existing one for an update
     * @param volumeId where that is
     * @param owner whom it is charged to
     * @param opened true once a client has come to the FST
     * @param grantedNanos on the lease clock
     * @param sinceNanos wall time, for people
     */
    public record Lease(
            LeaseRef ref,
            LeaseCommand.Intent intent,
            int volumeId,
            long dataId,
            int mode,
            int owner,
            int group,
            OptionalLong declaredSizeBytes,
            long reservedBytes,
            long reservedFiles,
            int fstId,
            long bootId,
            boolean opened,
            long grantedNanos,
            long sinceNanos,
            Caller caller) {
        public Lease withReserved(long bytes) {
            return new Lease(
                    ref,
                    intent,
                    volumeId,
                    dataId,
                    mode,
                    owner,
                    group,
                    declaredSizeBytes,
                    bytes,
                    reservedFiles,
                    fstId,
                    bootId,
                    opened,
                    grantedNanos,
                    sinceNanos,
                    caller);
        }

        public Lease asOpened() {
            return new Lease(
                    ref,
                    intent,
                    volumeId,
                    dataId,
                    mode,
                    owner,
                    group,
                    declaredSizeBytes,
                    reservedBytes,
                    reservedFiles,
                    fstId,
                    bootId,
                    true,
                    grantedNanos,
                    sinceNanos,
                    caller);
        }
    }

    /** Data to delete. */
    public record GarbageKey(int volumeId, long dataId) {}

    /** Why and since when. */
    public record Garbage(long inode, long sinceNanos, String reason) {}

    /**
     * What is known of a file whose writer in place was lost.
     *
     * @param fstId who wrote, in the boot that it had
     * @param sinceNanos wall time
     */
    public record Unsettled(int volumeId, long dataId, int fstId, long bootId, long sinceNanos) {}

    /** A name of a user or group. */
    public record PrincipalName(QuotaKind kind, String name) {}

    /** The number that stands for it. */
    public record PrincipalId(QuotaKind kind, int id) {}

    /** An extended attribute of an inode. */
    public record AttributeKey(long inode, String name) {}

    /** An FST as it last said hello; renewed on the lease clock. */
    public record Fst(
            FstAddress address, long bootId, long renewedNanos, List<FleetCommand.Volume> volumes) {
        public Fst {
            volumes = List.copyOf(volumes);
        }

        public Fst renewedAt(long leaseNanos) {
            return new Fst(address, bootId, leaseNanos, volumes);
        }
    }

    /** What operators let FSTs and volumes be used for; what is not named is RW. */
    public record FleetStates(
            SortedMap<Integer, ServiceState> fsts, SortedMap<Integer, ServiceState> volumes) {
        public static final FleetStates NONE = new FleetStates(new TreeMap<>(), new TreeMap<>());

        public FleetStates {
            fsts = Collections.unmodifiableSortedMap(new TreeMap<>(fsts));
            volumes = Collections.unmodifiableSortedMap(new TreeMap<>(volumes));
        }

        public ServiceState of(ServiceTarget target) {
            return states(target).getOrDefault(target.id(), ServiceState.RW);
        }

        private SortedMap<Integer, ServiceState> states(ServiceTarget target) {
            return switch (target.kind()) {
                case FST -> fsts;
                case VOLUME -> volumes;
            };
        }

        public FleetStates with(ServiceTarget target, ServiceState state) {
            var changed = new TreeMap<>(states(target));
            if (state == ServiceState.RW) {
                changed.remove(target.id());
            } else {
                changed.put(target.id(), state);
            }
            return switch (target.kind()) {
                case FST -> new FleetStates(changed, volumes);
                case VOLUME -> new FleetStates(fsts, changed);
            };
        }
    }

    /**
     * How an order with an idempotency key ended.
     *
     * @param request digest of what was asked for
     * @param refused absent if it was done
     */
    public record OnceReply(Bytes request, Optional<FsError> refused) {}

    /**
     * The state's own state: moves with each log entry.
     *
     * @param schema version of the families' layout
     * @param index of the last entry; -1 before the first, for the log begins at 0
     * @param nextId the next inode, dataId, directory or lease
     * @param nextPrincipal the next user or group: 32 bits are enough for those, not for inodes
     * @param directories how many there are, the root among them
     */
    public record Head(
            UUID cluster,
            int schema,
            int restoreEpoch,
            long term,
            long index,
            long nextId,
            int nextPrincipal,
            long directories,
            long wallNanos,
            long leaseNanos,
            long chainHash) {
        /** The layout this build writes. */
        public static final int SCHEMA = 1;

        public Head withIndex(long newTerm, long newIndex, long newChainHash) {
            return new Head(
                    cluster,
                    schema,
                    restoreEpoch,
                    newTerm,
                    newIndex,
                    nextId,
                    nextPrincipal,
                    directories,
                    wallNanos,
                    leaseNanos,
                    newChainHash);
        }

        public Head withCounters(long newNextId, int newNextPrincipal) {
            return new Head(
                    cluster,
                    schema,
                    restoreEpoch,
                    term,
                    index,
                    newNextId,
                    newNextPrincipal,
                    directories,
                    wallNanos,
                    leaseNanos,
                    chainHash);
        }

        public Head withDirectories(long newDirectories) {
            return new Head(
                    cluster,
                    schema,
                    restoreEpoch,
                    term,
                    index,
                    nextId,
                    nextPrincipal,
                    newDirectories,
                    wallNanos,
                    leaseNanos,
                    chainHash);
        }

        public Head withClocks(long newWallNanos, long newLeaseNanos) {
            return new Head(
                    cluster,
                    schema,
                    restoreEpoch,
                    term,
                    index,
                    nextId,
                    nextPrincipal,
                    directories,
                    newWallNanos,
                    newLeaseNanos,
                    chainHash);
        }
    }
}
