package org.cepheus.namespace.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.command.Mutation;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.namespace.rows.Tables;
import org.cepheus.quota.QuotaRow;

/** Setting and removing limits. A directory becomes a quota node with its first limit. */
final class QuotaNodeRules {
    /** The most entries counted within one log entry when a node is set over existing content. */
    static final int MAX_COUNTED = 100_000;

    private QuotaNodeRules() {}

    static void set(Work work, Mutation.SetQuota command) {
        requireSuperuser(work, "set the quota of " + command.path());
        requireLimit(command.limits().bytes(), "bytes");
        requireLimit(command.limits().files(), "files");
        boolean project = command.kind() == QuotaKind.PROJECT;
        if (project != command.principal().isEmpty()) {
            throw Work.refuse(
                    new FsError.InvalidArgument(
                            project
                                    ? "a project quota has no principal"
                                    : "a %s quota needs a name".formatted(command.kind().word())));
        }
        Directory dir = directory(work, command.path());
        if (!dir.quotaNode()) {
            makeNode(work, dir, command.path());
        }
        int principal = project ? 0 : work.principal(command.kind(), command.principal());
        var key = new QuotaKey(dir.id(), command.kind(), principal);
        QuotaRow row = Work.row(work.draft(), key);
        work.putRow(
                key,
                row.withLimits(
                        command.limits().bytes().orElse(row.limitBytes()),
                        command.limits().files().orElse(row.limitFiles())));
    }

    private static void requireLimit(OptionalLong limit, String unit) {
        if (limit.orElse(0) < QuotaRow.UNLIMITED) {
            throw Work.refuse(
                    new FsError.InvalidArgument(
                            "limit of %s must be 0 or more, or -1 for none, is %d"
                                    .formatted(unit, limit.getAsLong())));
        }
    }

    private static void requireSuperuser(Work work, String what) {
        if (!work.subject().isSuperuser()) {
            throw work.denied(what + ": quotas are the operator's");
        }
    }

    private static Directory directory(Work work, FsPath path) {
        return Walk.to(work.draft(), work.subject(), path).existingDirectory(work.draft());
    }

    private static void makeNode(Work work, Directory dir, FsPath path) {
        Subtree tree =
                Subtree.count(work.draft(), dir.id(), MAX_COUNTED)
                        .orElseThrow(() ->
                                Work.refuse(
                                        new FsError.Unsupported(
                                                "%s has more than %d entries: set the quota on a smaller directory, or before it is filled"
                                                        .formatted(path, MAX_COUNTED))));
        work.putDirectory(dir.withQuotaNode(true));
        tree.uses()
                .forEach((owners, use) -> {
                    for (QuotaKey key :
                            Work.rows(List.of(dir.id()), owners.owner(), owners.group())) {
                        work.putRow(key, Work.row(work.draft(), key).plus(use));
                    }
                });
    }

    static void remove(Work work, Mutation.RemoveQuota command) {
        requireSuperuser(work, "remove the quota of " + command.path());
        Directory dir = directory(work, command.path());
        if (!dir.quotaNode()) {
            throw Work.refuse(new FsError.NotFound(command.path() + " has no quota"));
        }
        if (dir.id() == Walk.ROOT) {
            // The root goes on counting the whole namespace, without limits.
            for (QuotaKey key : keys(work, dir.id())) {
                QuotaRow row = Work.row(work.draft(), key);
                work.putRow(key, row.withLimits(QuotaRow.UNLIMITED, QuotaRow.UNLIMITED));
            }
            return;
        }
        deleteRows(work, dir.id());
        work.putDirectory(dir.withQuotaNode(false));
    }

    static void deleteRows(Work work, long node) {
        keys(work, node).forEach(key -> work.draft().delete(Tables.QUOTAS, key));
    }

    private static List<QuotaKey> keys(Work work, long node) {
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
