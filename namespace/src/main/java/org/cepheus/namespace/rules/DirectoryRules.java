package org.cepheus.namespace.rules;

import java.util.Optional;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.command.Mutation;
import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Rows.EntryKey;
import org.cepheus.namespace.rows.Rows.Lease;
import org.cepheus.namespace.rows.Rows.Place;
import org.cepheus.namespace.rows.Tables;

/** Making and removing directories. */
final class DirectoryRules {
    private static final int SET_GROUP_ID = 02000;
    private static final int MODE_BITS = 07777;
    private static final int OWNER_WRITES_AND_SEARCHES = 0300;

    private DirectoryRules() {}

    static void make(Work work, Mutation.MakeDirectory command) {
        if (command.parents()) {
            ensure(work, command.path(), command.mode());
            return;
        }
        Walk walk = Walk.to(work.draft(), work.subject(), command.path());
        if (walk.entry().isPresent()) {
            throw Work.refuse(new FsError.AlreadyExists(command.path() + " exists already"));
        }
        create(work, walk, command.mode());
    }

    /**
     * Makes whatever is missing of the path; the last directory of it. Whatever the mode, its maker
     * gets through those on the way (POSIX mkdir -p).
     */
    static Directory ensure(Work work, FsPath path, int mode) {
        Directory at = Walk.directory(work.draft(), Walk.ROOT);
        FsPath reached = FsPath.ROOT;
        for (String name : path.components()) {
            reached = reached.child(name);
            Optional<Entry> entry = work.draft().get(Tables.ENTRIES, new EntryKey(at.id(), name));
            if (entry.isEmpty()) {
                boolean last = reached.equals(path);
                int itsMode = last ? mode : mode | OWNER_WRITES_AND_SEARCHES;
                at = create(work, new Walk(reached, at, name, entry), itsMode);
            } else {
                at = Walk.to(work.draft(), work.subject(), reached).existingDirectory(work.draft());
            }
        }
        return at;
    }

    private static Directory create(Work work, Walk walk, int mode) {
        Directory parent = walk.parent();
        work.requireMayChange(parent, walk.path(), "make directory");
        boolean inherits = (parent.mode() & SET_GROUP_ID) != 0;
        int group = inherits ? parent.group() : work.callerGroup();
        int owner = work.callerUser();
        long id = work.nextId();
        long now = work.now();
        var made =
                new Directory(
                        id,
                        parent.id(),
                        mode & MODE_BITS | (inherits ? SET_GROUP_ID : 0),
                        owner,
                        group,
                        0,
                        now,
                        now,
                        now,
                        0,
                        0,
                        0,
                        parent.policy(),
                        0);
        work.putDirectory(made);
        work.draft().put(Tables.ENTRIES, walk.key(), new Entry.DirectoryLink(id));
        work.draft().put(Tables.PLACES, id, new Place(parent.id(), walk.name()));
        work.putDirectory(parent.withEntries(0, 1, now));
        Depth.raise(work, parent.id(), 1);
        work.countDirectories(1);
        return made;
    }

    static void remove(Work work, Mutation.RemoveDirectory command) {
        FsPath path = command.path();
        if (path.isRoot()) {
            throw Work.refuse(new FsError.InvalidArgument("the root cannot be removed"));
        }
        Walk walk = Walk.to(work.draft(), work.subject(), path);
        Directory dir = walk.existingDirectory(work.draft());
        work.requireMayRemove(walk.parent(), dir.owner(), path, "remove");
        if (dir.files() > 0 || dir.directories() > 0) {
            throw Work.refuse(
                    new FsError.NotEmpty(
                            "%s is not empty: %d files, %d directories"
                                    .formatted(path, dir.files(), dir.directories())));
        }
        firstLease(work, dir.id())
                .ifPresent(lease -> {
                    throw Work.refuse(
                            new FsError.NotEmpty(
                                    "%s is not empty: %s is being uploaded by %s from %s"
                                            .formatted(
                                                    path,
                                                    lease.ref().name(),
                                                    lease.caller().identity().user(),
                                                    lease.caller().address())));
                });
        if (dir.isQuotaNode()) {
            QuotaNodeRules.forget(work, dir.id());
        }
        if (hasAttributes(work, dir.id())) {
            AttributeRules.deleteAll(work, dir.id());
        }
        work.draft().delete(Tables.ENTRIES, walk.key());
        work.draft().delete(Tables.PLACES, dir.id());
        work.draft().delete(Tables.DIRECTORIES, dir.id());
        work.putDirectory(walk.parent().withEntries(0, -1, work.now()));
        work.countDirectories(-1);
    }

    private static boolean hasAttributes(Work work, long inode) {
        boolean[] found = {false};
        byte[] prefix = Tables.longKey(inode);
        work.draft()
                .scan(
                        Tables.ATTRIBUTES,
                        prefix,
                        Tables.after(prefix),
                        (_, _) -> {
                            found[0] = true;
                            return false;
                        });
        return found[0];
    }

    private static Optional<Lease> firstLease(Work work, long directory) {
        var found = new java.util.ArrayList<Lease>(1);
        byte[] prefix = Tables.longKey(directory);
        work.draft()
                .scan(
                        Tables.LEASES,
                        prefix,
                        Tables.after(prefix),
                        (_, lease) -> {
                            found.add(lease);
                            return false;
                        });
        return found.stream().findFirst();
    }
}
