package org.cepheus.mgm.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import org.cepheus.namespace.rows.Rows.Head;
import org.cepheus.namespace.rows.Tables;
import org.cepheus.namespace.store.Change;
import org.cepheus.namespace.store.Family;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whenever the exchange of stores is cut short, the next start finds the one that is right. */
class StoreHomeTest {
    @TempDir private Path root;

    private StoreHome home;

    @BeforeEach
    void makeHome() {
        home = new StoreHome(root);
    }

    private static void make(Path directory, long index) {
        try (var store = new RocksStore(directory, 1 << 20)) {
            var head = new Head(new UUID(1, 2), 1, 0, 1, index, 16, 16, 1, 0, 0, index);
            store.write(
                    List.of(
                            Change.put(
                                    Family.META,
                                    Tables.HEADS.keyBytes(Tables.HEAD),
                                    Tables.HEADS.valueBytes(head))));
        }
    }

    private long indexAfterRecovery() throws IOException {
        home.recover();
        assertThat(root.toFile().list()).containsExactly("db");
        return StoreHome.head(home.store()).index();
    }

    @Test
    void whatWasNotFetchedWholeIsForgotten() throws IOException {
        make(home.store(), 5);
        make(home.emptyIncoming(), 9);

        assertThat(indexAfterRecovery()).isEqualTo(5);
    }

    @Test
    void whatIsReadyTakesThePlaceOfAnOlderStore() throws IOException {
        make(home.store(), 5);
        make(home.emptyIncoming(), 9);
        home.makeReady();

        assertThat(indexAfterRecovery()).isEqualTo(9);
    }

    @Test
    void whatIsReadyDoesNotTakeThePlaceOfANewerStore() throws IOException {
        make(home.store(), 12);
        make(home.emptyIncoming(), 9);
        home.makeReady();

        assertThat(indexAfterRecovery()).isEqualTo(12);
    }

    @Test
    void anExchangeCutShortBetweenItsTwoStepsIsEnded() throws IOException {
        make(home.store(), 5);
        make(home.emptyIncoming(), 9);
        home.makeReady();
        Files.move(home.store(), root.resolve("db.old"));

        assertThat(indexAfterRecovery()).isEqualTo(9);
    }

    @Test
    void anExchangeCutShortAtItsEndIsTidiedUp() throws IOException {
        make(home.store(), 9);
        make(root.resolve("db.old"), 5);

        assertThat(indexAfterRecovery()).isEqualTo(9);
    }

    @Test
    void aMemberWithoutAStoreTakesWhatIsReady() throws IOException {
        make(home.emptyIncoming(), 9);
        home.makeReady();

        assertThat(indexAfterRecovery()).isEqualTo(9);
    }

    @Test
    void aMemberWhoseStoreWasNeverFlushedTakesWhatIsReady() throws IOException {
        new RocksStore(home.store(), 1 << 20).close();
        make(home.emptyIncoming(), 9);
        home.makeReady();

        assertThat(indexAfterRecovery()).isEqualTo(9);
    }

    @Test
    void damageInWhatWasFetchedIsFound() throws IOException {
        make(home.emptyIncoming(), 9);
        assertThat(home.verifiedIncoming().index()).isEqualTo(9);
        try (var files = Files.list(root.resolve("db.incoming"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".sst")).toList()) {
                try (var damaged = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    damaged.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), 5);
                }
            }
        }

        assertThatThrownBy(home::verifiedIncoming).isInstanceOf(IOException.class);
    }
}
