package org.cepheus.namespace;

import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import org.cepheus.domain.command.QuotaCommand;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.quota.Charge;

/** Puts what a count has found into the commands that bring it. */
public final class NodeCounts {
    private NodeCounts() {}

    /**
     * The commands, in order; at least one, for the last one activates the node.
     *
     * @param count as of the snapshot
     * @param missing what the rows of that snapshot lacked
     * @param rows how many one command brings at most
     */
    public static List<QuotaCommand.AddCounted> parts(
            Queries.NodeCount count, SequencedMap<QuotaKey, Charge> missing, int rows) {
        var found = missing.entrySet().stream().map(e -> found(e.getKey(), e.getValue())).toList();
        var parts = new ArrayList<QuotaCommand.AddCounted>();
        int from = 0;
        do {
            int to = Math.min(from + rows, found.size());
            parts.add(
                    new QuotaCommand.AddCounted(
                            count.node(),
                            count.count().countId(),
                            count.count().addedRows() + from,
                            found.subList(from, to),
                            to == found.size()));
            from = to;
        } while (from < found.size());
        return parts;
    }

    private static QuotaCommand.Found found(QuotaKey key, Charge sum) {
        return new QuotaCommand.Found(
                key.kind(),
                key.principal(),
                sum.usedBytes(),
                sum.usedFiles(),
                sum.reservedBytes(),
                sum.reservedFiles());
    }
}
