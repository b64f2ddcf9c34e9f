package org.cepheus.namespace.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of {@link Store}; each implementation has a test that extends this. */
public abstract class StoreContract {
    private Store store = new MemoryStore();

    /** An empty store. */
    protected abstract Store open() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Test
    void readsBackWhatWasPutAndForgetsWhatWasDeleted() {
        store.write(List.of(put("a", "1"), put("b", "2")));
        store.write(List.of(Change.delete(Family.ENTRY, bytes("a")), put("b", "3")));

        assertThat(store.get(Family.ENTRY, bytes("a"))).isNull();
        assertThat(store.get(Family.ENTRY, bytes("b"))).isEqualTo(bytes("3"));
        assertThat(store.get(Family.DIR, bytes("b"))).isNull();
    }

    @Test
    void appliesTheChangesOfABatchInTheirOrder() {
        store.write(List.of(put("a", "1"), Change.delete(Family.ENTRY, bytes("a")), put("a", "2")));

        assertThat(store.get(Family.ENTRY, bytes("a"))).isEqualTo(bytes("2"));
    }

    @Test
    void scansAscendingFromTheFirstKeyUpToButNotIncludingTheLast() {
        store.write(List.of(put("c", "3"), put("a", "1"), put("d", "4"), put("b", "2")));

        assertThat(scan("a", "d", 100)).containsExactly("a=1", "b=2", "c=3");
        assertThat(scan("bb", "z", 100)).containsExactly("c=3", "d=4");
        assertThat(scan("x", "z", 100)).isEmpty();
    }

    @Test
    void stopsAScanWhenTheVisitorHasSeenEnough() {
        store.write(List.of(put("a", "1"), put("b", "2"), put("c", "3")));

        assertThat(scan("a", "z", 2)).containsExactly("a=1", "b=2");
    }

    @Test
    void aSnapshotShowsTheRowsOfItsMomentWhateverIsWrittenLater() {
        store.write(List.of(put("a", "1"), put("b", "2")));
        var seen = new ArrayList<String>();

        try (Store.Snapshot snapshot = store.snapshot()) {
            store.write(List.of(Change.delete(Family.ENTRY, bytes("a")), put("c", "3")));
            store.flush();
            snapshot.scan(
                    Family.ENTRY,
                    bytes("a"),
                    bytes("z"),
                    (key, value) ->
                            seen.add(new String(key, UTF_8) + "=" + new String(value, UTF_8)));

            assertThat(snapshot.get(Family.ENTRY, bytes("a"))).isEqualTo(bytes("1"));
            assertThat(snapshot.get(Family.ENTRY, bytes("c"))).isNull();
        }

        assertThat(seen).containsExactly("a=1", "b=2");
        assertThat(scan("a", "z", 100)).containsExactly("b=2", "c=3");
    }

    @Test
    void ordersKeysAsUnsignedBytes() {
        byte[] low = {0x7f};
        byte[] high = {(byte) 0x80};
        store.write(
                List.of(
                        Change.put(Family.GC, high, bytes("h")),
                        Change.put(Family.GC, low, bytes("l"))));
        var seen = new ArrayList<String>();

        store.scan(
                Family.GC,
                new byte[0],
                new byte[] {(byte) 0xff},
                (_, value) -> seen.add(new String(value, UTF_8)));

        assertThat(seen).containsExactly("l", "h");
    }

    @Test
    void persistsWhatWasFlushed() {
        store.write(List.of(put("a", "1")));
        store.flush();
        store.write(List.of(put("a", "2")));

        byte[] persisted = store.persisted(Family.ENTRY, bytes("a"));

        assertThat(persisted).isNotNull();
        assertThat(new String(persisted == null ? new byte[0] : persisted, UTF_8)).isIn("1", "2");
        assertThat(store.get(Family.ENTRY, bytes("a"))).isEqualTo(bytes("2"));
    }

    @Test
    void agreesWithASortedMapOverRandomBatches() {
        var random = new Random(7);
        var model = new TreeMap<String, String>();
        for (int batch = 0; batch < 300; batch++) {
            var changes = new ArrayList<Change>();
            for (int i = random.nextInt(20); i >= 0; i--) {
                String key = "k" + random.nextInt(500);
                if (random.nextInt(3) == 0) {
                    changes.add(Change.delete(Family.ENTRY, bytes(key)));
                    model.remove(key);
                } else {
                    String value = "v" + random.nextInt();
                    changes.add(put(key, value));
                    model.put(key, value);
                }
            }
            store.write(changes);
        }

        assertThat(scan("k", "l", 1000))
                .containsExactlyElementsOf(
                        model.entrySet().stream()
                                .map(row -> row.getKey() + "=" + row.getValue())
                                .toList());
    }

    private List<String> scan(String from, String to, int max) {
        var seen = new ArrayList<String>();
        store.scan(
                Family.ENTRY,
                bytes(from),
                bytes(to),
                (key, value) -> {
                    seen.add(new String(key, UTF_8) + "=" + new String(value, UTF_8));
                    return seen.size() < max;
                });
        return seen;
    }

    private static Change put(String key, String value) {
        return Change.put(Family.ENTRY, bytes(key), bytes(value));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
