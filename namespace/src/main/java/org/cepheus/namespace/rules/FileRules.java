package org.cepheus.namespace.rules;

import java.util.List;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.codec.DomainCodec;
import org.cepheus.domain.command.Mutation;
import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Rows.Lease;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.namespace.rows.Tables;
import org.cepheus.quota.Charge;

/** Removing files, and changing mode, owner and times of files and directories. */
final class FileRules {
    private static final int MODE_BITS = 07777;

    private FileRules() {}

    /** Also aborts every upload under that name, so that no late commit brings it back. */
    static void remove(Work work, Mutation.RemoveFile command) {
        FsPath path = command.path();
        Walk walk = Walk.to(work.draft(), work.subject(), path);
        if (walk.entry().isEmpty() && !path.isRoot()) {
            int aborted = removeUploads(work, walk);
            if (aborted > 0) {
                return;
            }
        }
        Entry.File file = walk.existingFile();
        work.requireMayRemove(walk.parent(), file.owner(), path, "remove");
        UploadRules.abortAll(work, walk.parent().id(), walk.name(), "the name was removed");
        var bill = new Bill();
        unlink(work, walk, file, "removed", bill);
        work.charge(bill);
        work.putDirectory(
                Walk.directory(work.draft(), walk.parent().id()).withEntries(-1, 0, work.now()));
    }

    // A name that only uploads claim: whoever could remove the files they will be may end them.
    private static int removeUploads(Work work, Walk walk) {
        if (!work.subject().mayChange(walk.parent())) {
            return 0;
        }
        for (Lease lease : UploadRules.leases(work, walk.parent().id(), walk.name())) {
            work.requireMayRemove(walk.parent(), lease.owner(), walk.path(), "end the upload of");
        }
        return UploadRules.abortAll(work, walk.parent().id(), walk.name(), "the name was removed");
    }

    /**
     * Takes the file out of the namespace and gives back its quota on the bill, which is the
     * caller's to charge, as is the directory.
     */
    static void unlink(Work work, Walk walk, Entry.File file, String reason, Bill bill) {
        List<Long> chain = Work.chain(work.draft(), walk.parent().id());
        bill.add(Work.rows(chain, file.owner(), file.group()), Charge.used(-file.sizeBytes(), -1));
        work.discard(file, reason);
        work.draft().delete(Tables.ENTRIES, walk.key());
        work.draft().delete(Tables.PLACES, file.inode());
        if (file.hasAttributes()) {
            AttributeRules.deleteAll(work, file.inode());
        }
    }

    /** Refuses what its client meant for another content. */
    static void requireVersion(Work work, Mutation.IfVersion command) {
        FsPath path = command.path();
        Entry.File file = Walk.to(work.draft(), work.subject(), path).existingFile();
        if (file.version() != command.version()) {
            throw Work.refuse(
                    new FsError.AlreadyExists(
                            "%s has another content by now than the one that was named: nothing was changed; read it again"
                                    .formatted(path)));
        }
    }

    static void setMode(Work work, Mutation.SetMode command) {
        int mode = command.mode() & MODE_BITS;
        Walk walk = Walk.to(work.draft(), work.subject(), command.path());
        change(
                work,
                walk,
                new Access(mode, Access.AS_IT_IS, Access.AS_IT_IS),
                "change the mode of");
    }

    static void setOwner(Work work, Mutation.SetOwner command) {
        Walk walk = Walk.to(work.draft(), work.subject(), command.path());
        if (!work.subject().isSuperuser()) {
            boolean givesAway = command.owner().isPresent();
            boolean foreign =
                    command.group()
                            .filter(g -> !work.caller().identity().groups().contains(g))
                            .isPresent();
            if (givesAway || foreign) {
                throw work.denied(
                        "change the owner of %s: only a superuser gives files away, or to a group the owner is not in"
                                .formatted(command.path()));
            }
        }
        int owner =
                command.owner()
                        .map(name -> work.principal(QuotaKind.USER, name))
                        .orElse(Access.AS_IT_IS);
        int group =
                command.group()
                        .map(name -> work.principal(QuotaKind.GROUP, name))
                        .orElse(Access.AS_IT_IS);
        change(work, walk, new Access(Access.AS_IT_IS, owner, group), "change the owner of");
    }

