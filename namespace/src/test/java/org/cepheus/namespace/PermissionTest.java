package org.cepheus.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.cepheus.namespace.Trial.ALICE;
import static org.cepheus.namespace.Trial.BOB;
import static org.cepheus.namespace.Trial.CAROL;
import static org.cepheus.namespace.Trial.ROOT;
import static org.cepheus.namespace.Trial.open;
import static org.cepheus.namespace.Trial.path;

import java.util.Optional;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Identity;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.cepheus.domain.command.Mutation;
import org.junit.jupiter.api.Test;

/** Mode bits, owners, groups, the sticky bit, and searching along the path. */
class PermissionTest {
    private final Trial trial = new Trial();

    @Test
    void everyDirectoryOnTheWayMustLetOneThrough() {
        trial.makeDirectory(ALICE, "/d", 0777);
        trial.makeDirectory(ALICE, "/d/e", 0777);
        trial.done(ALICE, new Mutation.SetMode(path("/d"), 0766));

        assertThat(trial.refused(BOB, open("/d/e/f", Intent.NEW, 1)).message())
                .contains("bob may not search /d");
        assertThat(trial.queries().stat(ALICE, path("/d/e")).isDirectory()).isTrue();
    }

    @Test
    void theFirstClassThatFitsDecidesEvenIfALaterOneGivesMore() {
        trial.makeDirectory(ALICE, "/d", 0577);

        assertThat(trial.refused(ALICE, open("/d/f", Intent.NEW, 1)))
                .isInstanceOf(FsError.PermissionDenied.class);
        trial.file(BOB, "/d/f", 1);
        trial.file(CAROL, "/d/g", 1);
    }

    @Test
    void membersOfTheGroupHaveTheGroupsBits() {
        trial.makeDirectory(ALICE, "/d", 0770);

        trial.file(BOB, "/d/f", 1);
        assertThat(trial.refused(CAROL, open("/d/g", Intent.NEW, 1)))
                .isInstanceOf(FsError.PermissionDenied.class);
    }

    @Test
    void modeBitsDoNotBindASuperuser() {
        trial.makeDirectory(ALICE, "/d", 0);

        trial.file(ROOT, "/d/f", 1);
        assertThat(trial.stat("/d/f").owner()).isEqualTo("root");
    }

    @Test
    void inAStickyDirectoryOnlyOwnersRemoveAndRename() {
        trial.makeDirectory(ALICE, "/d", 01777);
        trial.file(BOB, "/d/f", 1);
        trial.file(BOB, "/d/g", 1);

        assertThat(trial.refused(CAROL, new Mutation.RemoveFile(path("/d/f"))).message())
                .contains("sticky", "bob");
        assertThat(trial.refused(CAROL, new Mutation.Rename(path("/d/f"), path("/d/x"), true)))
                .isInstanceOf(FsError.PermissionDenied.class);
        trial.done(BOB, new Mutation.RemoveFile(path("/d/f")));
        trial.done(ALICE, new Mutation.RemoveFile(path("/d/g")));
    }

    @Test
    void theSetGroupBitHandsTheGroupDown() {
        trial.makeDirectory(ALICE, "/d", 02777);
        trial.done(
                ALICE, new Mutation.SetOwner(path("/d"), Optional.empty(), Optional.of("staff")));
        trial.makeDirectory(BOB, "/d/e", 0755);
        trial.file(BOB, "/d/e/f", 1);

        assertThat(trial.stat("/d/e").group()).isEqualTo("staff");
        assertThat(trial.stat("/d/e").mode()).isEqualTo(02755);
        assertThat(trial.stat("/d/e/f").group()).isEqualTo("staff");
    }

    @Test
    void onlyTheOwnerChangesTheModeAndOnlyASuperuserGivesAway() {
        trial.file(ALICE, "/f", 1);

        assertThat(trial.refused(BOB, new Mutation.SetMode(path("/f"), 0777)))
                .isInstanceOf(FsError.PermissionDenied.class);
        assertThat(
                        trial.refused(
                                ALICE,
                                new Mutation.SetOwner(
                                        path("/f"), Optional.of("bob"), Optional.empty())))
                .isInstanceOf(FsError.PermissionDenied.class);
        assertThat(
                        trial.refused(
                                ALICE,
                                new Mutation.SetOwner(
                                        path("/f"), Optional.empty(), Optional.of("guests"))))
                .isInstanceOf(FsError.PermissionDenied.class);
        trial.done(ROOT, new Mutation.SetOwner(path("/f"), Optional.of("bob"), Optional.empty()));
        assertThat(trial.stat("/f").owner()).isEqualTo("bob");
    }

    @Test
    void makingParentsStopsWhereOneMayNotWrite() {
        trial.makeDirectory(ALICE, "/d", 0755);

        assertThat(trial.refused(BOB, new Mutation.MakeDirectory(path("/d/e/f"), 0755, true)))
                .isInstanceOf(FsError.PermissionDenied.class);
        assertThat(trial.exists("/d/e")).isFalse();
    }

    @Test
    void whoeverMakesParentsGetsThroughThemWhateverTheMode() {
        trial.done(ALICE, new Mutation.MakeDirectory(path("/a/b/c"), 0, true));

        assertThat(trial.stat("/a").mode()).isEqualTo(0300);
        assertThat(trial.stat("/a/b/c").mode()).isZero();
    }

    @Test
    void somebodyUnknownOwnsNothing() {
        trial.file(ALICE, "/f", 1);
        trial.done(ALICE, new Mutation.SetMode(path("/f"), 0600));
        var nobody = new Identity("never-seen", java.util.List.of("nor-this"), false);

        assertThatThrownBy(() -> trial.queries().openForRead(nobody, path("/f")))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("may not read /f");
    }
}
