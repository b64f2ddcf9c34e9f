package org.cepheus.namespace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Rows.Lease;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.namespace.rows.Tables;
import org.cepheus.namespace.rules.Walk;
import org.cepheus.namespace.rules.Work;
import org.cepheus.quota.Charge;
import org.cepheus.quota.QuotaRow;

/**
 * Adds up what files and uploads use under quota nodes, some entries at a time, over rows that do
 * not change: a snapshot, or a state at rest. It knows nothing of the counters. On the heap are the
 * directories from the root to where it is, and a sum for each row that counts something.
 */
public final class Recount {
    /** In the order of the keys on disk. */
    static final Comparator<QuotaKey> ORDER =
            Comparator.comparingLong(QuotaKey::node)
                    .thenComparingInt(key -> key.kind().code())
                    .thenComparingInt(QuotaKey::principal);

    private final View rows;
    private final boolean everyNode;
    private final Deque<Level> open = new ArrayDeque<>();
    private final Map<QuotaKey, Charge> sums = new HashMap<>();
    private final List<Long> nodes = new ArrayList<>();
    private final List<Long> counting = new ArrayList<>();
    private final long top;
    private boolean leasesDone;
    private long seen;

    /** A directory on the way, which nodes count it, and where to read on in it. */
    private static final class Level {
        final List<Long> chain;
        final byte[] end;
        byte[] from;
        Run run = Run.NOTHING;

        Level(long directory, List<Long> chain) {
            this.chain = chain;
            this.from = Tables.longKey(directory);
            this.end = Tables.after(from);
        }
    }

    /** Files of one owner and group, one after the other in a directory. */
    private record Run(int owner, int group, Charge use) {
        static final Run NOTHING = new Run(0, 0, Charge.NONE);

        Run plus(Entry.File file) {
            return new Run(owner, group, use.plus(Charge.used(file.sizeBytes(), 1)));
        }

        boolean isOf(Entry.File file) {
            return owner == file.owner() && group == file.group();
        }
    }

    private Recount(View rows, long top, boolean everyNode) {
        this.rows = rows;
        this.top = top;
        this.everyNode = everyNode;
        open(top, List.of());
    }

    /** What lies below one node, for this node alone. */
    public static Recount ofNode(View rows, long node) {
        return new Recount(rows, node, false);
    }

    /** Every node that is not being counted just now. */
    public static Recount ofAll(View rows) {
        return new Recount(rows, Walk.ROOT, true);
    }

    private void open(long directory, List<Long> above) {
        Directory dir = Walk.directory(rows, directory);
        seen++;
        open.push(new Level(directory, chain(dir, above)));
    }

    private List<Long> chain(Directory dir, List<Long> above) {
        if (!counts(dir)) {
            return above;
        }
        nodes.add(dir.id());
        var chain = new ArrayList<Long>(above.size() + 1);
        chain.addAll(above);
        chain.add(dir.id());
        return chain;
    }

    private boolean counts(Directory dir) {
        if (!everyNode) {
            return dir.id() == top;
        }
        if (dir.isCounting()) {
            counting.add(dir.id());
        }
        return dir.isQuotaNode() && !dir.isCounting();
    }

    /**
     * Looks at some more entries.
     *
     * @return true when everything was looked at: {@link #sums} is complete
     */
    public boolean step(int maxEntries) {
        long until = seen + maxEntries;
        while (!open.isEmpty() && seen < until) {
            readOn(open.element(), until);
        }
        if (open.isEmpty() && !leasesDone) {
            addLeases();
            leasesDone = true;
        }
        return leasesDone;
    }

    private void readOn(Level level, long until) {
        long[] child = {0};
        boolean[] more = {false};
        rows.scan(
                Tables.ENTRIES,
                level.from,
                level.end,
                (key, entry) -> {
                    if (seen >= until) {
                        level.from = key;
                        more[0] = true;
                        return false;
                    }
                    switch (entry) {
                        case Entry.File file -> add(level, file);
                        case Entry.Symlink _ -> seen++;
                        case Entry.DirectoryLink link -> {
                            child[0] = link.id();
                            level.from = Arrays.copyOf(key, key.length + 1);
                            return false;
                        }
                    }
                    return true;
                });
        if (child[0] != 0) {
            open(child[0], level.chain);
        } else if (!more[0]) {
            flush(level);
            open.pop();
        }
    }

