package org.cepheus.mgm.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.cepheus.namespace.store.Change;
import org.cepheus.namespace.store.Family;
import org.cepheus.namespace.store.MemoryStore;
import org.cepheus.namespace.store.Store;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RocksStoreTest {
    private static final long CACHE = 4 << 20;

    private static final int LARGE_FILE_ROWS = 500_000;
    private static final int PARTS = 4;
    private static final long SMALLER_THAN_ITS_FILTER = 512 << 10;

    private static final List<Family> FAMILIES = List.of(Family.values());

    @TempDir private Path directory;

    private RocksStore open() {
        return new RocksStore(directory.resolve("db"), CACHE);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static Change put(String key, String value) {
        return Change.put(Family.ENTRY, bytes(key), bytes(value));
    }

    private static List<String> rows(Store store, Family family) {
        var rows = new ArrayList<String>();
        store.scan(
                family,
                new byte[0],
                new byte[] {(byte) 0xff, (byte) 0xff},
                (key, value) -> rows.add(new String(key, UTF_8) + "=" + new String(value, UTF_8)));
        return rows;
    }

    @Test
    void aReadFromMemoryNeverWaitsForTheDisk() {
        try (var store = open()) {
            store.write(List.of(put("a", "1")));
            assertThat(store.cached(Family.ENTRY, bytes("a"))).isEqualTo(bytes("1"));
        }
        try (var store = open()) {
            assertThatThrownBy(() -> store.cached(Family.ENTRY, bytes("a")))
                    .isInstanceOf(Store.NotCached.class);

            assertThat(store.get(Family.ENTRY, bytes("a"))).isEqualTo(bytes("1"));

            assertThat(store.cached(Family.ENTRY, bytes("a"))).isEqualTo(bytes("1"));
            assertThat(store.cached(Family.PLACE, bytes("a"))).isNull();
        }
    }

    @Test
    void thatANameIsMissingInALargeFileIsKnownFromMemoryAfterTheFirstQuestion() throws IOException {
        try (var store = new RocksStore(directory.resolve("db"), SMALLER_THAN_ITS_FILTER)) {
            for (int part = 0; part < PARTS; part++) {
                for (int row = part; row < LARGE_FILE_ROWS; row += PARTS * 1_000) {
                    var some = new ArrayList<Change>();
                    for (int i = row; i < row + PARTS * 1_000; i += PARTS) {
                        some.add(put("name%07d".formatted(i), ""));
                    }
                    store.write(some);
                }
                store.flush();
            }
            awaitOneFile();
            byte[] missing = bytes("name%07dx".formatted(LARGE_FILE_ROWS / 4));

            assertThat(store.get(Family.ENTRY, missing)).isNull();

            assertThat(store.cached(Family.ENTRY, missing)).isNull();
        }
    }

    /** Until the parts are one file: filters of the first level are pinned, whatever their size. */
    private void awaitOneFile() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try (Stream<Path> files = Files.list(directory.resolve("db"))) {
                if (files.filter(file -> file.toString().endsWith(".sst")).count() == 1) {
                    return;
                }
            }
            assertThat(System.nanoTime()).as("still several files").isLessThan(deadline);
            LockSupport.parkNanos(10_000_000);
        }
    }

    @Test
    void aSnapshotOfAStoreThatIsClosedReadsNothingAndMayBeClosed() {
        Store.Snapshot snapshot;
        try (var store = open()) {
            store.write(List.of(put("a", "1")));
            snapshot = store.snapshot();
        }

        assertThatThrownBy(() -> snapshot.get(Family.ENTRY, bytes("a")))
                .isInstanceOf(IllegalStateException.class);
        snapshot.close();

        try (var store = open()) {
            assertThat(store.get(Family.ENTRY, bytes("a"))).isEqualTo(bytes("1"));
        }
    }

    @Test
    void holdsTheSameRowsAsTheStoreOnTheHeap() {
        var random = new Random(11);
        try (var rocks = open();
                var memory = new MemoryStore()) {
            for (int round = 0; round < 300; round++) {
                var changes = new ArrayList<Change>();
                for (int i = random.nextInt(6); i >= 0; i--) {
                    Family family = FAMILIES.get(random.nextInt(FAMILIES.size()));
                    byte[] key = bytes("k" + random.nextInt(40));
                    changes.add(
                            random.nextInt(3) == 0
                                    ? Change.delete(family, key)
                                    : Change.put(family, key, bytes("v" + random.nextInt())));
                }
                rocks.write(changes);
                memory.write(changes);
                if (random.nextInt(50) == 0) {
                    rocks.flush();
                }
            }

            for (Family family : Family.values()) {
                assertThat(rows(rocks, family)).isEqualTo(rows(memory, family));
            }
        }
    }

    @Test
    void persistedLagsBehindUntilTheFlush() {
        try (var store = open()) {
            store.write(List.of(put("a", "1")));

            assertThat(store.get(Family.ENTRY, bytes("a"))).isEqualTo(bytes("1"));
            assertThat(store.persisted(Family.ENTRY, bytes("a"))).isNull();

            store.flush();
            store.write(List.of(put("a", "2")));

            assertThat(store.persisted(Family.ENTRY, bytes("a"))).isEqualTo(bytes("1"));
            assertThat(store.get(Family.ENTRY, bytes("a"))).isEqualTo(bytes("2"));
        }
    }

    @Test
    void aCopyMadeWhileItRunsIsTheStateOfTheLastFlush() throws IOException {
        Path copy = directory.resolve("copy");
        try (var store = open()) {
            store.write(
                    List.of(put("a", "1"), Change.put(Family.META, bytes("index"), bytes("1"))));
            store.flush();
            store.write(
                    List.of(put("a", "2"), Change.put(Family.META, bytes("index"), bytes("2"))));
            copy(directory.resolve("db"), copy);
        }

        try (var store = new RocksStore(copy, CACHE)) {
            assertThat(rows(store, Family.ENTRY)).containsExactly("a=1");
            assertThat(rows(store, Family.META)).containsExactly("index=1");
        }
    }

    @Test
    void closingKeepsWhatWasWritten() {
        try (var store = open()) {
            store.write(List.of(put("a", "1")));
        }

        try (var store = open()) {
            assertThat(rows(store, Family.ENTRY)).containsExactly("a=1");
            assertThat(store.persisted(Family.ENTRY, bytes("a"))).isEqualTo(bytes("1"));
        }
    }

    @Test
    void scansFromInclusiveToExclusiveAndStopsWhenTold() {
        try (var store = open()) {
            store.write(List.of(put("a", "1"), put("b", "2"), put("c", "3"), put("d", "4")));
            var seen = new ArrayList<String>();

            store.scan(
                    Family.ENTRY,
                    bytes("b"),
                    bytes("d"),
                    (key, _) -> seen.add(new String(key, UTF_8)));
            store.scan(
                    Family.ENTRY,
                    bytes("a"),
                    bytes("d"),
                    (key, _) -> !seen.add("first " + new String(key, UTF_8)));

            assertThat(seen).containsExactly("b", "c", "first a");
        }
    }

    @Test
    void aProcessThatEndsDuringAFlushEnds() throws Exception {
        var command =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        HaltsInAFlush.class.getName(),
                        directory.resolve("db").toString());
        Process process = command.inheritIO().start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("has ended").isTrue();
            assertThat(process.exitValue()).isEqualTo(HaltsInAFlush.EXIT_CODE);
        } finally {
            process.destroyForcibly();
        }
    }

    /** What a member does that must not go on. */
    static final class HaltsInAFlush {
        static final int EXIT_CODE = 70;
        private static final int ROWS = 400_000;
        private static final int ROWS_PER_WRITE = 1_000;

        public static void main(String[] args) {
            var store = new RocksStore(Path.of(args[0]), CACHE);
            for (int row = 0; row < ROWS; row += ROWS_PER_WRITE) {
                store.write(
                        IntStream.range(row, row + ROWS_PER_WRITE)
                                .<Change>mapToObj(at -> put("row %09d".formatted(at), "value"))
                                .toList());
            }
            store.startFlush();
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    @Test
    void closesUnderReadersWithoutHarm() throws InterruptedException {
        var store = open();
        store.write(List.of(put("a", "1")));
        var refused = new AtomicInteger();
        var readers = new ArrayList<Thread>();
        var running = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            readers.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                running.countDown();
                                try {
                                    while (true) {
                                        store.get(Family.ENTRY, bytes("a"));
                                        rows(store, Family.ENTRY);
                                    }
                                } catch (IllegalStateException e) {
                                    refused.incrementAndGet();
                                }
                            }));
        }
        running.await();

        store.close();
        for (Thread reader : readers) {
            reader.join();
        }

        assertThat(refused).hasValue(3);
        store.close();
        assertThatThrownBy(() -> store.write(List.of())).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesADirectoryThatIsOpenElsewhere() {
        try (var store = open()) {
            assertThatThrownBy(this::open)
                    .isInstanceOf(Store.StoreException.class)
                    .hasMessageContaining(directory.toString());
            assertThat(rows(store, Family.ENTRY)).isEmpty();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (var files = Files.list(from)) {
            for (Path file : files.toList()) {
                if (!file.getFileName().toString().equals("LOCK")) {
                    Files.copy(file, to.resolve(file.getFileName()));
                }
            }
        }
    }
}
