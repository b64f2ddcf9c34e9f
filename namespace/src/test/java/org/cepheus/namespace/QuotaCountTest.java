package org.cepheus.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cepheus.namespace.Trial.ALICE;
import static org.cepheus.namespace.Trial.BOB;
import static org.cepheus.namespace.Trial.ROOT;
import static org.cepheus.namespace.Trial.open;
import static org.cepheus.namespace.Trial.path;

import java.util.List;
import java.util.OptionalLong;
import org.cepheus.domain.FsError;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.QuotaChange;
import org.cepheus.domain.command.QuotaCommand;
import org.cepheus.domain.port.QuotaReport;
import org.cepheus.domain.port.QuotaReport.NodeState;
import org.cepheus.namespace.rules.Bounds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A quota node over more content than one entry counts: counted while work goes on. */
class QuotaCountTest {
    private static final long KIB = 1024;

    private final Trial trial = new Trial(new Bounds(2, 1_000));

    @AfterEach
    void aRecountFindsNoDifference() {
        assertThat(trial.differences()).isEmpty();
    }

    private void fill() {
        trial.makeDirectory(ROOT, "/d", 0777);
        trial.makeDirectory(ALICE, "/d/e", 0777);
        trial.file(ALICE, "/d/f", 10 * KIB);
        trial.file(ALICE, "/d/e/g", 20 * KIB);
        trial.file(BOB, "/d/e/h", 30 * KIB);
    }

    /** What a leader would say now, with so many rows to a command. */
    private List<QuotaCommand.AddCounted> counted(int rows) {
        try (Snapshot snapshot = trial.namespace().snapshot()) {
            Queries.NodeCount count = Queries.counts(snapshot).getFirst();
            Recount recount = Recount.ofNode(snapshot, count.node());
            while (!recount.step(1)) {}
            return NodeCounts.parts(count, recount.missing(), rows);
        }
    }

    private void bring(List<QuotaCommand.AddCounted> parts) {
        parts.forEach(part -> trial.done(ROOT, part));
    }