    private void add(Level level, Entry.File file) {
        seen++;
        if (!level.run.isOf(file)) {
            flush(level);
            level.run = new Run(file.owner(), file.group(), Charge.NONE);
        }
        level.run = level.run.plus(file);
    }

    private void flush(Level level) {
        if (!level.run.use().isNone()) {
            add(level.chain, level.run.owner(), level.run.group(), level.run.use());
        }
        level.run = Run.NOTHING;
    }

    private void add(List<Long> chain, int owner, int group, Charge use) {
        Work.rows(chain, owner, group).forEach(key -> sums.merge(key, use, Charge::plus));
    }

    // They are few, while asking each directory for its own would be a search for each.
    private void addLeases() {
        rows.scan(
                Tables.LEASES,
                Tables.longKey(0),
                Tables.longKey(-1),
                (_, lease) -> {
                    add(chain(lease), lease.owner(), lease.group(), reserved(lease));
                    return true;
                });
    }

    private static Charge reserved(Lease lease) {
        return Charge.reserved(lease.reservedBytes(), lease.reservedFiles());
    }

    private List<Long> chain(Lease lease) {
        var chain = new ArrayList<Long>();
        for (long id = lease.ref().parent(); ; ) {
            Directory dir = Walk.directory(rows, id);
            if (everyNode ? dir.isQuotaNode() && !dir.isCounting() : id == top) {
                chain.add(id);
            }
            if (id == Walk.ROOT) {
                return chain;
            }
            id = dir.parent();
        }
    }

    /** Files, directories and links looked at so far. */
    public long seen() {
        return seen;
    }

    /** The nodes that were recounted. */
    public List<Long> nodes() {
        return List.copyOf(nodes);
    }

    /** The nodes that were left out, because they are being counted. */
    public List<Long> counting() {
        return List.copyOf(counting);
    }

    /** What each row should say; rows of nothing are left out. In the order of the keys. */
    public SequencedMap<QuotaKey, Charge> sums() {
        var sorted = new TreeMap<QuotaKey, Charge>(ORDER);
        sums.forEach((key, sum) -> {
            if (!sum.isNone()) {
                sorted.put(key, sum);
            }
        });
        return sorted;
    }

    /**
     * What is missing in the rows of the node: the sums less what the rows have noted. While the
     * node is being counted, it is the same in every snapshot, but for what has been brought since.
     */
    public SequencedMap<QuotaKey, Charge> missing() {
        var missing = new TreeMap<QuotaKey, Charge>(ORDER);
        missing.putAll(sums);
        byte[] prefix = Tables.longKey(top);
        rows.scan(
                Tables.QUOTAS,
                prefix,
                Tables.after(prefix),
                (key, row) -> {
                    missing.merge(Tables.quotaKey(key), row.use().negated(), Charge::plus);
                    return true;
                });
        missing.values().removeIf(Charge::isNone);
        return missing;
    }

    /** A row that does not say what there is. */
    public record Difference(QuotaKey key, Charge counter, Charge sum) {}

    /** Compares the counters with the sums. */
    public Comparison compare() {
        var sorted = sums();
        var differences = new ArrayList<Difference>();
        var left = new LinkedHashMap<>(sorted);
        long[] compared = {0};
        rows.scan(
                Tables.QUOTAS,
                Tables.longKey(0),
                Tables.longKey(-1),
                (bytes, row) -> {
                    QuotaKey key = Tables.quotaKey(bytes);
                    if (!counting.contains(key.node())) {
                        compared[0]++;
                        compare(key, row, left, differences);
                    }
                    return true;
                });
        left.forEach((key, sum) -> differences.add(new Difference(key, Charge.NONE, sum)));
        return new Comparison(compared[0] + left.size(), differences);
    }

    private static void compare(
            QuotaKey key, QuotaRow row, Map<QuotaKey, Charge> left, List<Difference> differences) {
        Charge sum = left.remove(key);
        Charge found = sum == null ? Charge.NONE : sum;
        if (!row.use().equals(found)) {
            differences.add(new Difference(key, row.use(), found));
        }
    }

    /** How many rows were compared, and which of them differ. */
    public record Comparison(long rows, List<Difference> differences) {
        public Comparison {
            differences = List.copyOf(differences);
        }
    }
}