    /** What to set; {@link #AS_IT_IS} leaves a part alone. */
    private record Access(int mode, int owner, int group) {
        static final int AS_IT_IS = -1;

        int mode(int old) {
            return mode == AS_IT_IS ? old : mode;
        }

        int owner(int old) {
            return owner == AS_IT_IS ? old : owner;
        }

        int group(int old) {
            return group == AS_IT_IS ? old : group;
        }
    }

    private static void change(Work work, Walk walk, Access to, String verb) {
        switch (walk.existing()) {
            case Entry.DirectoryLink link -> {
                Directory dir = Walk.directory(work.draft(), link.id());
                requireOwner(work, dir.owner(), walk.path(), verb);
                work.putDirectory(
                        dir.withAccess(
                                to.mode(dir.mode()),
                                to.owner(dir.owner()),
                                to.group(dir.group()),
                                work.now()));
            }
            case Entry.File file -> {
                requireOwner(work, file.owner(), walk.path(), verb);
                Entry.File changed =
                        file.withAccess(
                                to.mode(file.mode()),
                                to.owner(file.owner()),
                                to.group(file.group()),
                                work.now());
                moveCharge(work, walk.parent(), file, changed);
                work.draft().put(Tables.ENTRIES, walk.key(), changed);
            }
            case Entry.Symlink _ -> throw Work.refuse(new FsError.Unsupported("symbolic link"));
        }
    }

    private static void requireOwner(Work work, int owner, FsPath path, String verb) {
        if (!work.subject().owns(owner)) {
            throw work.denied(
                    "%s %s: it belongs to %s"
                            .formatted(verb, path, Work.name(work.draft(), QuotaKind.USER, owner)));
        }
    }

    // The user's and the group's rows move with the owner; the project's stay.
    private static void moveCharge(
            Work work, Directory parent, Entry.File before, Entry.File after) {
        if (before.owner() == after.owner() && before.group() == after.group()) {
            return;
        }
        Charge use = Charge.used(before.sizeBytes(), 1);
        for (long node : Work.chain(work.draft(), parent.id())) {
            if (before.owner() != after.owner()) {
                work.charge(
                        List.of(new QuotaKey(node, QuotaKind.USER, before.owner())), use.negated());
                work.charge(List.of(new QuotaKey(node, QuotaKind.USER, after.owner())), use);
            }
            if (before.group() != after.group()) {
                work.charge(
                        List.of(new QuotaKey(node, QuotaKind.GROUP, before.group())),
                        use.negated());
                work.charge(List.of(new QuotaKey(node, QuotaKind.GROUP, after.group())), use);
            }
        }
    }

    static void setModified(Work work, Mutation.SetModified command) {
        Walk walk = Walk.to(work.draft(), work.subject(), command.path());
        long nanos = DomainCodec.nanos(command.modified());
        switch (walk.existing()) {
            case Entry.DirectoryLink link -> {
                Directory dir = Walk.directory(work.draft(), link.id());
                requireOwner(work, dir.owner(), walk.path(), "change the time of");
                work.putDirectory(dir.withModified(nanos, work.now()));
            }
            case Entry.File file -> {
                if (!work.subject().mayWrite(file.mode(), file.owner(), file.group())) {
                    requireOwner(work, file.owner(), walk.path(), "change the time of");
                }
                work.draft().put(Tables.ENTRIES, walk.key(), file.withModified(nanos, work.now()));
            }
            case Entry.Symlink _ -> throw Work.refuse(new FsError.Unsupported("symbolic link"));
        }
    }
}
