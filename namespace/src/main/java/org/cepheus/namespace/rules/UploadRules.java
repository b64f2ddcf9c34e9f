package org.cepheus.namespace.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.Location;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.AbortedUpload;
import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Rows.EntryKey;
import org.cepheus.namespace.rows.Rows.Lease;
import org.cepheus.namespace.rows.Rows.Place;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.namespace.rows.Rows.Unsettled;
import org.cepheus.namespace.rows.Tables;
import org.cepheus.quota.Charge;
import org.cepheus.quota.Reservations;

/**
 * Opening for write, extending, aborting. An open lease claims nothing but quota: the name stays as
 * it is until commit. Only an update in place is exclusive, and marks its file.
 */
final class UploadRules {
    private static final int PARENT_MODE = 0755;

    private UploadRules() {}

    static Reply open(Work work, LeaseCommand.OpenForWrite command) {
        FsPath path = command.path();
        if (path.isRoot()) {
            throw Work.refuse(new FsError.IsDirectory("/ is a directory"));
        }
        if (command.declaredSizeBytes().orElse(0) < 0) {
            throw Work.refuse(new FsError.InvalidArgument("declared size is negative"));
        }
        requireThatBoot(work, command.placement());
        OperatorRules.requireWritable(work, command.placement());
        if (command.makeParents()) {
            DirectoryRules.ensure(work, path.parent(), PARENT_MODE);
        }
        Walk walk = Walk.to(work.draft(), work.subject(), path);
        return command.intent() == Intent.UPDATE
                ? openInPlace(work, walk, command)
                : openNewContent(work, walk, command);
    }

    // The FST may have restarted between the placement and this entry. No renewal would ever keep
    // such a lease alive.
    private static void requireThatBoot(Work work, LeaseCommand.Placement placement) {
        work.draft()
                .get(Tables.FSTS, placement.fstId())
                .filter(fst -> fst.bootId() != placement.bootId())
                .ifPresent(fst -> {
                    throw Work.refuse(
                            new FsError.Unavailable(
                                    "FST %d has just restarted: try again"
                                            .formatted(placement.fstId()),
                                    1));
                });
    }

    private static Reply openNewContent(Work work, Walk walk, LeaseCommand.OpenForWrite command) {
        if (walk.entry().isPresent() && command.intent() == Intent.NEW) {
            throw Work.refuse(new FsError.AlreadyExists(walk.path() + " exists already"));
        }
        Optional<Entry.File> old = walk.entry().map(_ -> walk.existingFile());
        if (old.isPresent()) {
            requireWrite(work, old.get(), walk.path());
        } else {
            work.requireMayChange(walk.parent(), walk.path(), "create");
        }
        int owner = old.map(Entry.File::owner).orElseGet(work::callerUser);
        int group = old.map(Entry.File::group).orElseGet(() -> groupOfNew(work, walk.parent()));
        List<QuotaKey> rows = Work.rows(Work.chain(work.draft(), walk.parent().id()), owner, group);
        long bytes = reservation(work, rows, command.declaredSizeBytes(), old);
        long files = old.isPresent() ? 0 : 1;
        work.charge(rows, Charge.reserved(bytes, files));
        long id = work.nextId();
        long inode = old.map(Entry.File::inode).orElseGet(work::nextId);
        var ref = new LeaseRef(walk.parent().id(), walk.name(), id, inode);
        put(
                work,
                command,
                ref,
                new Claim(command.placement().volumeId(), id, owner, group, bytes, files));
        return new Reply.Opened(ref, inode, command.placement().volumeId(), id, 0, bytes);
    }

    /** What a lease writes and whom it charges. */
    private record Claim(
            int volumeId,
            long dataId,
            int owner,
            int group,
            long reservedBytes,
            long reservedFiles) {}

    private static void put(
            Work work, LeaseCommand.OpenForWrite command, LeaseRef ref, Claim claim) {
        work.draft()
                .put(
                        Tables.LEASES,
                        ref,
                        new Lease(
                                ref,
                                command.intent(),
                                claim.volumeId(),
                                claim.dataId(),
                                command.mode() & 0777,
                                claim.owner(),
                                claim.group(),
                                command.declaredSizeBytes(),
                                claim.reservedBytes(),
                                claim.reservedFiles(),
                                command.placement().fstId(),
                                command.placement().bootId(),
                                false,
                                work.leaseNow(),
                                work.now(),
                                work.caller()));
    }

    private static int groupOfNew(Work work, Directory parent) {
        return (parent.mode() & 02000) != 0 ? parent.group() : work.callerGroup();
    }

    // A replacement reserves only what it grows by, so that the same size fits at the limit.
    private static long reservation(
            Work work, List<QuotaKey> rows, OptionalLong declared, Optional<Entry.File> old) {
        return declared.isPresent()
                ? Math.max(0, declared.getAsLong() - old.map(Entry.File::sizeBytes).orElse(0L))
                : work.chunk(rows, Reservations.FIRST_BYTES);
    }

    private static void requireWrite(Work work, Entry.File file, FsPath path) {
        if (!work.subject().mayWrite(file.mode(), file.owner(), file.group())) {
            throw work.denied(
                    "write %s: it has mode %04o and belongs to %s"
                            .formatted(
                                    path,
                                    file.mode(),
                                    Work.name(work.draft(), QuotaKind.USER, file.owner())));
        }
    }

