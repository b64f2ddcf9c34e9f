package org.cepheus.namespace.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.QuotaLimits;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.QuotaChange;
import org.cepheus.domain.command.QuotaCommand;
import org.cepheus.namespace.rows.Rows.Count;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.namespace.rows.Tables;
import org.cepheus.quota.Charge;
import org.cepheus.quota.QuotaRow;

/**
 * Setting and removing limits. A directory becomes a quota node with its first limit.
 *
 * <p>Where little lies below, it is counted on the spot. Else the node begins to note changes at
 * once, while the leader adds up what was there: the sum of a snapshot less what the rows had noted
 * in that same snapshot. That difference is the same for every snapshot, so it does not matter when
 * it is taken, by which leader, or how often ({@link #addCounted}).
 */
final class QuotaNodeRules {
    private QuotaNodeRules() {}

    static void set(Work work, Mutation.SetQuota command) {
        requireSuperuser(work, "set the quota of " + command.path());
        requireLimits(command.limits());
        boolean project = command.kind() == QuotaKind.PROJECT;
        if (project != command.principal().isEmpty()) {
            throw Work.refuse(
                    new FsError.InvalidArgument(
                            project
                                    ? "a project quota has no principal"
                                    : "a %s quota needs a name".formatted(command.kind().word())));
        }
        Directory dir = node(work, command.path());
        int principal = project ? 0 : work.principal(command.kind(), command.principal());
        var key = new QuotaKey(dir.id(), command.kind(), principal);
        change(work, key, command.limits());
    }

    static void setDefault(Work work, Mutation.SetDefaultQuota command) {
        requireSuperuser(work, "set the default quota of " + command.path());
        requireLimits(command.limits());
        if (command.kind() == QuotaKind.PROJECT) {
            throw Work.refuse(
                    new FsError.InvalidArgument(
                            "defaults are for users or groups: a project has one limit"));
        }
        Directory dir = node(work, command.path());
        change(work, new QuotaKey(dir.id(), command.kind(), 0), command.limits());
        boolean any =
                hasDefaults(work, dir, QuotaKind.USER) || hasDefaults(work, dir, QuotaKind.GROUP);
        int rest = dir.quota() & ~Directory.DEFAULTS;
        work.putDirectory(dir.withQuota(any ? rest | Directory.DEFAULTS : rest));
    }

    private static boolean hasDefaults(Work work, Directory dir, QuotaKind kind) {
        return work.draft().get(Tables.QUOTAS, new QuotaKey(dir.id(), kind, 0)).isPresent();
    }

    private static void change(Work work, QuotaKey key, QuotaChange limits) {
        QuotaRow row = Work.row(work.draft(), key);
        work.putRow(key, row.withLimits(row.limits().with(limits)));
    }

    private static void requireLimits(QuotaChange limits) {
        limits.all()
                .filter(limit -> limit.orElse(0) < QuotaLimits.INHERITED)
                .findFirst()
                .ifPresent(limit -> {
                    throw Work.refuse(
                            new FsError.InvalidArgument(
                                    "a limit must be 0 or more, -1 for none, or -2 for the default, is %d"
                                            .formatted(limit.getAsLong())));
                });
    }

    private static void requireSuperuser(Work work, String what) {
        if (!work.subject().isSuperuser()) {
            throw work.denied(what + ": quotas are the operator's");
        }
    }

    private static Directory directory(Work work, FsPath path) {
        return Walk.to(work.draft(), work.subject(), path).existingDirectory(work.draft());
    }

    // The directory as a quota node, which it may only become now.
    private static Directory node(Work work, FsPath path) {
        Directory dir = directory(work, path);
        if (dir.isQuotaNode()) {
            return dir;
        }
        Optional<Subtree> tree =
                Subtree.count(work.draft(), dir.id(), work.bounds().countedAtOnce());
        Directory node = dir.withQuota(Directory.NODE | (tree.isEmpty() ? Directory.COUNTING : 0));
        work.putDirectory(node);
        if (tree.isPresent()) {
            takeOver(work, node, tree.get());
        } else {
            work.draft().put(Tables.COUNTS, dir.id(), new Count(work.nextId(), work.now(), 0));
        }
        return node;
    }

