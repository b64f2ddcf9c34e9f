package org.cepheus.jmh.core;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.jmh.Workload;
import org.cepheus.mgm.store.RocksStore;
import org.cepheus.namespace.Queries;

/** A member whose namespace has, or gets, the files of a layout. */
final class FilledMember implements AutoCloseable {
    private static final int OUTSTANDING = 4096;
    private static final int PAGE = 10_000;
    private static final double WINDOW_SECONDS = 10;
    private static final long SETTLE_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Layout layout;
    private final CoreMember member;

    FilledMember(Path directory, Layout layout) throws IOException {
        this.layout = layout;
        this.member = CoreMember.start(directory);
    }

    CoreMember member() {
        return member;
    }

    Layout layout() {
        return layout;
    }

    Queries queries() {
        return member.state().queries();
    }

    /**
     * Goes on making files where an earlier call has ended.
     *
     * @param rates told of the thousands of files a second, again and again
     * @return how many files there are now
     */
    long fill(double seconds, DoubleConsumer rates) throws InterruptedException {
        long first = filled();
        if (first == 0) {
            makeDirectories();
        }
        long end = System.nanoTime() + (long) (seconds * 1e9);
        var load = load(number -> layout.file(number), first, layout.files());
        load.begin(OUTSTANDING);
        for (long done = 1; done > 0 && System.nanoTime() < end; ) {
            long start = System.nanoTime();
            done = load.runFor(WINDOW_SECONDS);
            rates.accept(done * 1e6 / (System.nanoTime() - start));
        }
        load.end();
        return filled();
    }

    private MemberLoad load(Function<Long, FsPath> paths, long first, long limit) {
        return new MemberLoad(
                member.raft().aggregator(),
                number -> Workload.open(paths.apply(number)),
                first,
                limit);
    }

    /** The number of the first file that is not there: they are made in their order. */
    private long filled() {
        long there = 0;
        long missing = layout.files();
        while (there < missing) {
            long middle = (there + missing) / 2;
            if (exists(layout.file(middle))) {
                there = middle + 1;
            } else {
                missing = middle;
            }
        }
        return there;
    }

    boolean exists(FsPath path) {
        try {
            queries().stat(Workload.CALLER.identity(), path);
            return true;
        } catch (FsException refused) {
            if (refused.error() instanceof FsError.NotFound) {
                return false;
            }
            throw refused;
        }
    }

    private void makeDirectories() throws InterruptedException {
        makeDirectories(List.of(Layout.CROWD));
        var load =
                new MemberLoad(
                        member.raft().aggregator(),
                        number -> Workload.makeDirectory(layout.directory(number)),
                        0,
                        layout.directories());
        load.begin(OUTSTANDING);
        load.runFor(Double.POSITIVE_INFINITY);
    }

    private void makeDirectories(List<FsPath> paths) throws InterruptedException {
        var load =
                new MemberLoad(
                        member.raft().aggregator(),
                        number -> Workload.makeDirectory(paths.get((int) number)),
                        0,
                        paths.size());
        load.begin(1);
        load.runFor(Double.POSITIVE_INFINITY);
    }

    /** Thousands of further files a second, in new directories. */
    double createRate(double seconds) throws InterruptedException {
        // Unique, also in a store that an earlier run has left.
        long unique = member.raft().lastApplied().index();
        List<FsPath> fresh =
                java.util.stream.IntStream.range(0, 64)
                        .mapToObj(i -> FsPath.parse("/fresh%d/run%d".formatted(unique, i)))
                        .toList();
        makeDirectories(fresh);
        var load =
                load(
                        number -> fresh.get((int) (number % fresh.size())).child("f" + number),
                        0,
                        Long.MAX_VALUE);
        load.begin(OUTSTANDING);
        load.runFor(seconds / 5); // Until as many are under way as will be.
        long start = System.nanoTime();
        long done = load.runFor(seconds);
        double rate = done * 1e6 / (System.nanoTime() - start);
        load.end();
        return rate;
    }

    /** Lists a directory page by page, and returns how many entries it has. */
    long list(FsPath path) {
        long seen = 0;
        for (String after = ""; ; ) {
            DirectoryPage page = queries().list(Workload.CALLER.identity(), path, after, PAGE);
            seen += page.entries().size();
            if (page.next().isEmpty()) {
                return seen;
            }
            after = page.next().get();
        }
    }

    /** Brings all rows to files, and waits until the store has put those in order. */
    void settle() {
        member.store().flush();
        long deadline = System.nanoTime() + SETTLE_NANOS;
        while (isCompacting() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private boolean isCompacting() {
        RocksStore.Load load = member.store().load();
        return load.compactions() > 0 || load.pendingCompactionBytes() > 0;
    }

    /** Bytes of all files that hold the rows. */
    long storeBytes() {
        return member.store().load().fileBytes();
    }

    @Override
    public void close() {
        member.close();
    }
}