    private static Reply openInPlace(Work work, Walk walk, LeaseCommand.OpenForWrite command) {
        Entry.File file = walk.existingFile();
        requireWrite(work, file, walk.path());
        requireIdle(work, walk.parent().id(), walk.name(), file, walk.path().value());
        if (file.isUnsettled()) {
            throw Work.refuse(
                    new FsError.FileLocked(
                            "%s lost its last writer and its size is not settled: wait for its FST, or replace it"
                                    .formatted(walk.path())));
        }
        Location at = file.locations().getFirst();
        long id = work.nextId();
        var ref = new LeaseRef(walk.parent().id(), walk.name(), id, file.inode());
        work.draft().put(Tables.ENTRIES, walk.key(), file.withUpdating(id, file.flags()));
        put(
                work,
                command,
                ref,
                new Claim(at.volumeId(), at.dataId(), file.owner(), file.group(), 0, 0));
        return new Reply.Opened(ref, file.inode(), at.volumeId(), at.dataId(), file.sizeBytes(), 0);
    }

    /** Refuses with the holder's name and age if a writer is in the file. */
    static void requireIdle(Work work, long parent, String name, Entry.File file, String shown) {
        if (file.updating() == 0) {
            return;
        }
        var ref = new LeaseRef(parent, name, file.updating(), file.inode());
        String holder =
                work.draft()
                        .get(Tables.LEASES, ref)
                        .map(lease ->
                                "%s from %s, for %d s"
                                        .formatted(
                                                lease.caller().identity().user(),
                                                lease.caller().address(),
                                                (work.now() - lease.sinceNanos()) / 1_000_000_000L))
                        .orElse("a writer");
        throw Work.refuse(
                new FsError.FileLocked(
                        "%s is being updated in place by %s: try again later"
                                .formatted(shown, holder)));
    }

    static Reply extend(Work work, LeaseCommand.ExtendReservation command) {
        Lease lease = lease(work, command.lease());
        if (command.wantedBytes() <= lease.reservedBytes()) {
            return new Reply.Extended(lease.reservedBytes());
        }
        // All or nothing: the FST asks for less when a step is refused.
        List<QuotaKey> rows = rows(work, lease);
        long more = command.wantedBytes() - lease.reservedBytes();
        work.charge(rows, Charge.reserved(more, 0));
        work.draft().put(Tables.LEASES, lease.ref(), lease.withReserved(command.wantedBytes()));
        return new Reply.Extended(command.wantedBytes());
    }

    /** The rows that a lease is charged to, by where its directory is now. */
    static List<QuotaKey> rows(Work work, Lease lease) {
        return Work.rows(
                Work.chain(work.draft(), lease.ref().parent()), lease.owner(), lease.group());
    }

    private static Lease lease(Work work, LeaseRef ref) {
        return find(work, ref).orElseThrow(() -> gone(ref));
    }

    /** The open lease of exactly this reference: its key alone would not tell the inode. */
    static Optional<Lease> find(Work work, LeaseRef ref) {
        return work.draft().get(Tables.LEASES, ref).filter(lease -> lease.ref().equals(ref));
    }

    static RuntimeException gone(LeaseRef ref) {
        return Work.refuse(
                new FsError.LeaseGone(
                        "the upload of '%s' (lease %d) was aborted, replaced, removed or has expired: start again"
                                .formatted(ref.name(), ref.id())));
    }

    /** Aborting what is gone already is no error. */
    static void abort(Work work, LeaseCommand.Abort command) {
        find(work, command.lease()).ifPresent(lease -> abort(work, lease, command.reason()));
    }

    /** Ends a lease: its reservation is given back, its new content goes to the garbage. */
    static void abort(Work work, Lease lease, String reason) {
        work.aborted(new AbortedUpload(lease.ref(), lease.caller(), reason));
        work.draft().delete(Tables.LEASES, lease.ref());
        work.charge(
                rows(work, lease), Charge.reserved(-lease.reservedBytes(), -lease.reservedFiles()));
        if (lease.intent() == Intent.UPDATE) {
            unsettle(work, lease);
        } else {
            work.discard(
                    List.of(new Location(lease.volumeId(), lease.dataId())),
                    lease.ref().inode(),
                    reason);
        }
    }

    // The writer in place is lost: what the file's size and checksum are, nobody knows now.
    private static void unsettle(Work work, Lease lease) {
        Optional<Place> place = work.draft().get(Tables.PLACES, lease.ref().inode());
        if (place.isEmpty()) {
            return;
        }
        var key = new EntryKey(place.get().parent(), place.get().name());
        if (work.draft().get(Tables.ENTRIES, key).orElse(null) instanceof Entry.File file
                && file.updating() == lease.ref().id()) {
            work.draft()
                    .put(
                            Tables.ENTRIES,
                            key,
                            file.withUpdating(0, file.flags() | Entry.File.UNSETTLED));
            work.draft()
                    .put(
                            Tables.UNSETTLED,
                            file.inode(),
                            new Unsettled(
                                    lease.volumeId(),
                                    lease.dataId(),
                                    lease.fstId(),
                                    lease.bootId(),
                                    work.now()));
        }
    }

    /** Aborts every lease on a name; how many there were. */
    static int abortAll(Work work, long parent, String name, String reason) {
        List<Lease> leases = leases(work, parent, name);
        leases.forEach(lease -> abort(work, lease, reason));
        return leases.size();
    }

    /** The open leases on a name. */
    static List<Lease> leases(Work work, long parent, String name) {
        var leases = new ArrayList<Lease>(1);
        byte[] prefix = Tables.leasePrefix(parent, name);
        work.draft()
                .scan(Tables.LEASES, prefix, Tables.after(prefix), (_, lease) -> leases.add(lease));
        return leases;
    }
}