    private static void takeOver(Work work, Directory node, Subtree tree) {
        tree.uses()
                .forEach((owners, use) -> {
                    for (QuotaKey key :
                            Work.rows(List.of(node.id()), owners.owner(), owners.group())) {
                        work.putRow(key, Work.row(work.draft(), key).plus(use));
                    }
                });
    }

    /**
     * Takes a part of what lay below a node when it was set, and with the last part activates it.
     */
    static void addCounted(Work work, QuotaCommand.AddCounted command) {
        requireSuperuser(work, "count a quota node");
        Count count =
                work.draft()
                        .get(Tables.COUNTS, command.node())
                        .filter(found -> found.countId() == command.countId())
                        .orElseThrow(() ->
                                Work.refuse(
                                        new FsError.NotFound(
                                                "count %d of directory %d is over or was given up"
                                                        .formatted(
                                                                command.countId(),
                                                                command.node()))));
        if (command.rowsBefore() < count.addedRows()) {
            return;
        }
        if (command.rowsBefore() > count.addedRows()) {
            throw Work.refuse(
                    new FsError.InvalidArgument(
                            "rows from %d of count %d come before those from %d"
                                    .formatted(
                                            command.rowsBefore(),
                                            command.countId(),
                                            count.addedRows())));
        }
        for (QuotaCommand.Found found : command.rows()) {
            var key = new QuotaKey(command.node(), found.kind(), found.principal());
            work.putRow(key, Work.row(work.draft(), key).noted(charge(found)));
        }
        if (command.last()) {
            activate(work, Walk.directory(work.draft(), command.node()));
        } else {
            work.draft().put(Tables.COUNTS, command.node(), count.plus(command.rows().size()));
        }
    }

    private static Charge charge(QuotaCommand.Found found) {
        return new Charge(
                found.usedBytes(), found.usedFiles(), found.reservedBytes(), found.reservedFiles());
    }

    private static void activate(Work work, Directory node) {
        for (QuotaKey key : keys(work, node.id())) {
            QuotaRow row = Work.row(work.draft(), key);
            if (!row.isSound()) {
                throw Work.refuse(
                        new FsError.Internal(
                                "the count of %s is wrong: %s would be %s"
                                        .formatted(
                                                Work.pathOf(work.draft(), node.id()), key, row)));
            }
        }
        work.draft().delete(Tables.COUNTS, node.id());
        work.putDirectory(node.withQuota(node.quota() & ~Directory.COUNTING));
    }

    static void remove(Work work, Mutation.RemoveQuota command) {
        requireSuperuser(work, "remove the quota of " + command.path());
        Directory dir = directory(work, command.path());
        if (!dir.isQuotaNode()) {
            throw Work.refuse(new FsError.NotFound(command.path() + " has no quota"));
        }
        if (dir.id() == Walk.ROOT) {
            // The root goes on counting the whole namespace, without limits.
            for (QuotaKey key : keys(work, dir.id())) {
                QuotaRow row = Work.row(work.draft(), key);
                work.putRow(key, row.withLimits(QuotaLimits.NONE));
            }
            work.putDirectory(dir.withQuota(Directory.NODE));
            return;
        }
        forget(work, dir.id());
        work.putDirectory(dir.withQuota(0));
    }

    /** Every row of the node goes, and its count if one is under way. */
    static void forget(Work work, long node) {
        keys(work, node).forEach(key -> work.draft().delete(Tables.QUOTAS, key));
        if (work.draft().get(Tables.COUNTS, node).isPresent()) {
            work.draft().delete(Tables.COUNTS, node);
        }
    }

    /** All rows of a node. */
    static List<QuotaKey> keys(Work work, long node) {
        var keys = new ArrayList<QuotaKey>();
        byte[] prefix = Tables.longKey(node);
        work.draft()
                .scan(
                        Tables.QUOTAS,
                        prefix,
                        Tables.after(prefix),
                        (key, _) -> keys.add(Tables.quotaKey(key)));
        return keys;
    }
}
