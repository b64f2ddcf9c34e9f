package org.cepheus.namespace.rules;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.command.Mutation;
import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Rows.Place;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.namespace.rows.Tables;
import org.cepheus.quota.Charge;

/** Rename: moves a name, never bytes. What a quota node no longer holds it no longer counts. */
final class RenameRules {
    /** The most quota rows that one rename of a quota node changes. */
    private static final int MAX_RECHARGED_ROWS = 20_000;

    private RenameRules() {}

    static void rename(Work work, Mutation.Rename command) {
        if (command.path().isRoot() || command.target().isRoot()) {
            throw Work.refuse(
                    new FsError.InvalidArgument("the root cannot be renamed or replaced"));
        }
        Walk from = Walk.to(work.draft(), work.subject(), command.path());
        Entry entry = from.existing();
        if (command.path().equals(command.target())) {
            return;
        }
        if (command.target().isAtOrBelow(command.path())) {
            throw Work.refuse(
                    new FsError.InvalidArgument(
                            "%s cannot be moved into itself: %s"
                                    .formatted(command.path(), command.target())));
        }
        Walk to = Walk.to(work.draft(), work.subject(), command.target());
        work.requireMayChange(to.parent(), command.target(), "rename to");
        switch (entry) {
            case Entry.File file -> renameFile(work, from, file, to, command.replace());
            case Entry.DirectoryLink link -> renameDirectory(work, from, link, to);
            case Entry.Symlink _ ->
                    throw Work.refuse(new FsError.Unsupported("renaming a symbolic link"));
        }
    }

    private static void renameFile(
            Work work, Walk from, Entry.File file, Walk to, boolean replace) {
        work.requireMayRemove(from.parent(), file.owner(), from.path(), "rename");
        UploadRules.requireIdle(work, from.parent().id(), from.name(), file, from.path().value());
        var bill = new Bill();
        int replaced = to.entry().isPresent() ? replaceTarget(work, to, replace, bill) : 0;
        moveFileCharge(work, from.parent(), to.parent(), file, bill);
        work.charge(bill);
        work.draft().delete(Tables.ENTRIES, from.key());
        work.draft().put(Tables.ENTRIES, to.key(), file);
        work.draft().put(Tables.PLACES, file.inode(), new Place(to.parent().id(), to.name()));
        countEntries(work, from.parent().id(), -1, 0);
        countEntries(work, to.parent().id(), 1 - replaced, 0);
    }

    private static int replaceTarget(Work work, Walk to, boolean replace, Bill bill) {
        Entry.File target = to.existingFile();
        if (!replace) {
            throw Work.refuse(new FsError.AlreadyExists(to.path() + " exists already"));
        }
        work.requireMayRemove(to.parent(), target.owner(), to.path(), "replace");
        UploadRules.requireIdle(work, to.parent().id(), to.name(), target, to.path().value());
        FileRules.unlink(work, to, target, "replaced by a rename", bill);
        return 1;
    }

    private static void moveFileCharge(
            Work work, Directory from, Directory to, Entry.File file, Bill bill) {
        Charge use = Charge.used(file.sizeBytes(), 1);
        Chains chains = Chains.of(work, from.id(), to.id());
        bill.add(Work.rows(chains.left(), file.owner(), file.group()), use.negated());
        bill.add(Work.rows(chains.entered(), file.owner(), file.group()), use);
    }

    private static void renameDirectory(Work work, Walk from, Entry.DirectoryLink link, Walk to) {
        Directory dir = Walk.directory(work.draft(), link.id());
        work.requireMayRemove(from.parent(), dir.owner(), from.path(), "rename");
        requireFree(to);
        Directory moving = Depth.requireFits(work, dir, from.path(), to.path());
        recharge(work, dir, from, to);
        work.draft().delete(Tables.ENTRIES, from.key());
        work.draft().put(Tables.ENTRIES, to.key(), link);
        work.draft().put(Tables.PLACES, dir.id(), new Place(to.parent().id(), to.name()));
        work.putDirectory(moving.withParent(to.parent().id(), work.now()));
        countEntries(work, from.parent().id(), 0, -1);
        countEntries(work, to.parent().id(), 0, 1);
        Depth.raise(work, to.parent().id(), moving.levels() + 1);
    }

