package org.cepheus.namespace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.command.Command;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.OperatorCommand;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.rows.Rows.Directory;
import org.cepheus.namespace.rows.Rows.Head;
import org.cepheus.namespace.rows.Rows.PrincipalId;
import org.cepheus.namespace.rows.Rows.PrincipalName;
import org.cepheus.namespace.rows.Tables;
import org.cepheus.namespace.rules.Bounds;
import org.cepheus.namespace.rules.OperatorRules;
import org.cepheus.namespace.rules.Rules;
import org.cepheus.namespace.rules.Walk;
import org.cepheus.namespace.rules.Work;
import org.cepheus.namespace.store.Change;
import org.cepheus.namespace.store.Family;
import org.cepheus.namespace.store.Store;

/**
 * The replicated namespace over a store: applies log entries in their order, each as one batch, and
 * answers queries. One thread calls {@link #apply} and {@link #note}; any thread queries.
 *
 * <p>Replicas that applied the same entries have the same rows and the same chain hash. Any
 * exception out of {@code apply} means that this replica must stop before it answers anybody.
 */
public final class Namespace {
    /** The applied index of an empty namespace: a Raft log may begin at 0. */
    public static final long NOTHING_APPLIED = -1;

    private static final int FIRST_FREE_ID = 16;
    private static final int ROOT_MODE = 01777;
    private static final int ROOT_USER = 2;
    private static final int ROOT_GROUP = 3;
    private static final int REMEMBERED_HASHES = 8192;

    private final LiveView live;
    private final Bounds bounds;
    private final Queries queries;
    private final long[] hashIndexes = new long[REMEMBERED_HASHES];
    private final long[] hashes = new long[REMEMBERED_HASHES];
    private volatile Head head;

    private Namespace(LiveView live, Head head, Bounds bounds) {
        this.live = live;
        this.bounds = bounds;
        this.head = head;
        this.queries = new Queries(live);
        Arrays.fill(hashIndexes, Long.MIN_VALUE); // No entry has that index.
        remember(head);
    }

