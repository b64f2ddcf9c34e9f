package org.cepheus.mgm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.cepheus.mgm.Site.ALICE;
import static org.cepheus.mgm.Site.await;
import static org.cepheus.mgm.Site.get;
import static org.cepheus.mgm.Site.upload;
import static org.cepheus.mgm.Site.writing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.mgm.Site.Fst;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three MGMs in one process: the leader goes, uploads go on. */
final class ThreeMgmsTest {
    @TempDir private Path directory;

    private final List<Mgm> running = new ArrayList<>();

    private Mgm leaderWith(Fst fst) {
        await(
                () -> running.stream().anyMatch(mgm -> mgm.isLeading() && mgm.hasFst(fst.id)),
                "a leader with the FST");
        return running.stream().filter(Mgm::isLeading).findFirst().orElseThrow();
    }

    @Test
    void anUploadOutlivesTheLeaderThatGrantedIt() throws Exception {
        try (var site = new Site(directory, 3);
                Fst fst = site.fst(1)) {
            try {
                for (int i = 0; i < 3; i++) {
                    running.add(site.start(i));
                }
                Mgm first = leaderWith(fst);
                upload(first.namespace(), fst, "/before", 5);
                Ticket ticket = fst.open(get(first.namespace().open(ALICE, writing("/over", 6))));
                running.remove(first);
                first.close();

                var commit =
                        new LeaseCommand.Commit(
                                ticket.lease().orElseThrow(), 6, List.of(), Optional.empty());
                assertThat(get(fst.client.commit(ticket.caller(), commit)).sizeBytes())
                        .isEqualTo(6);

                Mgm second = leaderWith(fst);
                upload(second.namespace(), fst, "/after", 7);
                for (String path : List.of("/before", "/over", "/after")) {
                    assertThat(get(second.namespace().stat(ALICE, FsPath.parse(path))).isFile())
                            .isTrue();
                }
            } finally {
                running.forEach(Mgm::close);
            }
        }
    }

    @Test
    void whatTheSystemDoesIsToldOnceAndByTheMemberThatLed() throws Exception {
        try (var site = new Site(directory, 3)) {
            try {
                for (int i = 0; i < 3; i++) {
                    running.add(site.start(i));
                }
                String member;
                try (Fst fst = site.fst(1)) {
                    Mgm leader = leaderWith(fst);
                    member = "mgm" + running.indexOf(leader);
                    Ticket left =
                            fst.open(get(leader.namespace().open(ALICE, writing("/left", 6))));
                    get(leader.namespace().open(ALICE, writing("/d/restarted", 6)));
                    get(
                            fst.client.abort(
                                    left.caller(),
                                    left.lease().orElseThrow(),
                                    "its client is gone"));
                }
                try (Fst again = site.fst(1)) {
                    await(() -> site.deeds.size() >= 2, "both uploads are told of");
                    upload(leaderWith(again).namespace(), again, "/after", 5);
                }
                await(
                        () ->
                                running.stream()
                                                .map(mgm -> mgm.operators().status().appliedIndex())
                                                .distinct()
                                                .count()
                                        == 1,
                        "every member has applied all of it");

                assertThat(site.deeds)
                        .containsExactly(
                                member
                                        + ": abort /left of alice, trace 0000000000000007: its client is gone",
                                member
                                        + ": abort /d/restarted of alice, trace 0000000000000007: the FST was restarted");
            } finally {
                running.forEach(Mgm::close);
            }
        }
    }

    @Test
    void aFollowerSendsWhoWantsToUploadToTheLeader() throws Exception {
        try (var site = new Site(directory, 3);
                Fst fst = site.fst(1)) {
            try {
                for (int i = 0; i < 3; i++) {
                    running.add(site.start(i));
                }
                Mgm leader = leaderWith(fst);
                Mgm follower =
                        running.stream().filter(mgm -> !mgm.isLeading()).findFirst().orElseThrow();

                assertThatThrownBy(() -> get(follower.namespace().open(ALICE, writing("/new", 6))))
                        .satisfies(refusal ->
                                assertThat(FsException.errorOf(refusal))
                                        .isEqualTo(
                                                new FsError.NotLeader(
                                                        Optional.of(leader.address()))));
            } finally {
                running.forEach(Mgm::close);
            }
        }
    }
}