    private static void requireFree(Walk to) {
        Optional<Entry> entry = to.entry();
        if (entry.isPresent()) {
            throw Work.refuse(
                    new FsError.AlreadyExists(
                            "%s exists already: a directory replaces nothing"
                                    .formatted(to.path())));
        }
    }

    private static void countEntries(Work work, long directory, long files, long directories) {
        work.putDirectory(
                Walk.directory(work.draft(), directory)
                        .withEntries(files, directories, work.now()));
    }

    private static void recharge(Work work, Directory dir, Walk from, Walk to) {
        Chains chains = Chains.of(work, from.parent().id(), to.parent().id());
        if (chains.left().isEmpty() && chains.entered().isEmpty()) {
            return;
        }
        if (dir.isQuotaNode() && !dir.isCounting()) {
            rechargeNode(work, dir, from.path(), chains);
            return;
        }
        Subtree tree = count(work, dir, from.path());
        tree.uses()
                .forEach((owners, use) -> {
                    work.charge(
                            Work.rows(chains.left(), owners.owner(), owners.group()),
                            use.negated());
                    work.charge(Work.rows(chains.entered(), owners.owner(), owners.group()), use);
                });
    }

    // What lies below a quota node is known, however much it is.
    private static void rechargeNode(Work work, Directory dir, FsPath path, Chains chains) {
        List<QuotaKey> keys = QuotaNodeRules.keys(work, dir.id());
        if ((long) keys.size() * chains.size() > MAX_RECHARGED_ROWS) {
            throw Work.refuse(
                    new FsError.CrossDevice(
                            "%s has files of more than %d users and groups and would change its quota node: move it in parts"
                                    .formatted(path, MAX_RECHARGED_ROWS / chains.size())));
        }
        for (QuotaKey key : keys) {
            Charge use = Work.row(work.draft(), key).use();
            if (!use.isNone()) {
                work.charge(chains.left(key), use.negated());
                work.charge(chains.entered(key), use);
            }
        }
    }

    private static Subtree count(Work work, Directory dir, FsPath path) {
        int most = work.bounds().rechargedAtOnce();
        return Subtree.count(work.draft(), dir.id(), most)
                .orElseThrow(() ->
                        Work.refuse(
                                new FsError.CrossDevice(
                                        "%s has more than %d entries and would change its quota node: %s"
                                                .formatted(
                                                        path,
                                                        most,
                                                        dir.isCounting()
                                                                ? "it is being counted, try again when that is done"
                                                                : "copy it, move it in parts, or have a quota set on it, of any size, and move it then"))));
    }

    /** The quota nodes that stop and that start to count what moves. */
    private record Chains(List<Long> left, List<Long> entered) {
        int size() {
            return left.size() + entered.size();
        }

        List<QuotaKey> left(QuotaKey of) {
            return like(left, of);
        }

        List<QuotaKey> entered(QuotaKey of) {
            return like(entered, of);
        }

        private static List<QuotaKey> like(List<Long> nodes, QuotaKey of) {
            return nodes.stream()
                    .map(node -> new QuotaKey(node, of.kind(), of.principal()))
                    .toList();
        }

        static Chains of(Work work, long from, long to) {
            List<Long> before = Work.chain(work.draft(), from);
            List<Long> after = Work.chain(work.draft(), to);
            var common = new HashSet<>(before);
            common.retainAll(after);
            return new Chains(
                    before.stream().filter(node -> !common.contains(node)).toList(),
                    after.stream().filter(node -> !common.contains(node)).toList());
        }
    }
}
