package org.cepheus.namespace.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Identity;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.QuotaCommand;
import org.cepheus.domain.command.Reply;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.namespace.Namespace.DivergenceException;
import org.cepheus.namespace.Snapshot;

/**
 * Three replicas, one Raft log that is faked, and everything that may go wrong around them, all
 * from one seed. The log has a committed prefix, and a tail of the present leader that may be lost.
 */
public final class Simulation {
    private static final int REPLICAS = 3;
    private static final int MAX_ITEMS = 6;
    private static final int TRACE = 50;

    private static final State EMPTY = State.of(new MemoryReplica("nobody"));

    private final long seed;
    private final int checkEvery;
    private final Random random;
    private final Workload workload;
    private final Oracle oracle = new Oracle();
    private final Journal journal = new Journal();
    private final List<Replica> replicas = new ArrayList<>();
    private final List<Slot> committed = new ArrayList<>();
    private final Deque<LogEntry> tail = new ArrayDeque<>();
    private final List<List<Reply>> replies = new ArrayList<>();
    private final Map<Long, Long> hashes = new HashMap<>();
    private final Deque<Object> trace = new ArrayDeque<>();
    private final Map<String, Integer> outcomes = new TreeMap<>();
    private long purged = -1;
    private long term = 1;
    private long wall = 1_700_000_000_000_000_000L;
    private long leaseClock;
    private long leaseApplied;
    private long judged = -1;
    private long commands;
    private long refused;
    private long traceHash;

    /** What a run came to; equal for equal seeds. */
    public record Result(
            long chainHash, long traceHash, long commands, long refused, long entries) {}

    /**
     * @param checkEvery all invariants are checked at each so-many-th entry
     */
    Simulation(long seed, int checkEvery) {
        this(seed, checkEvery, false);
    }

    /** The same, with trees as deep as paths go when wanted. */
    Simulation(long seed, int checkEvery, boolean deep) {
        this(seed, checkEvery, deep, number -> new MemoryReplica("replica " + number));
    }

    /**
     * The same over members of another kind.
     *
     * @param members makes the one of that number; they stay the caller's to close
     */
    public Simulation(long seed, int checkEvery, IntFunction<? extends Replica> members) {
        this(seed, checkEvery, false, members);
    }

    private Simulation(
            long seed, int checkEvery, boolean deep, IntFunction<? extends Replica> members) {
        this.seed = seed;
        this.checkEvery = checkEvery;
        this.random = new Random(seed);
        this.workload = new Workload(random, deep);
        for (int i = 0; i < REPLICAS; i++) {
            replicas.add(members.apply(i));
        }
    }

    /** Runs until so many commands were applied. */
    public Result run(long wantedCommands) {
        try {
            while (commands < wantedCommands) {
                step();
            }
            replicas.forEach(this::catchUp);
            requireEqualRows();
        } catch (RuntimeException | AssertionError failure) {
            throw new AssertionError(story(failure), failure);
        }
        return new Result(
                replicas.getFirst().chainCheck().hash(),
                traceHash,
                commands,
                refused,
                committed.size());
    }

    private String story(Throwable failure) {
        var text = new StringBuilder("seed " + seed + " (./dev sim " + seed + "): " + failure);
        text.append("\nthe last ").append(trace.size()).append(" steps:\n");
        trace.forEach(step -> text.append("  ").append(step).append('\n'));
        return text.toString();
    }

    private void tell(Object step) {
        trace.addLast(step);
        if (trace.size() > TRACE) {
            trace.removeFirst();
        }
    }

    private void step() {
        int dice = random.nextInt(1000);
        Replica replica = replicas.get(random.nextInt(REPLICAS));
        if (dice < 15) {
            proposeCounts(replica);
        } else if (dice < 200) {
            propose();
        } else if (dice < 430) {
            commit();
        } else if (dice < 950) {
            deliver(replica, 1 + random.nextInt(4));
        } else if (dice < 960) {
            tell(replica + " flushes at " + replica.applied());
            replica.flush();
        } else if (dice < 970) {
            tell(replica + " crashes at " + replica.applied() + ", back to " + replica.persisted());
            replica.crash(underWay(replica));
        } else if (dice < 980) {
            stepDown();
        } else if (dice < 990) {
            deliverTwice(replica);
        } else if (dice < 995) {
            deliverWithAGap(replica);
        } else {
            purge(replica);
        }
    }

    // The next slot that the replica lacks: it may be committed, and may never be.
    private Optional<Slot> underWay(Replica replica) {
        long next = replica.logged() + 1;
        if (next < committed.size()) {
            return Optional.of(committed.get((int) next));
        }
        return Optional.ofNullable(tail.peekFirst())
                .map(entry -> new Slot(next, term, Optional.of(new Slot.Encoded(entry.encode()))));
    }

    private void propose() {
        var items = new ArrayList<LogEntry.Item>();
        for (int i = 1 + random.nextInt(MAX_ITEMS); i > 0; i--) {
            items.add(workload.next());
        }
        propose(items);
    }

