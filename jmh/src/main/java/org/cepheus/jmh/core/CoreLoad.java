package org.cepheus.jmh.core;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.cepheus.domain.command.Command;
import org.cepheus.domain.command.Reply;
import org.cepheus.jmh.Workload;
import org.cepheus.mgm.raft.RaftMember;
import org.cepheus.mgm.store.RocksStore;
import org.cepheus.namespace.Namespace;

/**
 * Creates per second of the core in process, on a real disk: aggregator, Raft log with its fsync,
 * rules, RocksDB. A line of JSON per figure. The first argument is a directory to work in; a second
 * picks one figure.
 */
public final class CoreLoad {
    private static final int DIRECTORIES = 64;
    private static final int THOUSANDS = 4096;
    private static final int SOME = 64;
    private static final double WARMUP_SECONDS = 6;
    private static final double SECONDS = 5;
    private static final int ROUNDS = 3;

    private final Path root;
    private final String wanted;

    private CoreLoad(Path root, String wanted) {
        this.root = root;
        this.wanted = wanted;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path root = Files.createDirectories(Path.of(args[0]));
        var load = new CoreLoad(root, args.length > 1 ? args[1] : "");
        load.rules();
        load.member("directories", 4, true, THOUSANDS, "makeDirectory, 4096 outstanding", 100);
        load.member("files", 4, false, THOUSANDS, "files (open + commit), 4096 outstanding", 0);
        for (int entries : List.of(1, 2, 4)) {
            String what = "files, 64 outstanding, %d entries under way".formatted(entries);
            load.member("under-way-" + entries, entries, false, SOME, what, 0);
        }
        System.exit(0); // Ratis leaves threads behind.
    }

    private boolean isWanted(String figure) {
        return wanted.isEmpty() || wanted.equals(figure);
    }

    private Path directory(String figure) throws IOException {
        return Files.createDirectories(root.resolve(figure));
    }

    /** Decide and apply alone, one thread, entries of 256 commands on RocksDB. */
    private void rules() throws IOException {
        if (!isWanted("rules")) {
            return;
        }
        try (var store = new RocksStore(directory("rules"), 64 << 20)) {
            Namespace namespace = Namespace.open(store, Workload.CLUSTER);
            var batches = new RulesLoad(namespace);
            batches.runFor(WARMUP_SECONDS);
            long cpuBefore = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            long start = System.nanoTime();
            long files = batches.runFor(SECONDS);
            double seconds = (System.nanoTime() - start) / 1e9;
            long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuBefore;
            print("rules + RocksDB, no log: files", files / seconds / 1000, cpu / 1e3 / files, 0);
        }
    }

    private void member(
            String figure, int entries, boolean directories, int outstanding, String what, int must)
            throws IOException, InterruptedException {
        if (!isWanted(figure)) {
            return;
        }
        try (var member = CoreMember.start(directory(figure), entries)) {
            measure(member.raft(), directories, outstanding, what, must);
        }
    }

    private static void measure(
            RaftMember member, boolean directories, int outstanding, String what, int must)
            throws InterruptedException {
        makeParents(member);
        var driver =
                new MemberLoad(
                        member.aggregator(),
                        number -> {
                            var path = Workload.file(DIRECTORIES, number);
                            return directories ? Workload.makeDirectory(path) : Workload.open(path);
                        });
        driver.begin(outstanding);
        driver.runFor(WARMUP_SECONDS);
        var rates = new ArrayList<Double>();
        var cpus = new ArrayList<Double>();
        var batches = new ArrayList<Double>();
        for (int round = 0; round < ROUNDS; round++) {
            long cpu = processCpuNanos();
            long start = System.nanoTime();
            long index = member.lastApplied().index();
            long done = driver.runFor(SECONDS);
            batches.add((double) done / (member.lastApplied().index() - index));
            rates.add(done * 1e6 / (System.nanoTime() - start));
            cpus.add((processCpuNanos() - cpu) / 1e3 / done);
        }
        driver.end();
        rates.sort(null);
        cpus.sort(null);
        batches.sort(null);
        print(
                what + ", %.0f an entry".formatted(batches.get(ROUNDS / 2)),
                rates.get(ROUNDS / 2),
                cpus.get(ROUNDS / 2),
                must);
    }

    private static void makeParents(RaftMember member) throws InterruptedException {
        var parents =
                new MemberLoad(
                        member.aggregator(),
                        number -> Workload.makeDirectory(Workload.directory((int) number)),
                        0,
                        DIRECTORIES);
        parents.begin(1);
        parents.runFor(WARMUP_SECONDS);
    }

    private static long processCpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }

    private static void print(String what, double thousands, double cpuMicros, int must) {
        System.out.println(
                String.format(
                        Locale.ROOT,
                        "{\"what\": \"%s\", \"rate\": %.3f, \"unit\": \"k/s\", \"must\": %d,"
                                + " \"note\": \"%.1f us CPU each, driver included\"}",
                        what,
                        thousands,
                        must,
                        cpuMicros));
    }

    /** Applies entries of opens and then of their commits. */
    private static final class RulesLoad {
        private static final int BATCH = 256;

        private final Namespace namespace;
        private long index = Namespace.NOTHING_APPLIED;
        private long made;

        RulesLoad(Namespace namespace) {
            this.namespace = namespace;
            var directories = new ArrayList<Command>();
            for (int i = 0; i < DIRECTORIES; i++) {
                directories.add(Workload.makeDirectory(Workload.directory(i)));
            }
            apply(directories);
        }

        long runFor(double seconds) {
            long before = made;
            long end = System.nanoTime() + (long) (seconds * 1e9);
            while (System.nanoTime() < end) {
                batch();
            }
            return made - before;
        }

        private void batch() {
            var opens = new ArrayList<Command>(BATCH);
            for (int i = 0; i < BATCH; i++) {
                opens.add(Workload.open(Workload.file(DIRECTORIES, made++)));
            }
            var commits = new ArrayList<Command>(BATCH);
            apply(opens).forEach(reply -> commits.add(Workload.commit(Workload.lease(reply))));
            apply(commits);
        }

        private List<Reply> apply(List<Command> commands) {
            index++;
            return namespace.apply(1, index, Workload.entry(index, commands));
        }
    }
}
