package org.cepheus.namespace.rules;

import java.util.List;
import java.util.Optional;
import org.cepheus.domain.FsError;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.Location;
import org.cepheus.domain.codec.DomainCodec;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rows.Rows.EntryKey;
import org.cepheus.namespace.rows.Rows.Lease;
import org.cepheus.namespace.rows.Rows.Place;
import org.cepheus.namespace.rows.Tables;
import org.cepheus.quota.Charge;

/**
 * Commit: the one moment at which an upload becomes visible, with its size, checksum and charge.
 */
final class CommitRules {
    private CommitRules() {}

    static Reply commit(Work work, LeaseCommand.Commit command) {
        LeaseRef ref = command.lease();
        Optional<Lease> found = UploadRules.find(work, ref);
        if (found.isEmpty()) {
            return committedBefore(work, ref);
        }
        Lease lease = found.get();
        requireSize(lease, command.sizeBytes());
        Entry.File file =
                lease.intent() == Intent.UPDATE
                        ? commitInPlace(work, lease, command)
                        : commitNewContent(work, lease, command);
        work.draft().delete(Tables.LEASES, ref);
        return new Reply.Committed(Work.status(work.draft(), work.subject(), file));
    }

    // A commit repeated after a lost answer: its content lives, wherever it was moved to.
    private static Reply committedBefore(Work work, LeaseRef ref) {
        long inode = work.draft().get(Tables.CONTENTS, ref.id()).orElse(ref.inode());
        Entry.File file =
                work.draft()
                        .get(Tables.PLACES, inode)
                        .flatMap(at -> file(work, new EntryKey(at.parent(), at.name())))
                        // In place the content has the number of an earlier lease, and later a new
                        // content keeps its number while others write to it in place.
                        .filter(live -> live.version() == ref.id() || live.dataId() == ref.id())
                        .orElseThrow(() -> UploadRules.gone(ref));
        return new Reply.Committed(Work.status(work.draft(), work.subject(), file));
    }

    private static Optional<Entry.File> file(Work work, EntryKey key) {
        return work.draft()
                .get(Tables.ENTRIES, key)
                .flatMap(
                        entry -> entry instanceof Entry.File f ? Optional.of(f) : Optional.empty());
    }

    private static void requireSize(Lease lease, long sizeBytes) {
        if (sizeBytes < 0) {
            throw Work.refuse(new FsError.InvalidArgument("negative size " + sizeBytes));
        }
        if (lease.declaredSizeBytes().isPresent()
                && lease.intent() != Intent.UPDATE
                && lease.declaredSizeBytes().getAsLong() != sizeBytes) {
            throw Work.refuse(
                    new FsError.SizeMismatch(
                            "%d bytes arrived of '%s', %d were declared: nothing was stored"
                                    .formatted(
                                            sizeBytes,
                                            lease.ref().name(),
                                            lease.declaredSizeBytes().getAsLong())));
        }
    }

    private static Entry.File commitNewContent(
            Work work, Lease lease, LeaseCommand.Commit command) {
        var key = new EntryKey(lease.ref().parent(), lease.ref().name());
        if (command.onlyOver().isPresent()) {
            requireVersion(work, key, command.onlyOver().getAsLong());
        }
        return switch (work.draft().get(Tables.ENTRIES, key).orElse(null)) {
            case null -> create(work, key, lease, command);
            case Entry.File old -> {
                if (lease.intent() == Intent.NEW) {
                    throw Work.refuse(
                            new FsError.AlreadyExists(
                                    "'%s' was created by somebody else meanwhile: nothing was stored"
                                            .formatted(key.name())));
                }
                yield replace(work, key, old, lease, command);
            }
            case Entry.DirectoryLink _, Entry.Symlink _ ->
                    throw Work.refuse(
                            new FsError.IsDirectory(
                                    "'%s' has become a directory meanwhile: nothing was stored"
                                            .formatted(key.name())));
        };
    }

    // Two clients that change what they read must not overwrite each other unseen.
    private static void requireVersion(Work work, EntryKey key, long version) {
        if (file(work, key).filter(it -> it.version() == version).isEmpty()) {
            throw Work.refuse(
                    new FsError.AlreadyExists(
                            "'%s' has another content by now than the one that was to be replaced: nothing was stored; read it again"
                                    .formatted(key.name())));
        }
    }

    private static Entry.File create(
            Work work, EntryKey key, Lease lease, LeaseCommand.Commit command) {
        // What it was opened to replace lives on under another name, or is gone for ever: in both
        // cases this is a new file. Only who found the name free reserved a file, and an inode.
        long inode = lease.reservedFiles() > 0 ? lease.ref().inode() : work.nextId();
        long now = work.now();
        boolean relocated = inode != lease.ref().inode();
        var file =
                new Entry.File(
                        inode,
                        lease.ref().id(),
                        command.sizeBytes(),
                        lease.mode(),
                        lease.owner(),
                        lease.group(),
                        modified(command, now),
                        now,
                        now,
                        command.checksums(),
                        location(lease),
                        0,
                        relocated ? Entry.File.RELOCATED : 0,
                        0,
                        0);
        noteRelocated(work, file);
        work.charge(
                UploadRules.rows(work, lease), settle(lease, Charge.used(command.sizeBytes(), 1)));
        work.draft().put(Tables.ENTRIES, key, file);
        work.draft().put(Tables.PLACES, inode, new Place(key.parent(), key.name()));
        work.putDirectory(Walk.directory(work.draft(), key.parent()).withEntries(1, 0, now));
        return file;
    }