    // The replica believes to lead; it may be behind, and be no leader any more.
    private void proposeCounts(Replica replica) {
        try (Snapshot snapshot = replica.snapshot()) {
            List<LogEntry.Item> items = workload.counts(snapshot);
            for (int from = 0; from < items.size(); ) {
                int to = Math.min(items.size(), from + 1 + random.nextInt(MAX_ITEMS));
                propose(items.subList(from, to));
                from = to;
            }
        }
    }

    private void propose(List<LogEntry.Item> items) {
        advanceClocks();
        tail.addLast(
                new LogEntry(
                        Replica.CLUSTER,
                        new LogEntry.BatchId(term, committed.size() + tail.size()),
                        wall,
                        leaseClock,
                        LogEntry.FEATURE_LEVEL,
                        check(),
                        items));
    }

    // Clocks of leaders differ: sometimes one is behind the last.
    private void advanceClocks() {
        wall += random.nextInt(1_000_000_000) - (random.nextInt(20) == 0 ? 3_000_000_000L : 0);
        leaseClock += random.nextInt(3) * 1_000_000_000L;
        if (random.nextInt(150) == 0) {
            leaseClock += 400_000_000_000L;
        }
        if (random.nextInt(60) == 0) {
            leaseClock -= 50_000_000_000L;
        }
    }

    private Optional<LogEntry.ChainCheck> check() {
        return random.nextInt(4) == 0
                ? Optional.of(replicas.get(random.nextInt(REPLICAS)).chainCheck())
                : Optional.empty();
    }

    private void commit() {
        if (!tail.isEmpty()) {
            LogEntry entry = tail.removeFirst();
            append(Optional.of(new Slot.Encoded(entry.encode())));
        }
    }

    private void append(Optional<Slot.Encoded> entry) {
        committed.add(new Slot(committed.size(), term, entry));
    }

    // The tail is torn: a part may have been committed by a majority, the rest is lost. The clients
    // know neither and repeat themselves.
    private void stepDown() {
        for (int kept = random.nextInt(tail.size() + 1); kept > 0; kept--) {
            tail.element().items().stream()
                    .filter(_ -> random.nextBoolean())
                    .forEach(workload::repeatLater);
            commit();
        }
        tail.forEach(entry -> entry.items().forEach(workload::repeatLater));
        tell("step-down in term " + term + ", " + tail.size() + " entries lost");
        tail.clear();
        term++;
        append(Optional.empty());
    }

    private void catchUp(Replica replica) {
        while (replica.applied() < committed.size() - 1) {
            deliver(replica, 100);
        }
    }

    private void deliver(Replica replica, int max) {
        if (replica.logged() < purged && !install(replica)) {
            return;
        }
        for (int i = 0; i < max && replica.applied() < committed.size() - 1; i++) {
            deliver(replica, committed.get((int) replica.applied() + 1));
        }
    }

    private void deliver(Replica replica, Slot slot) {
        boolean first = slot.index() > judged;
        boolean checked = first && slot.entry().isPresent() && slot.index() % checkEvery == 0;
        boolean looks = checked || (first && collects(slot));
        State before = looks ? State.of(replica) : EMPTY;
        List<Reply> answers = replica.deliver(slot);
        if (first) {
            judged = slot.index();
            replies.add(answers);
            slot.entry().ifPresent(entry -> judge(replica, entry.decode(), answers, before));
            if (checked) {
                checkAll(replica, slot, answers, before);
            }
        } else {
            Step.require(
                    answers.equals(replies.get((int) slot.index())),
                    "%s answers %s at %d, another answered %s",
                    replica,
                    answers,
                    slot.index(),
                    replies.get((int) slot.index()));
        }
        agree(replica);
    }

    private static boolean collects(Slot slot) {
        return slot.entry().stream()
                .flatMap(entry -> entry.decode().items().stream())
                .anyMatch(item -> item.command() instanceof FleetCommand.CollectGarbage);
    }

    private void judge(Replica replica, LogEntry entry, List<Reply> answers, State before) {
        leaseApplied = Math.max(leaseApplied, entry.leaseNanos());
        journal.add(entry.items(), answers);
        for (int i = 0; i < answers.size(); i++) {
            LogEntry.Item item = entry.items().get(i);
            Reply reply = answers.get(i);
            tell(new Answered(judged, item, reply));
            if (item.command() instanceof FleetCommand.CollectGarbage c) {
                journal.collect(c, before.garbage().keySet());
            }
            commands++;
            count(item, reply);
            refused += reply instanceof Reply.Refused ? 1 : 0;
            traceHash = traceHash * 31 + stableHash(reply);
            Optional<String> complaint = oracle.judge(item, reply, leaseApplied);
            if (complaint.isPresent()) {
                throw new AssertionError(complaint.get());
            }
            if (random.nextInt(20) == 0) {
                workload.repeatLater(item);
            }
            workload.learn(item, reply);
        }
        if (entry.items().getLast().command() instanceof QuotaCommand) {
            oracle.stillCounting(counting(replica));
        }
    }

    private static Set<FsPath> counting(Replica replica) {
        return replica.queries().counts().stream()
                .flatMap(each -> replica.queries().nodePath(each.node()).stream())
                .collect(Collectors.toSet());
    }

