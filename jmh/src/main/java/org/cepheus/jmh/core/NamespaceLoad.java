package org.cepheus.jmh.core;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.cepheus.domain.FsPath;
import org.cepheus.jmh.Workload;
import org.cepheus.mgm.store.StoreHome;

/**
 * What a namespace of many files costs beside one of a thousand, in process, on a real disk. The
 * arguments: a directory to work in, how many files, and {@code fill} with the seconds it may take
 * (again until all files are there; it ends like a kill) or {@code measure}.
 */
public final class NamespaceLoad {
    private static final int ROUNDS = 5;
    private static final double SECONDS = 5;
    private static final double READ_SECONDS = 2;
    private static final int HOT_FILES = 1_000;
    private static final double NEAR = 0.9;
    private static final double MAX_BYTES_PER_FILE = 150;
    private static final double MAX_HEAP_MIB = 1024;
    private static final double MAX_RESTART_SECONDS = 30;

    private final Path root;
    private final Layout layout;

    private NamespaceLoad(Path root, Layout layout) {
        this.root = root;
        this.layout = layout;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        // Threads of Ratis would keep a process that has failed.
        Thread.setDefaultUncaughtExceptionHandler((_, failure) -> {
            failure.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        Path root = Files.createDirectories(Path.of(args[0]));
        var load = new NamespaceLoad(root, new Layout(Long.parseLong(args[1])));
        switch (args[2]) {
            case "fill" -> load.fill(Double.parseDouble(args[3]));
            case "measure" -> load.measure();
            default -> throw new IllegalArgumentException(args[2]);
        }
        // Ratis leaves threads behind, and what is not flushed has to come from the log.
        Runtime.getRuntime().halt(0);
    }

    private void fill(double seconds) throws IOException, InterruptedException {
        var rates = new ArrayList<String>();
        long start = System.nanoTime();
        long there =
                new FilledMember(root.resolve("many"), layout)
                        .fill(seconds, rate -> rates.add(String.format(Locale.ROOT, "%.0f", rate)));
        double took = (System.nanoTime() - start) / 1e9;
        print(
                Figure.seen("files made", there / 1e6, "million")
                        .noted("%.0f s, k/s: %s".formatted(took, String.join(" ", rates))));
        System.out.flush();
    }

    private void measure() throws IOException, InterruptedException {
        long start = System.nanoTime();
        var many = new FilledMember(root.resolve("many"), layout);
        if (!many.exists(layout.file(layout.files() - 1))) {
            throw new IllegalStateException("not filled yet");
        }
        double restart = (System.nanoTime() - start) / 1e9;
        print(Figure.atMost("restart, to the first stat", restart, "s", MAX_RESTART_SECONDS));
        many.settle();
        double bytes = (double) many.storeBytes() / layout.files();
        print(Figure.atMost("disk per file", bytes, "bytes", MAX_BYTES_PER_FILE));
        StoreHome.deleteTree(root.resolve("few"));
        var few = new FilledMember(root.resolve("few"), new Layout(HOT_FILES));
        few.fill(SECONDS, _ -> {});
        few.settle();
        reads(many, few);
        creates(many, few);
        snapshots(many);
        print(Figure.atMost("heap after all this", heapMib(), "MiB", MAX_HEAP_MIB));
    }

    private static void reads(FilledMember many, FilledMember few) {
        double[] stats = inTurns(() -> statRate(hot(many), many), () -> statRate(hot(few), few));
        print(Figure.atLeast("stat of 1,000 files, one thread", stats[0], NEAR, stats[1], "k/s"));
        double[] lists = inTurns(() -> listRate(many), () -> listRate(few));
        print(Figure.atLeast("list of 1,000 files, one thread", lists[0], NEAR, lists[1], "k/s"));
        List<FsPath> anywhere = anywhere(many);
        print(Figure.seen("stat of 1,000 files anywhere", statRate(anywhere, many), "k/s"));
        if (many.layout().inCrowd() > 0) {
            double[] crowd = inTurns(() -> crowdRate(many), () -> listRate(few));
            print(
                    Figure.atLeast("list of one large directory", crowd[0], NEAR, crowd[1], "k/s")
                            .noted("%d entries".formatted(many.layout().inCrowd())));
        }
    }

    private static List<FsPath> hot(FilledMember member) {
        Layout layout = member.layout();
        long first = layout.firstIn(layout.directories() / 2);
        return LongStream.range(first, first + HOT_FILES).mapToObj(layout::file).toList();
    }

    private static List<FsPath> anywhere(FilledMember member) {
        return new Random(1)
                .longs(HOT_FILES, 0, member.layout().files())
                .mapToObj(member.layout()::file)
                .toList();
    }

    private static double statRate(List<FsPath> paths, FilledMember member) {
        var order = new Random(2).ints(1 << 16, 0, paths.size()).toArray();
        long done = 0;
        long start = System.nanoTime();
        long end = start + (long) (READ_SECONDS * 1e9);
        while (System.nanoTime() < end) {
            for (int i = 0; i < 100; i++, done++) {
                FsPath path = paths.get(order[(int) (done % order.length)]);
                member.queries().stat(Workload.CALLER.identity(), path);
            }
        }
        return done * 1e6 / (System.nanoTime() - start);
    }

    private static double listRate(FilledMember member) {
        FsPath path = hot(member).getFirst().parent();
        long done = 0;
        long start = System.nanoTime();
        long end = start + (long) (READ_SECONDS * 1e9);
        while (System.nanoTime() < end) {
            done += member.list(path);
        }
        return done * 1e6 / (System.nanoTime() - start);
    }

    /** Lists the large directory once, which is more than the caches hold. */
    private static double crowdRate(FilledMember many) {
        long start = System.nanoTime();
        long listed = many.list(Layout.CROWD);
        if (listed != many.layout().inCrowd()) {
            throw new IllegalStateException("%d entries are listed".formatted(listed));
        }
        return listed * 1e6 / (System.nanoTime() - start);
    }

    private static void creates(FilledMember many, FilledMember few) {
        double[] rates = inTurns(() -> createRate(many), () -> createRate(few));
        print(Figure.atLeast("files made (open + commit)", rates[0], NEAR, rates[1], "k/s"));
    }

    private void snapshots(FilledMember many) {
        Path copy = root.resolve("copy");
        double[] rates =
                inTurns(
                        () -> {
                            Thread copying =
                                    Thread.ofPlatform()
                                            .start(() -> many.member().store().copyTo(copy));
                            double rate = createRate(many);
                            join(copying);
                            delete(copy);
                            return rate;
                        },
                        () -> createRate(many));
        print(Figure.atLeast("files made beside a snapshot", rates[0], NEAR, rates[1], "k/s"));
    }

    private static double createRate(FilledMember member) {
        try {
            return member.createRate(SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void delete(Path directory) {
        try {
            StoreHome.deleteTree(directory);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** What two did one right after the other. */
    private record Pair(double one, double other) {
        static Pair of(Supplier<Double> one, Supplier<Double> other) {
            return new Pair(one.get(), other.get());
        }

        Pair swapped() {
            return new Pair(other, one);
        }

        double ratio() {
            return one / other;
        }
    }

    // By what one has beside the other in each round: between rounds the machine's own rate changes
    // by more than what is looked for. The first round is for the compiler.
    private static double[] inTurns(Supplier<Double> one, Supplier<Double> other) {
        var pairs = new ArrayList<Pair>();
        for (int round = 0; round <= ROUNDS; round++) {
            pairs.add(round % 2 == 0 ? Pair.of(one, other) : Pair.of(other, one).swapped());
        }
        List<Pair> counted = pairs.subList(1, pairs.size());
        double beside = median(counted.stream().map(Pair::other).toList());
        return new double[] {beside * median(counted.stream().map(Pair::ratio).toList()), beside};
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }

    private static double heapMib() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
                / (double) (1 << 20);
    }

    private static void print(Figure figure) {
        System.out.println(figure.json());
    }
}