    private static Entry.File replace(
            Work work, EntryKey key, Entry.File old, Lease lease, LeaseCommand.Commit command) {
        if (old.updating() != 0) {
            // The writer in place wrote to a content that goes now.
            work.draft()
                    .get(
                            Tables.LEASES,
                            new LeaseRef(key.parent(), key.name(), old.updating(), old.inode()))
                    .ifPresent(
                            writer -> UploadRules.abort(work, writer, "the content was replaced"));
        }
        work.discard(old, "replaced");
        Entry.File file =
                old.withContent(
                                lease.ref().id(),
                                command.sizeBytes(),
                                modified(command, work.now()),
                                work.now(),
                                command.checksums(),
                                location(lease))
                        .relocated(old.inode() != lease.ref().inode());
        noteRelocated(work, file);
        recharge(work, lease, old, command.sizeBytes());
        work.draft().put(Tables.ENTRIES, key, file);
        return file;
    }

    // Else a repeated commit would not find it again once it has another name, too.
    private static void noteRelocated(Work work, Entry.File file) {
        if (file.isRelocated()) {
            work.draft().put(Tables.CONTENTS, file.dataId(), file.inode());
        }
    }

    // The lease and the file may have different owners by now: each row gets what is its own.
    private static void recharge(Work work, Lease lease, Entry.File old, long newSizeBytes) {
        List<Long> chain = Work.chain(work.draft(), lease.ref().parent());
        var bill = new Bill();
        bill.add(UploadRules.rows(work, lease), settle(lease, Charge.NONE));
        bill.add(
                Work.rows(chain, old.owner(), old.group()),
                Charge.used(newSizeBytes - old.sizeBytes(), 0));
        work.charge(bill);
    }

    private static Entry.File commitInPlace(Work work, Lease lease, LeaseCommand.Commit command) {
        Place place =
                work.draft()
                        .get(Tables.PLACES, lease.ref().inode())
                        .orElseThrow(() -> UploadRules.gone(lease.ref()));
        var key = new EntryKey(place.parent(), place.name());
        Entry.File old =
                file(work, key)
                        .filter(file -> file.updating() == lease.ref().id())
                        .orElseThrow(() -> UploadRules.gone(lease.ref()));
        Entry.File file =
                old.withContent(
                        lease.ref().id(),
                        command.sizeBytes(),
                        modified(command, work.now()),
                        work.now(),
                        command.checksums(),
                        old.locations());
        recharge(work, lease, old, command.sizeBytes());
        work.draft().put(Tables.ENTRIES, key, file);
        return file;
    }

    /**
     * The storage has said what a file is that its writer in place left: it is that from now on.
     */
    static Reply settle(Work work, FleetCommand.SettleFile command) {
        Optional<EntryKey> key =
                work.draft()
                        .get(Tables.PLACES, command.inode())
                        .map(at -> new EntryKey(at.parent(), at.name()));
        Entry.File old =
                key.flatMap(at -> file(work, at))
                        .filter(Entry.File::isUnsettled)
                        .filter(file -> file.dataId() == command.dataId())
                        .orElseThrow(() ->
                                Work.refuse(
                                        new FsError.NotFound(
                                                "inode %d is not unsettled: it was settled, replaced or removed"
                                                        .formatted(command.inode()))));
        if (command.sizeBytes() < 0) {
            throw Work.refuse(new FsError.InvalidArgument("negative size " + command.sizeBytes()));
        }
        Entry.File file =
                old.withContent(
                        work.nextId(),
                        command.sizeBytes(),
                        DomainCodec.nanos(command.modified()),
                        work.now(),
                        List.of(),
                        old.locations());
        EntryKey at = key.orElseThrow();
        work.charge(
                Work.rows(Work.chain(work.draft(), at.parent()), old.owner(), old.group()),
                Charge.used(command.sizeBytes() - old.sizeBytes(), 0));
        work.draft().put(Tables.ENTRIES, at, file);
        work.draft().delete(Tables.UNSETTLED, command.inode());
        return new Reply.Committed(Work.status(work.draft(), work.subject(), file));
    }

    private static Charge settle(Lease lease, Charge used) {
        return used.plus(Charge.reserved(-lease.reservedBytes(), -lease.reservedFiles()));
    }

    private static List<Location> location(Lease lease) {
        return List.of(new Location(lease.volumeId(), lease.dataId()));
    }

    private static long modified(LeaseCommand.Commit command, long now) {
        return command.modified().map(DomainCodec::nanos).orElse(now);
    }
}
