package org.cepheus.mgm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cepheus.mgm.Site.ALICE;
import static org.cepheus.mgm.Site.await;
import static org.cepheus.mgm.Site.get;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.Mutation;
import org.cepheus.mgm.store.StoreHome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member whose log ends before those of the others begin takes over the state of one of them. */
final class StateTransferTest {
    private static final int KEPT_ENTRIES = 100;
    private static final int VALUE_BYTES = 8 << 10;

    @TempDir private Path directory;

    private Site site;
    private final Map<Integer, Mgm> running = new HashMap<>();
    private int made;

    @BeforeEach
    void startThree() throws IOException {
        site = new Site(directory, 3);
        site.keptEntries = KEPT_ENTRIES;
        for (int i = 0; i < 3; i++) {
            running.put(i, site.start(i));
        }
    }

    @AfterEach
    void stopAll() {
        running.values().forEach(Mgm::close);
        site.close();
    }

    private Mgm leader() {
        await(() -> running.values().stream().anyMatch(Mgm::isLeading), "one leads");
        return running.values().stream().filter(Mgm::isLeading).findFirst().orElseThrow();
    }

    private Mgm member(int number) {
        return Objects.requireNonNull(running.get(number), "it runs");
    }

    private int follower() {
        Mgm leader = leader();
        return running.entrySet().stream()
                .filter(each -> each.getValue() != leader)
                .mapToInt(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    private void stop(int member) {
        Mgm stopped = running.remove(member);
        assertThat(stopped).isNotNull();
        stopped.close();
    }

    private void start(int member) throws IOException {
        running.put(member, site.start(member));
    }

    // One by one, so that each is an entry of its own.
    private void change(int times) throws Exception {
        byte[] value = new byte[VALUE_BYTES];
        for (int i = 0; i < times; i++, made++) {
            var path = FsPath.parse("/d" + made);
            Mgm leader = leader();
            get(leader.namespace().change(ALICE, new Mutation.MakeDirectory(path, 0755, false)));
            get(
                    leader.namespace()
                            .change(
                                    ALICE,
                                    new Mutation.SetAttribute(
                                            path, "user.a", Bytes.copyOf(value), false)));
        }
    }

    private void awaitCaughtUp(int member) {
        await(
                () ->
                        member(member).operators().status().appliedIndex()
                                >= leader().operators().status().appliedIndex(),
                "it has caught up");
        assertThat(member(member).operators().status().directories()).isEqualTo(made + 1L);
    }

    // The others go until the member leads: then everything that was made is there.
    private void requireThatItCanLead(int member) throws Exception {
        for (int other = leading(); other != member; other = leading()) {
            stop(other);
            await(() -> running.values().stream().anyMatch(Mgm::isLeading), "another member leads");
            start(other);
        }
        change(1);
        for (int i = 0; i < made; i++) {
            var found = get(leader().namespace().stat(ALICE, FsPath.parse("/d" + i)));
            assertThat(found.isDirectory()).isTrue();
        }
        assertThat(leading()).isEqualTo(member);
    }

    private int leading() {
        Mgm leader = leader();
        return running.entrySet().stream()
                .filter(each -> each.getValue() == leader)
                .mapToInt(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aMemberThatWasAwayForTooLongCatchesUpAndCanLead() throws Exception {
        change(5);
        int away = follower();
        stop(away);
        change(5 * KEPT_ENTRIES);

        start(away);

        awaitCaughtUp(away);
        requireThatItCanLead(away);
    }

    @Test
    void aMemberWhoseDiskWasLostCatchesUp() throws Exception {
        change(5 * KEPT_ENTRIES);
        int lost = follower();
        stop(lost);
        StoreHome.deleteTree(directory.resolve("mgm" + lost));
        change(5);

        start(lost);

        awaitCaughtUp(lost);
        requireThatItCanLead(lost);
    }

    @Test
    void aMemberThatEndedAfterItHadFetchedTheStateGoesOnWithIt() throws Exception {
        change(5);
        int away = follower();
        stop(away);
        change(5 * KEPT_ENTRIES);
        // What a kill leaves between the end of the fetch and the exchange of the stores.
        int donor = leading();
        Path home = directory.resolve("mgm" + away);
        stop(donor);
        copy(directory.resolve("mgm" + donor).resolve("db"), home.resolve("db.ready"));
        start(donor);
        Files.createDirectory(home.resolve("db.incoming"));

        start(away);

        assertThat(home.resolve("db.ready")).doesNotExist();
        assertThat(home.resolve("db.incoming")).doesNotExist();
        awaitCaughtUp(away);
        change(5);
        awaitCaughtUp(away);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectory(to);
        try (var files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }
}
