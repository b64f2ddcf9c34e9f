package org.cepheus.namespace.rules;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.cepheus.namespace.View;
import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rows.Tables;
import org.cepheus.quota.Charge;

/** What a directory and all below it use and reserve, by owner and group. */
public record Subtree(Map<Owners, Charge> uses, long entries) {
    /** Whom a file or an upload is charged to. */
    public record Owners(int owner, int group) {}

    /** Counts the subtree; absent when it has more entries and uploads than the limit. */
    public static Optional<Subtree> count(View view, long directory, int maxEntries) {
        var uses = new LinkedHashMap<Owners, Charge>();
        var open = new ArrayDeque<Long>();
        long[] entries = {0};
        open.add(directory);
        while (!open.isEmpty() && entries[0] <= maxEntries) {
            byte[] prefix = Tables.longKey(open.remove());
            view.scan(
                    Tables.ENTRIES,
                    prefix,
                    Tables.after(prefix),
                    (_, entry) -> {
                        switch (entry) {
                            case Entry.DirectoryLink link -> open.add(link.id());
                            case Entry.File f ->
                                    uses.merge(
                                            new Owners(f.owner(), f.group()),
                                            Charge.used(f.sizeBytes(), 1),
                                            Charge::plus);
                            case Entry.Symlink _ -> {}
                        }
                        return ++entries[0] <= maxEntries;
                    });
            view.scan(
                    Tables.LEASES,
                    prefix,
                    Tables.after(prefix),
                    (_, lease) -> {
                        uses.merge(
                                new Owners(lease.owner(), lease.group()),
                                Charge.reserved(lease.reservedBytes(), lease.reservedFiles()),
                                Charge::plus);
                        return ++entries[0] <= maxEntries;
                    });
        }
        return entries[0] > maxEntries
                ? Optional.empty()
                : Optional.of(new Subtree(uses, entries[0]));
    }
}
