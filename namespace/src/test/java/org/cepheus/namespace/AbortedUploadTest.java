package org.cepheus.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cepheus.namespace.Trial.ALICE;
import static org.cepheus.namespace.Trial.ROOT;
import static org.cepheus.namespace.Trial.commit;

import java.util.List;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.cepheus.domain.command.Mutation;
import org.junit.jupiter.api.Test;

/** What an entry says of the uploads that it ended. */
final class AbortedUploadTest {
    private final Trial trial = new Trial();

    @Test
    void everyUploadThatACommandEndsIsToldWithItsOpenerAndTheReason() {
        trial.register(Trial.BOOT);
        LeaseRef removed = trial.upload(ALICE, "/f", Intent.NEW, 1);
        LeaseRef restarted = trial.upload(ALICE, "/g", Intent.NEW, 1);

        trial.done(ROOT, new Mutation.RemoveFile(Trial.path("/f")));
        assertThat(endings()).containsExactly("alice " + removed.id() + " the name was removed");
        trial.register(Trial.BOOT + 1);
        assertThat(endings()).containsExactly("alice " + restarted.id() + " the FST was restarted");
        assertThat(trial.queries().uploads(10)).isEmpty();
    }

    @Test
    void anExpiryTellsWhatItEndedAndARefusedCommandNothing() {
        LeaseRef forgotten = trial.upload(ALICE, "/f", Intent.NEW, 1);
        trial.pass(301);

        trial.run(ROOT, new FleetCommand.ExpireLeases(10));
        assertThat(endings()).containsExactly("alice " + forgotten.id() + " its time was over");
        trial.refused(ALICE, commit(forgotten, 1));
        assertThat(endings()).isEmpty();
    }

    private List<String> endings() {
        return trial.aborted.stream()
                .map(each ->
                        "%s %d %s"
                                .formatted(
                                        each.opener().identity().user(),
                                        each.lease().id(),
                                        each.reason()))
                .toList();
    }
}