    /** One line of the trace, put into words only when somebody reads it. */
    private record Answered(long index, LogEntry.Item item, Reply reply) {
        @Override
        public String toString() {
            return "%d %s %s -> %s"
                    .formatted(index, item.caller().identity().user(), item.command(), reply);
        }
    }

    private static int stableHash(Reply reply) {
        return reply instanceof Reply.Refused(FsError error)
                ? error.message().hashCode()
                : reply.toString().hashCode();
    }

    private void count(LogEntry.Item item, Reply reply) {
        String answer =
                reply instanceof Reply.Refused(FsError error)
                        ? error.getClass().getSimpleName()
                        : "accepted";
        outcomes.merge(item.command().getClass().getSimpleName() + " " + answer, 1, Integer::sum);
    }

    /** How often each kind of command was accepted, or refused for what. */
    public Map<String, Integer> outcomes() {
        return outcomes;
    }

    private void checkAll(Replica replica, Slot slot, List<Reply> answers, State before) {
        State after = State.of(replica);
        journal.inodes(after.places().keySet());
        workload.garbage(after.garbage().keySet());
        workload.unsettled(after.unsettled());
        var items = slot.entry().map(Slot.Encoded::decode).map(LogEntry::items).orElse(List.of());
        var step = new Step(replica, before, after, items, answers, journal, oracle);
        Invariant.all().forEach(invariant -> invariant.check(step));
        Map<String, String> seen = new TreeMap<>();
        list(replica, FsPath.ROOT, seen);
        Step.require(
                seen.equals(oracle.model().visible()),
                "visible is %s, should be %s",
                seen,
                oracle.model().visible());
    }

    private void list(Replica replica, FsPath dir, Map<String, String> seen) {
        String after = "";
        while (true) {
            DirectoryPage page = replica.queries().list(Identity.SYSTEM, dir, after, 2);
            for (DirectoryPage.Entry entry : page.entries()) {
                FsPath path = dir.child(entry.name());
                Step.require(
                        seen.put(path.value(), show(entry)) == null, "%s is listed twice", path);
                if (entry.status().isDirectory()) {
                    list(replica, path, seen);
                }
            }
            if (page.next().isEmpty()) {
                return;
            }
            after = page.next().get();
        }
    }

    private static String show(DirectoryPage.Entry entry) {
        var s = entry.status();
        return s.isDirectory()
                ? "dir %s:%s %o".formatted(s.owner(), s.group(), s.mode())
                : "file %s:%s %o %d v%d%s"
                        .formatted(
                                s.owner(),
                                s.group(),
                                s.mode(),
                                s.sizeBytes(),
                                s.contentVersion(),
                                s.underUpdate() ? " updating" : "");
    }

    // ReplicasAgree: the same hash at the same index, whoever comes first.
    private void agree(Replica replica) {
        long index = replica.applied();
        long hash = replica.chainCheck().hash();
        Long known = hashes.putIfAbsent(index, hash);
        Step.require(
                known == null || known == hash,
                "%s has the chain hash %016x at %d, another has %016x",
                replica,
                hash,
                index,
                known);
    }

    private void requireEqualRows() {
        State first = State.of(replicas.getFirst());
        for (Replica replica : replicas) {
            Step.require(State.of(replica).equals(first), "%s has other rows", replica);
        }
    }

    private void deliverTwice(Replica replica) {
        if (replica.applied() < 0) {
            return;
        }
        int index = random.nextInt((int) replica.applied() + 1);
        tell(replica + " at " + replica.applied() + " gets " + index + " again");
        refuses(replica, committed.get(index));
    }

    private void deliverWithAGap(Replica replica) {
        int index = (int) replica.applied() + 2;
        if (index < committed.size()) {
            tell(replica + " at " + replica.applied() + " gets " + index);
            refuses(replica, committed.get(index));
        }
    }

    private static void refuses(Replica replica, Slot slot) {
        var before = replica.head();
        try {
            replica.deliver(slot);
        } catch (DivergenceException expected) {
            Step.require(replica.head().equals(before), "a refusal moved the head");
            return;
        }
        throw new AssertionError("%s took %d after %s".formatted(replica, slot.index(), before));
    }

    // The log up to a snapshot goes; whoever is behind needs the snapshot.
    private void purge(Replica replica) {
        purged = Math.max(purged, replica.persisted());
        replica.purge();
        tell("the log is purged up to " + purged);
    }

    // False if that was cut short, and the replica still needs it.
    private boolean install(Replica behind) {
        for (Replica donor : replicas) {
            if (donor.applied() >= purged) {
                tell(behind + " at " + behind.applied() + " installs " + donor.applied());
                behind.install(donor);
                agree(behind);
                Step.require(
                        behind.applied() != donor.applied()
                                || State.of(behind).equals(State.of(donor)),
                        "%s has other rows than it took over",
                        behind);
                return behind.logged() >= purged;
            }
        }
        // All crashed back: with real Raft the one with the snapshot would not have purged.
        purged = -1;
        return true;
    }
}
