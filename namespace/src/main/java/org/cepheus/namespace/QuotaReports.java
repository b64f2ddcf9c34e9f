package org.cepheus.namespace;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.codec.DomainCodec;
import org.cepheus.domain.port.QuotaReport;
import org.cepheus.domain.port.QuotaReport.NodeState;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.namespace.rows.Tables;
import org.cepheus.namespace.rules.Subject;
import org.cepheus.namespace.rules.Walk;
import org.cepheus.namespace.rules.Work;
import org.cepheus.quota.QuotaRow;

/** Puts quota rows into the words of the port: names instead of numbers, limits as they count. */
final class QuotaReports {
    private QuotaReports() {}

    /** What counts for the subject in a directory, from the root's node down. */
    static List<QuotaReport> at(View view, Subject subject, long directory) {
        int group = subject.groups().getFirst();
        var reports = new ArrayList<QuotaReport>();
        for (long id : Work.chain(view, directory).reversed()) {
            Directory node = Walk.directory(view, id);
            for (QuotaKey key : Work.rows(List.of(id), subject.user(), group)) {
                QuotaRow row = Work.limited(view, node, key, Work.row(view, key));
                if (key.kind() == QuotaKind.PROJECT || !row.isEmpty()) {
                    reports.add(report(view, node, key, row, name(subject, key.kind())));
                }
            }
        }
        return reports;
    }

    // Who has never owned anything has no number yet, and has the node's default all the same.
    private static String name(Subject subject, QuotaKind kind) {
        return switch (kind) {
            case PROJECT -> "";
            case USER -> subject.identity().user();
            case GROUP -> subject.identity().primaryGroup();
        };
    }

    static List<QuotaReport> all(View view) {
        var reports = new ArrayList<QuotaReport>();
        view.scan(
                Tables.QUOTAS,
                Tables.longKey(0),
                Tables.longKey(-1),
                (bytes, row) -> {
                    QuotaKey key = Tables.quotaKey(bytes);
                    Directory node = Walk.directory(view, key.node());
                    QuotaRow limited =
                            key.principal() == 0 ? row : Work.limited(view, node, key, row);
                    return reports.add(report(view, node, key, limited, principal(view, key)));
                });
        reports.sort(
                Comparator.comparing((QuotaReport r) -> r.node().value())
                        .thenComparing(QuotaReport::kind)
                        .thenComparing(QuotaReport::principal));
        return reports;
    }

    /** Empty for the project and for defaults. */
    static String principal(View view, QuotaKey key) {
        return key.principal() == 0 ? "" : Work.name(view, key.kind(), key.principal());
    }

    private static QuotaReport report(
            View view, Directory node, QuotaKey key, QuotaRow row, String principal) {
        FsPath path = Work.pathOf(view, node.id());
        QuotaRow own = Work.row(view, key);
        // What a node that is being counted has noted is no use of anybody yet.
        QuotaRow shown = node.isCounting() ? QuotaRow.EMPTY : row;
        return new QuotaReport(
                path,
                key.kind(),
                principal,
                limit(row.limits().bytes()),
                limit(row.limits().files()),
                shown.usedBytes(),
                shown.usedFiles(),
                shown.reservedBytes(),
                shown.reservedFiles(),
                limit(row.limits().softBytes()),
                limit(row.limits().softFiles()),
                !own.limits().equals(row.limits()),
                state(view, node));
    }

    private static NodeState state(View view, Directory node) {
        if (!node.isCounting()) {
            return new NodeState.Active();
        }
        Instant since =
                view.get(Tables.COUNTS, node.id())
                        .map(count -> DomainCodec.instant(count.sinceNanos()))
                        .orElse(Instant.EPOCH);
        return new NodeState.Counting(since, 0, entries(view));
    }

    /** The files that all names lead to, and the directories: there is no more to walk over. */
    static long entries(View view) {
        return Work.head(view).directories()
                + Work.row(view, new QuotaKey(Walk.ROOT, QuotaKind.PROJECT, 0)).usedFiles();
    }

    private static OptionalLong limit(long value) {
        return value < 0 ? OptionalLong.empty() : OptionalLong.of(value);
    }
}
