package org.cepheus.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.cepheus.namespace.Trial.ALICE;
import static org.cepheus.namespace.Trial.ROOT;
import static org.cepheus.namespace.Trial.path;

import java.util.Optional;
import org.cepheus.domain.FsError;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.command.Command;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.OperatorService.Found;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RenameTest {
    private final Trial trial = new Trial();

    @BeforeEach
    void someNames() {
        trial.makeDirectory(ALICE, "/d", 0755);
        trial.makeDirectory(ALICE, "/d/e", 0755);
        trial.file(ALICE, "/f", 10);
        trial.file(ALICE, "/d/g", 20);
    }

    private static Command rename(String from, String to, boolean replace) {
        return new Mutation.Rename(path(from), path(to), replace);
    }

    @Test
    void replacesAFileOnlyWhenToldAndItsContentGoesToTheGarbage() {
        assertThat(trial.refused(ALICE, rename("/f", "/d/g", false)))
                .isInstanceOf(FsError.AlreadyExists.class);

        long inode = trial.stat("/f").inode();
        trial.done(ALICE, rename("/f", "/d/g", true));

        assertThat(trial.stat("/d/g").inode()).isEqualTo(inode);
        assertThat(trial.exists("/f")).isFalse();
        assertThat(trial.garbage()).isEqualTo(1);
        assertThat(trial.total().usedBytes()).isEqualTo(10);
    }

    @Test
    void leavesInodesFindableUnderTheirNewPaths() {
        long file = trial.stat("/d/g").inode();
        long directory = trial.stat("/d").inode();
        long root = trial.stat("/").inode();
        trial.done(ALICE, rename("/d", "/d2", false));

        assertThat(trial.queries().find(ROOT, file))
                .contains(new Found(path("/d2/g"), trial.stat("/d2/g")));
        assertThat(trial.queries().find(ROOT, directory))
                .contains(new Found(path("/d2"), trial.stat("/d2")));
        assertThat(trial.queries().find(ROOT, root))
                .contains(new Found(path("/"), trial.stat("/")));
        trial.done(ALICE, new Mutation.RemoveFile(path("/d2/g")));
        assertThat(trial.queries().find(ROOT, file)).isEmpty();
    }

    @Test
    void putsNothingOverADirectoryAndNoDirectoryOverAnything() {
        assertThat(trial.refused(ALICE, rename("/f", "/d", true)))
                .isInstanceOf(FsError.IsDirectory.class);
        assertThat(trial.refused(ALICE, rename("/d", "/f", true)))
                .isInstanceOf(FsError.AlreadyExists.class);
    }

    @Test
    void movesNoDirectoryIntoItselfAndNeverTheRoot() {
        assertThat(trial.refused(ALICE, rename("/d", "/d/e/x", true)))
                .isInstanceOf(FsError.InvalidArgument.class);
        assertThat(trial.refused(ROOT, rename("/", "/x", true)))
                .isInstanceOf(FsError.InvalidArgument.class);
        assertThat(trial.refused(ROOT, rename("/d", "/", true)))
                .isInstanceOf(FsError.InvalidArgument.class);
        trial.done(ALICE, rename("/d", "/dd", false));
    }

    @Test
    void toTheSameNameIsDoneAndChangesNothing() {
        long inode = trial.stat("/f").inode();

        trial.done(ALICE, rename("/f", "/f", false));

        assertThat(trial.stat("/f").inode()).isEqualTo(inode);
        assertThat(trial.total().usedFiles()).isEqualTo(2);
    }

    @Test
    void leavesAFileThatIsBeingUpdatedWhereItIs() {
        trial.upload(ALICE, "/f", Intent.UPDATE, -1);

        assertThat(trial.refused(ALICE, rename("/f", "/x", false)))
                .isInstanceOf(FsError.FileLocked.class);
        assertThat(trial.refused(ALICE, rename("/d/g", "/f", true)))
                .isInstanceOf(FsError.FileLocked.class);
    }

    @Test
    void takesUseAndReservationsOfADirectoryToItsNewQuotaNode() {
        trial.makeDirectory(ALICE, "/q", 0755);
        trial.quota("/q", 1000, 10);
        LeaseRef running = trial.upload(ALICE, "/d/e/h", Intent.NEW, 30);

        trial.done(ALICE, rename("/d", "/q/d", false));
        assertThat(trial.queries().quotasAt(ALICE, path("/q")).getLast().usedBytes()).isEqualTo(20);
        trial.done(ALICE, Trial.commit(running, 30));
        assertThat(trial.queries().quotasAt(ALICE, path("/q")).getLast().usedBytes()).isEqualTo(50);
        trial.done(ALICE, rename("/q", "/q2", false));
        trial.done(ALICE, rename("/q2/d", "/d", false));

        assertThat(trial.queries().quotasAt(ALICE, path("/q2")).getLast().usedBytes()).isZero();
        assertThat(trial.total().usedBytes()).isEqualTo(60);
    }

    @Test
    void intoAFullQuotaNodeIsRefusedAndIntoAnotherPlaceOfTheSameNodeIsNot() {
        trial.quota("/d", 20, -1);

        assertThat(trial.refused(ALICE, rename("/f", "/d/f", false)))
                .isInstanceOf(FsError.QuotaExceeded.class);
        trial.done(ALICE, rename("/d/g", "/d/e/g", false));
    }

    @Test
    void overAFileOfTheSameSizeGrowsNothingEvenAboveTheLimit() {
        trial.file(ALICE, "/f", 20);
        trial.quota("/d", 5, -1);

        trial.done(ALICE, rename("/f", "/d/g", true));

        assertThat(trial.stat("/d/g").sizeBytes()).isEqualTo(20);
    }

    @Test
    void aCommitAfterTheFileWasGivenAwayGrowsNothingEither() {
        LeaseRef running = trial.upload(ALICE, "/d/g", Intent.REPLACE, 30);
        trial.done(ROOT, new Mutation.SetOwner(path("/d/g"), Optional.of("bob"), Optional.empty()));
        trial.quota("/d", 5, -1);

        trial.done(ALICE, Trial.commit(running, 30));

        assertThat(trial.stat("/d/g").sizeBytes()).isEqualTo(30);
        assertThat(trial.stat("/d/g").owner()).isEqualTo("bob");
    }

    @Test
    void ofMoreThanAThousandEntriesAcrossQuotaNodesIsLikeBetweenFileSystems() {
        trial.makeDirectory(ALICE, "/q", 0755);
        trial.quota("/q", -1, -1);
        for (int i = 0; i < 998; i++) {
            trial.makeDirectory(ALICE, "/d/n" + i, 0755);
        }
        trial.done(ALICE, rename("/d", "/q/d", false));
        trial.makeDirectory(ALICE, "/q/d/more", 0755);

        assertThat(trial.refused(ALICE, rename("/q/d", "/d", false)).message())
                .contains("/q/d has more than 1000 entries");
        trial.done(ALICE, rename("/q/d", "/q/other", false));
    }

    @Test
    void ofAQuotaNodeAcrossOthersMovesWhatItCountsHoweverMuchThatIs() {
        trial.makeDirectory(ALICE, "/q", 0755);
        trial.quota("/q", 1 << 20, -1);
        trial.upload(ALICE, "/d/running", Intent.NEW, 7);
        trial.quota("/d", -1, -1);
        for (int i = 0; i < 1_100; i++) {
            trial.makeDirectory(ALICE, "/d/n" + i, 0755);
        }

        trial.done(ALICE, rename("/d", "/q/d", false));

        assertThat(trial.queries().quotas())
                .filteredOn(row -> row.node().equals(path("/q")) && row.principal().isEmpty())
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.usedBytes()).isEqualTo(20);
                    assertThat(row.reservedBytes()).isEqualTo(7);
                });
        assertThat(trial.differences()).isEmpty();
        trial.done(ALICE, rename("/q/d", "/d", false));
        trial.quota("/q", 6, -1);
        assertThat(trial.refused(ALICE, rename("/d", "/q/d", false)))
                .isInstanceOf(FsError.QuotaExceeded.class);
        assertThat(trial.differences()).isEmpty();
    }

    @Test
    void ofADirectoryThatWouldPushWhatIsBelowOutOfReachIsRefused() {
        String deep = "/x".repeat(150);
        trial.done(ALICE, new Mutation.MakeDirectory(path(deep), 0755, true));
        trial.done(ALICE, new Mutation.MakeDirectory(path("/d" + deep), 0755, true));
        LeaseRef running = trial.upload(ALICE, deep + "/f", Intent.NEW, 1);

        assertThat(trial.refused(ALICE, rename("/x", "/d" + "/x".repeat(105) + "/y", false)))
                .isInstanceOf(FsError.TooLong.class)
                .extracting(FsError::message, STRING)
                .contains("/x has directories 148 levels below it or deeper");
        trial.done(ALICE, rename("/x", "/d" + "/x".repeat(103) + "/y", false));

        assertThat(trial.queries().uploads(10).getFirst().path().components()).hasSize(255);
        trial.done(ALICE, Trial.commit(running, 1));
        trial.done(ALICE, rename("/d/x", "/z", false));
    }

    @Test
    void intoTheDepthIsNotRefusedForWhatWasDeepOnce() {
        trial.done(ALICE, new Mutation.MakeDirectory(path("/x/y" + "/x".repeat(200)), 0755, true));
        trial.makeDirectory(ALICE, "/x/w", 0755);
        trial.done(ALICE, rename("/x/y", "/y", false));

        trial.done(ALICE, rename("/x", "/y" + "/x".repeat(200) + "/z", false));

        assertThat(trial.stat("/y" + "/x".repeat(200) + "/z/w").isDirectory()).isTrue();
    }

    @Test
    void toAPlaceThatIsNotDeeperNeedsNoLook() {
        trial.done(ALICE, new Mutation.MakeDirectory(path("/x".repeat(255)), 0755, true));

        trial.done(ALICE, rename("/x", "/y", false));

        assertThat(trial.stat("/y" + "/x".repeat(254)).isDirectory()).isTrue();
    }
}