    private QuotaReport row(String node, QuotaKind kind, String principal) {
        return trial.queries().quotas().stream()
                .filter(r ->
                        r.node().equals(path(node))
                                && r.kind() == kind
                                && r.principal().equals(principal))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void refusesNothingAndSaysSoUntilItIsCounted() {
        fill();

        trial.quota("/d", 50 * KIB, -1);

        QuotaReport before = row("/d", QuotaKind.PROJECT, "");
        assertThat(before.state())
                .isInstanceOfSatisfying(
                        NodeState.Counting.class,
                        state -> assertThat(state.mostEntries()).isEqualTo(6));
        assertThat(before.level()).isEqualTo(QuotaReport.Level.OK);
        assertThat(before.roomBytes()).isEmpty();
        trial.file(ALICE, "/d/more", KIB);
        bring(counted(100));
        QuotaReport after = row("/d", QuotaKind.PROJECT, "");
        assertThat(after.state()).isEqualTo(new NodeState.Active());
        assertThat(after.usedBytes()).isEqualTo(61 * KIB);
        assertThat(after.usedFiles()).isEqualTo(4);
        assertThat(after.level()).isEqualTo(QuotaReport.Level.EXCEEDED);
        assertThat(trial.refused(ALICE, open("/d/even-more", Intent.NEW, 1)).message())
                .contains("at /d: limit %d bytes, used %d".formatted(50 * KIB, 61 * KIB));
    }

    @Test
    void whatChangesBetweenTheSnapshotAndTheEndIsInIt() {
        fill();
        trial.makeDirectory(ROOT, "/outside", 0777);
        trial.file(BOB, "/outside/in", 7);
        LeaseRef upload = trial.upload(ALICE, "/d/running", Intent.NEW, 100);
        trial.quota("/d", -1, -1);
        trial.done(ALICE, new Mutation.RemoveFile(path("/d/f")));
        List<QuotaCommand.AddCounted> parts = counted(2);

        trial.done(ROOT, new Mutation.Rename(path("/d/e/h"), path("/outside/out"), false));
        trial.done(ROOT, new Mutation.Rename(path("/outside/in"), path("/d/in"), false));
        trial.done(ALICE, Trial.commit(upload, 100));
        bring(parts);

        assertThat(parts).hasSizeGreaterThan(1);
        assertThat(row("/d", QuotaKind.PROJECT, "").usedBytes()).isEqualTo(20 * KIB + 107);
        assertThat(row("/d", QuotaKind.PROJECT, "").reservedBytes()).isZero();
        assertThat(row("/d", QuotaKind.USER, "bob").usedBytes()).isEqualTo(7);
    }

    @Test
    void whoeverLeadsNextGoesOnWhereTheCommandsStopped() {
        fill();
        trial.quota("/d", -1, -1);
        List<QuotaCommand.AddCounted> first = counted(2);
        trial.done(ROOT, first.getFirst());
        trial.file(BOB, "/d/k", KIB);

        List<QuotaCommand.AddCounted> second = counted(2);
        trial.done(ROOT, first.getFirst());
        bring(second);

        assertThat(second.getFirst()).isEqualTo(first.get(1));
        assertThat(row("/d", QuotaKind.PROJECT, "").usedBytes()).isEqualTo(61 * KIB);
        assertThat(trial.refused(ROOT, first.getLast())).isInstanceOf(FsError.NotFound.class);
    }

    @Test
    void aPartThatComesTooEarlyIsRefused() {
        fill();
        trial.quota("/d", -1, -1);
        List<QuotaCommand.AddCounted> parts = counted(2);

        assertThat(trial.refused(ROOT, parts.get(1))).isInstanceOf(FsError.InvalidArgument.class);
        assertThat(trial.refused(ALICE, parts.getFirst()))
                .isInstanceOf(FsError.PermissionDenied.class);
        bring(parts);
    }

    @Test
    void aNodeThatIsRemovedMeanwhileIsNotCountedAnyMore() {
        fill();
        trial.quota("/d", 1, -1);
        List<QuotaCommand.AddCounted> late = counted(100);

        trial.done(ROOT, new Mutation.RemoveQuota(path("/d")));
        assertThat(trial.refused(ROOT, late.getFirst())).isInstanceOf(FsError.NotFound.class);
        trial.quota("/d", 1, -1);
        assertThat(trial.refused(ROOT, late.getFirst())).isInstanceOf(FsError.NotFound.class);

        bring(counted(100));
        assertThat(row("/d", QuotaKind.PROJECT, "").usedFiles()).isEqualTo(3);
    }

    @Test
    void aCountThatWouldBeWrongIsNotTaken() {
        fill();
        trial.quota("/d", -1, -1);
        QuotaCommand.AddCounted right = counted(100).getFirst();
        trial.done(ALICE, new Mutation.RemoveFile(path("/d/f")));
        var nothing =
                new QuotaCommand.AddCounted(right.node(), right.countId(), 0, List.of(), true);

        assertThat(trial.refused(ROOT, nothing))
                .isInstanceOfSatisfying(
                        FsError.Internal.class,
                        error -> assertThat(error.message()).contains("the count of /d is wrong"));
        trial.done(ROOT, right);
    }

    @Test
    void nodesAboveAndBelowCountAsBeforeWhileOneIsCounted() {
        fill();
        trial.quota("/d/e", 60 * KIB, -1);
        trial.quota("/d", 1, -1);

        assertThat(trial.refused(ALICE, open("/d/e/i", Intent.NEW, 11 * KIB)).message())
                .contains("at /d/e:");
        trial.file(ALICE, "/d/e/i", 10 * KIB);

        bring(counted(100));
        assertThat(row("/d", QuotaKind.PROJECT, "").usedBytes()).isEqualTo(70 * KIB);
        assertThat(row("/d/e", QuotaKind.PROJECT, "").usedBytes()).isEqualTo(60 * KIB);
        assertThat(trial.total().usedBytes()).isEqualTo(70 * KIB);
    }

    @Test
    void defaultsHoldForWhoeverHasNoLimitOfTheirOwn() {
        trial.makeDirectory(ROOT, "/d", 0777);
        trial.done(
                ROOT,
                new Mutation.SetDefaultQuota(
                        path("/d"), QuotaKind.USER, bytes(OptionalLong.of(100))));
        limit("bob", OptionalLong.of(-1));

        assertThat(trial.refused(ALICE, open("/d/f", Intent.NEW, 101)).message())
                .contains("at /d of user alice: limit 100 bytes, used 0");
        trial.file(ALICE, "/d/f", 100);
        trial.file(BOB, "/d/g", 101);
        assertThat(row("/d", QuotaKind.USER, "alice").byDefault()).isTrue();
        assertThat(row("/d", QuotaKind.USER, "alice").limitBytes()).hasValue(100);
        assertThat(row("/d", QuotaKind.USER, "bob").limitBytes()).isEmpty();
        assertThat(row("/d", QuotaKind.USER, "").isDefault()).isTrue();

        limit("bob", OptionalLong.of(-2));

        assertThat(trial.refused(BOB, open("/d/h", Intent.NEW, 1)).message())
                .contains("limit 100 bytes, used 101");
    }

    @Test
    void whoHasNeverOwnedAnythingSeesTheDefaultOfTheNode() {
        trial.makeDirectory(ROOT, "/d", 0777);
        trial.done(
                ROOT,
                new Mutation.SetDefaultQuota(
                        path("/d"), QuotaKind.GROUP, bytes(OptionalLong.of(100))));

        assertThat(trial.queries().quotasAt(Trial.CAROL, path("/d")))
                .anySatisfy(row -> {
                    assertThat(row.principal()).isEqualTo("guests");
                    assertThat(row.limitBytes()).hasValue(100);
                });
    }

    @Test
    void aDefaultThatIsLiftedHoldsForNobody() {
        trial.makeDirectory(ROOT, "/d", 0777);
        for (long limit : new long[] {100, -2}) {
            trial.done(
                    ROOT,
                    new Mutation.SetDefaultQuota(
                            path("/d"), QuotaKind.USER, bytes(OptionalLong.of(limit))));
        }

        trial.file(ALICE, "/d/f", 101);

        assertThat(trial.queries().quotas()).noneMatch(QuotaReport::isDefault);
    }

    @Test
    void aSoftLimitWarnsAndRefusesNothing() {
        trial.makeDirectory(ROOT, "/d", 0777);
        trial.done(
                ROOT,
                new Mutation.SetQuota(
                        path("/d"),
                        QuotaKind.PROJECT,
                        "",
                        new QuotaChange(
                                OptionalLong.of(100),
                                OptionalLong.empty(),
                                OptionalLong.of(50),
                                OptionalLong.empty())));

        trial.file(ALICE, "/d/f", 49);
        assertThat(row("/d", QuotaKind.PROJECT, "").level()).isEqualTo(QuotaReport.Level.OK);
        trial.file(ALICE, "/d/g", 1);
        assertThat(row("/d", QuotaKind.PROJECT, "").level()).isEqualTo(QuotaReport.Level.WARNING);
        trial.file(ALICE, "/d/h", 50);
        assertThat(row("/d", QuotaKind.PROJECT, "").level()).isEqualTo(QuotaReport.Level.EXCEEDED);
    }

    private static QuotaChange bytes(OptionalLong limit) {
        return QuotaChange.hard(limit, OptionalLong.empty());
    }

    private void limit(String user, OptionalLong bytes) {
        trial.done(ROOT, new Mutation.SetQuota(path("/d"), QuotaKind.USER, user, bytes(bytes)));
    }
}