    /** Two replicas disagree, or the log is not the one this state was made from. */
    public static final class DivergenceException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        DivergenceException(String message) {
            super(message);
        }
    }

    /**
     * Opens the namespace in a store; an empty store becomes an empty namespace of that cluster.
     *
     * @throws DivergenceException if the store belongs to another cluster
     */
    public static Namespace open(Store store, UUID cluster) {
        return open(store, cluster, Bounds.STANDARD);
    }

    /** The same with other bounds, which all members of the cluster must have. */
    public static Namespace open(Store store, UUID cluster, Bounds bounds) {
        var live = new LiveView(store);
        Optional<Head> head = live.get(Tables.HEADS, Tables.HEAD);
        if (head.isEmpty()) {
            Draft genesis = genesis(live, cluster);
            live.write(genesis, genesis.changes());
        }
        Head now = Work.head(live);
        if (!now.cluster().equals(cluster)) {
            throw new DivergenceException(
                    "the store belongs to cluster %s, this is cluster %s"
                            .formatted(now.cluster(), cluster));
        }
        return new Namespace(live, now, bounds);
    }

    private static Draft genesis(View below, UUID cluster) {
        var draft = new Draft(below);
        draft.put(
                Tables.HEADS,
                Tables.HEAD,
                new Head(
                        cluster,
                        Head.SCHEMA,
                        0,
                        0,
                        NOTHING_APPLIED,
                        FIRST_FREE_ID,
                        FIRST_FREE_ID,
                        1,
                        0,
                        0,
                        cluster.getLeastSignificantBits()));
        principal(draft, QuotaKind.USER, ROOT_USER, "root");
        principal(draft, QuotaKind.GROUP, ROOT_GROUP, "root");
        draft.put(
                Tables.DIRECTORIES,
                Walk.ROOT,
                new Directory(
                        Walk.ROOT,
                        Walk.ROOT,
                        ROOT_MODE,
                        ROOT_USER,
                        ROOT_GROUP,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        Directory.NODE,
                        "",
                        0));
        return draft;
    }

    private static void principal(Draft draft, QuotaKind kind, int id, String name) {
        draft.put(Tables.PRINCIPAL_IDS, new PrincipalName(kind, name), new PrincipalId(kind, id));
        draft.put(Tables.PRINCIPAL_NAMES, new PrincipalId(kind, id), new PrincipalName(kind, name));
    }

    /**
     * Applies one entry, which must be the next after {@link #appliedIndex}. Its changes are
     * written as one batch and visible on return; the replies are those of its commands, in their
     * order.
     *
     * @throws DivergenceException for any other index, another cluster's entry, or a chain hash
     *     that is not ours; nothing has changed
     */
    public List<Reply> apply(long term, long index, LogEntry entry) {
        return apply(term, index, entry, _ -> {});
    }

    /**
     * The same.
     *
     * @param aborted is told of every upload that a command of the entry ended, before the changes
     *     are visible
     */
    public List<Reply> apply(
            long term, long index, LogEntry entry, Consumer<AbortedUpload> aborted) {
        requireNext(index);
        requireSame(entry);
        var draft = new Draft(live);
        draft.put(Tables.HEADS, Tables.HEAD, stamped(entry));
        var replies = new ArrayList<Reply>(entry.items().size());
        for (LogEntry.Item item : entry.items()) {
            replies.add(
                    item.command() instanceof OperatorCommand.Once once
                            ? decideOnce(draft, item.caller(), once, aborted)
                            : decide(draft, item.caller(), item.command(), aborted));
        }
        finish(draft, term, index);
        return replies;
    }

    // Time never goes back, whatever a leader's clocks say.
    private Head stamped(LogEntry entry) {
        return head.withClocks(
                Math.max(head.wallNanos(), entry.wallNanos()),
                Math.max(head.leaseNanos(), entry.leaseNanos()));
    }

    private Reply decide(
            Draft draft, Caller caller, Command command, Consumer<AbortedUpload> aborted) {
        draft.begin();
        try {
            var work = new Work(draft, caller, bounds);
            Reply reply = Rules.decide(work, command);
            work.aborted().forEach(aborted);
            return reply;
        } catch (FsException refused) {
            draft.takeBack();
            return new Reply.Refused(refused.error());
        }
    }

    // What the command changed is taken back if it is refused; that it was is remembered.
    private Reply decideOnce(
            Draft draft,
            Caller caller,
            OperatorCommand.Once once,
            Consumer<AbortedUpload> aborted) {
        try {
            Optional<Reply> known =
                    OperatorRules.known(draft, once.key()).map(OperatorRules::reply);
            if (known.isPresent()) {
                return known.get();
            }
        } catch (FsException refused) {
            return new Reply.Refused(refused.error());
        }
        Reply reply = decide(draft, caller, once.command(), aborted);
        draft.begin();
        OperatorRules.remember(
                draft,
                once.key(),
                reply instanceof Reply.Refused(FsError error)
                        ? Optional.of(error)
                        : Optional.empty());
        return reply;
    }

    /**
     * Remembers an index that carries no commands (a configuration); written with the next batch.
     */
    public void note(long term, long index) {
        requireNext(index);
        head = head.withIndex(term, index, head.chainHash());
        remember(head);
    }

    private void requireNext(long index) {
        if (index != head.index() + 1) {
            throw new DivergenceException(
                    "index %d cannot be applied: the last is %d".formatted(index, head.index()));
        }
    }

    private void requireSame(LogEntry entry) {
        if (!entry.cluster().equals(head.cluster())) {
            throw new DivergenceException(
                    "an entry of cluster %s in cluster %s"
                            .formatted(entry.cluster(), head.cluster()));
        }
        entry.check().ifPresent(this::requireSameHash);
    }

    // The index before the first entry is -1.
    private static int slot(long index) {
        return Math.floorMod(index, REMEMBERED_HASHES);
    }

    private void requireSameHash(LogEntry.ChainCheck check) {
        int slot = slot(check.index());
        if (hashIndexes[slot] == check.index() && hashes[slot] != check.hash()) {
            throw new DivergenceException(
                    "after index %d the chain hash is %016x here and %016x at the leader"
                            .formatted(check.index(), hashes[slot], check.hash()));
        }
    }

    private void finish(Draft draft, long term, long index) {
        Head h = Work.head(draft);
        List<Change> rows = draft.changes();
        // The head is not in the hash: replicas may have noted configurations at other moments.
        rows.removeIf(change -> change.family() == Family.META);
        long hash = chain(h.chainHash(), rows);
        Head next = h.withIndex(term, index, hash);
        draft.put(Tables.HEADS, Tables.HEAD, next);
        byte[] headKey = Tables.HEADS.keyBytes(Tables.HEAD);
        rows.add(Change.put(Family.META, headKey, Tables.HEADS.valueBytes(next)));
        live.write(draft, rows);
        head = next;
        remember(next);
    }

    private void remember(Head now) {
        int slot = slot(now.index());
        hashIndexes[slot] = now.index();
        hashes[slot] = now.chainHash();
    }

    private static long chain(long before, List<Change> changes) {
        var crc = new CRC32C();
        long bytes = 0;
        for (Change change : changes) {
            byte[] value = change.value();
            crc.update(change.family().word().hashCode());
            crc.update(change.key());
            if (value != null) {
                crc.update(value);
            }
            bytes += change.key().length + (value == null ? 0 : value.length + 1L);
        }
        long mixed = (before ^ crc.getValue() ^ bytes << 32) * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> 29;
    }

    /** The last index applied or noted; {@link #NOTHING_APPLIED} at first. */
    public long appliedIndex() {
        return head.index();
    }

    /** The term of that index. */
    public long appliedTerm() {
        return head.term();
    }

    /** The index and term that a crash now would fall back to: what a snapshot may claim. */
    public Optional<Head> persistedHead() {
        return live.persistedHead();
    }

    /** The chain hash after the last applied entry: for the leader to put into a later one. */
    public LogEntry.ChainCheck chainCheck() {
        Head h = head;
        return new LogEntry.ChainCheck(h.index(), h.chainHash());
    }

    /** The state's clocks and counters as of the last applied entry. */
    public Head head() {
        return head;
    }

    public Queries queries() {
        return queries;
    }

    /** All rows as of now, to be read for long; must be closed. */
    public Snapshot snapshot() {
        return live.snapshot();
    }
}
