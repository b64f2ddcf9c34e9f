package org.cepheus.mgm.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cepheus.domain.FsError;
import org.cepheus.domain.command.Reply;
import org.cepheus.domain.port.OperatorService.MemberStatus;
import org.cepheus.mgm.raft.Group.Member;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three members in one process over loopback. */
final class ThreeMembersTest {
    @TempDir private Path directory;

    private Group group;
    private final List<Member> running = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        group = Group.ofThree(directory);
        for (int i = 0; i < 3; i++) {
            running.add(group.start(i));
        }
    }

    @AfterEach
    void stop() {
        running.forEach(Member::close);
    }

    private Member leader() {
        Group.await(
                () -> running.stream().anyMatch(member -> member.raft().isLeading()), "a leader");
        return running.stream().filter(m -> m.raft().isLeading()).findFirst().orElseThrow();
    }

    private void awaitSameState() {
        Member leader = leader();
        long index = leader.state().last().index();
        for (Member member : running) {
            Group.await(() -> member.state().last().index() >= index, "the same index");
            assertThat(member.lines()).isEqualTo(leader.lines());
        }
    }

    @Test
    void electOneAndAgree() throws Exception {
        Member leader = leader();

        assertThat(leader.make("/x")).isEqualTo(new Reply.Extended(1));

        awaitSameState();
        Member follower = running.stream().filter(m -> !m.equals(leader)).findFirst().orElseThrow();
        var refused = (Reply.Refused) follower.submit("/y").get(10, TimeUnit.SECONDS);
        assertThat(refused.error()).isEqualTo(new FsError.NotLeader(leader.raft().leader()));
        assertThat(refused.error()).isNotEqualTo(new FsError.NotLeader(java.util.Optional.empty()));
        assertThat(leader.raft().gate().read(leader::lines).get(10, TimeUnit.SECONDS))
                .containsExactly("/x 1");
        assertThat(follower.raft().gate().read(follower::lines)).isCompletedExceptionally();
    }

    @Test
    void goOnWithoutTheLeaderAndLoseNothingAcknowledged() throws Exception {
        Member first = leader();
        var replies = new ArrayList<CompletableFuture<Reply>>();
        for (int i = 0; i < 500; i++) {
            replies.add(first.submit("/f" + i));
        }
        replies.get(100).get(30, TimeUnit.SECONDS);
        first.close();
        running.remove(first);

        Member second = leader();
        assertThat(second.make("/after")).isEqualTo(new Reply.Extended(1));
        awaitSameState();
        List<String> lines = second.lines();
        for (int i = 0; i < replies.size(); i++) {
            Reply reply = replies.get(i).get(30, TimeUnit.SECONDS);
            if (reply instanceof Reply.Extended) {
                assertThat(lines).contains("/f" + i + " 1");
            }
        }
        assertThat(lines).allMatch(line -> line.endsWith(" 1"));
    }

    @Test
    void aMemberThatWasAwayCatchesUp() throws Exception {
        Member leader = leader();
        int away = (running.indexOf(leader) + 1) % 3;
        running.remove(away).close();
        for (int i = 0; i < 50; i++) {
            leader.make("/f" + i % 5);
        }

        running.add(away, group.start(away));

        awaitSameState();
        assertThat(running.get(away).lines()).hasSize(5).allMatch(line -> line.endsWith(" 10"));
    }

    @Test
    void theLeaderKnowsHowFarEachOfTheOthersIs() throws Exception {
        Member leader = leader();
        leader.make("/x");
        int away = (running.indexOf(leader) + 1) % 3;
        int present = (running.indexOf(leader) + 2) % 3;
        Group.await(() -> seenBy(leader, away).lagEntries().orElse(-1) == 0, "none lacks anything");
        running.get(away).close();
        for (int i = 0; i < 50; i++) {
            leader.make("/f" + i);
        }

        Group.await(() -> seenBy(leader, away).lagEntries().orElse(-1) >= 50, "one lacks all");
        Group.await(() -> seenBy(leader, present).lagEntries().orElse(-1) == 0, "one has all");
        Group.await(() -> seenBy(leader, away).silentMillis().orElse(0) > 1_000, "it is silent");
        assertThat(leader.raft().members())
                .extracting(MemberStatus::role)
                .containsOnlyOnce("leader")
                .filteredOn("follower"::equals)
                .hasSize(2);
        Member follower = running.get(present);
        assertThat(seenBy(follower, running.indexOf(leader)))
                .isEqualTo(
                        new MemberStatus(
                                "m" + running.indexOf(leader),
                                "leader",
                                OptionalLong.empty(),
                                OptionalLong.empty()));
        assertThat(seenBy(follower, present).role()).isEqualTo("follower");
        running.set(away, group.start(away));
    }

    private static MemberStatus seenBy(Member member, int other) {
        return member.raft().members().get(other);
    }
}
