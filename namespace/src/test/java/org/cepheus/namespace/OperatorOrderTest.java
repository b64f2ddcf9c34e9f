package org.cepheus.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.OnceKey;
import org.cepheus.domain.ServiceState;
import org.cepheus.domain.ServiceTarget;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.OperatorCommand;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.rules.OperatorRules;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** States of FSTs and volumes, and orders that are made once. */
class OperatorOrderTest {
    private static final ServiceTarget VOLUME = ServiceTarget.volume(7);
    private static final FsPath PATH = FsPath.parse("/data");
    private static final Mutation MAKE = new Mutation.MakeDirectory(PATH, 0755, false);

    private final Trial trial = new Trial();

    @BeforeEach
    void anFstIsThere() {
        trial.done(
                Trial.ROOT,
                new FleetCommand.RegisterFst(
                        new FstAddress(Trial.FST, "fst1", 1095, 8081),
                        Trial.BOOT,
                        List.of(new FleetCommand.Volume(7, "u7"))));
    }

    @Test
    void everythingIsForReadingAndWritingUntilAnOperatorSaysOtherwise() {
        assertThat(trial.queries().states().of(VOLUME)).isEqualTo(ServiceState.RW);

        setState(VOLUME, ServiceState.DRAIN);
        setState(ServiceTarget.fst(Trial.FST), ServiceState.OFF);

        assertThat(trial.queries().states().of(VOLUME)).isEqualTo(ServiceState.DRAIN);
        assertThat(trial.queries().states().of(ServiceTarget.fst(Trial.FST)))
                .isEqualTo(ServiceState.OFF);
    }

    @Test
    void theStatesAreThereAfterARestart() {
        setState(VOLUME, ServiceState.RO);

        var again = Namespace.open(trial.store(), Trial.CLUSTER);

        assertThat(again.queries().states().of(VOLUME)).isEqualTo(ServiceState.RO);
    }

    @ParameterizedTest
    @EnumSource(
            value = ServiceState.class,
            names = {"RO", "DRAIN", "OFF"})
    void anUploadPlacedBeforeTheOrderIsSentAwayToBePlacedAgain(ServiceState state) {
        setState(VOLUME, state);

        assertThat(trial.refused(Trial.ALICE, Trial.open("/new", Intent.NEW, 5)))
                .isInstanceOfSatisfying(
                        FsError.Unavailable.class,
                        error -> assertThat(error.message()).contains("volume 7", state.word()));

        setState(VOLUME, ServiceState.RW);
        trial.opened(Trial.ALICE, Trial.open("/new", Intent.NEW, 5));
    }

    @Test
    void refusesWhoIsNoOperatorAndWhatIsNotThere() {
        assertThat(
                        trial.refused(
                                Trial.ALICE, new OperatorCommand.SetState(VOLUME, ServiceState.RO)))
                .isInstanceOf(FsError.PermissionDenied.class);
        assertThat(
                        trial.refused(
                                Trial.ROOT,
                                new OperatorCommand.SetState(
                                        ServiceTarget.volume(8), ServiceState.RO)))
                .isInstanceOf(FsError.NotFound.class);
        assertThat(
                        trial.refused(
                                Trial.ROOT,
                                new OperatorCommand.SetState(
                                        ServiceTarget.fst(9), ServiceState.RO)))
                .isInstanceOf(FsError.NotFound.class);
    }

    @Test
    void anOrderWithAKeyIsMadeOnce() {
        trial.done(Trial.ROOT, once("a", MAKE));
        trial.done(Trial.ROOT, new Mutation.RemoveDirectory(PATH));

        assertThat(trial.run(Trial.ROOT, once("a", MAKE))).isEqualTo(new Reply.DoneBefore());
        assertThat(trial.refused(Trial.ROOT, new Mutation.RemoveDirectory(PATH)))
                .isInstanceOf(FsError.NotFound.class);
    }

    @Test
    void aRefusalIsRepeatedToo() {
        FsError first = trial.refused(Trial.ROOT, once("a", new Mutation.RemoveDirectory(PATH)));
        trial.done(Trial.ROOT, MAKE);

        assertThat(trial.refused(Trial.ROOT, once("a", new Mutation.RemoveDirectory(PATH))))
                .isEqualTo(first);
        assertThat(trial.queries().stat(Trial.ROOT, PATH).isDirectory()).isTrue();
    }

    @Test
    void aKeyOfAnotherRequestIsRefused() {
        trial.done(Trial.ROOT, once("a", MAKE));

        assertThat(
                        trial.refused(
                                Trial.ROOT,
                                new OperatorCommand.Once(
                                        new OnceKey("a", Bytes.copyOf(new byte[] {2})), MAKE)))
                .isInstanceOf(FsError.InvalidArgument.class);
    }

    @Test
    void aSecondOneInTheSameEntrySeesTheFirst() {
        assertThat(trial.all(Trial.ROOT, once("a", MAKE), once("a", MAKE)))
                .containsExactly(new Reply.Done(), new Reply.DoneBefore());
    }

    @Test
    void forgetsTheOldestKeyWhenThereAreTooMany() {
        trial.done(Trial.ROOT, once("first", MAKE));
        var chmod = new Mutation.SetMode(PATH, 0755);
        for (int i = 1; i < OperatorRules.REMEMBERED_KEYS; i++) {
            trial.done(Trial.ROOT, once("k" + i, chmod));
        }
        assertThat(trial.run(Trial.ROOT, once("first", MAKE))).isEqualTo(new Reply.DoneBefore());

        trial.done(Trial.ROOT, once("one more", chmod));

        assertThat(trial.refused(Trial.ROOT, once("first", MAKE)))
                .isInstanceOf(FsError.AlreadyExists.class);
    }

    private static OperatorCommand.Once once(String key, Mutation mutation) {
        return new OperatorCommand.Once(
                new OnceKey(key.replace(' ', '-'), Bytes.copyOf(new byte[] {1})), mutation);
    }

    private void setState(ServiceTarget target, ServiceState state) {
        trial.done(Trial.ROOT, new OperatorCommand.SetState(target, state));
    }
}
