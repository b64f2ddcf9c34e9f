package org.cepheus.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cepheus.namespace.Trial.ALICE;
import static org.cepheus.namespace.Trial.BOB;
import static org.cepheus.namespace.Trial.ROOT;
import static org.cepheus.namespace.Trial.commit;
import static org.cepheus.namespace.Trial.open;
import static org.cepheus.namespace.Trial.path;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.cepheus.domain.FsError;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.rules.FleetRules;
import org.junit.jupiter.api.Test;

/** The life of an upload: core decisions, section 3. */
class UploadTest {
    private static final long MIB = 1 << 20;

    private final Trial trial = new Trial();

    @Test
    void aNameStaysFreeUntilCommit() {
        LeaseRef lease = trial.upload(ALICE, "/f", Intent.NEW, 5);
        assertThat(trial.exists("/f")).isFalse();

        trial.done(ALICE, commit(lease, 5));

        assertThat(trial.stat("/f").sizeBytes()).isEqualTo(5);
        assertThat(trial.stat("/f").owner()).isEqualTo("alice");
        assertThat(trial.total().reservedBytes()).isZero();
    }

    @Test
    void aCommitMayBeRepeatedWhileItsContentLives() {
        LeaseRef lease = trial.file(ALICE, "/f", 5);

        assertThat(trial.run(ALICE, commit(lease, 5))).isInstanceOf(Reply.Committed.class);
        trial.done(ALICE, new Mutation.Rename(path("/f"), path("/g"), false));
        assertThat(trial.run(ALICE, commit(lease, 5))).isInstanceOf(Reply.Committed.class);
        assertThat(trial.total().usedFiles()).isEqualTo(1);
    }

    @Test
    void aCommitRepeatedAfterAReplacementIsGone() {
        LeaseRef first = trial.file(ALICE, "/f", 5);
        trial.file(ALICE, "/f", 6);

        assertThat(trial.refused(ALICE, commit(first, 5))).isInstanceOf(FsError.LeaseGone.class);
        assertThat(trial.stat("/f").sizeBytes()).isEqualTo(6);
    }

    @Test
    void aCommitIntoAFileThatCameMeanwhileMayBeRepeatedUnderEveryLaterName() {
        LeaseRef first = trial.upload(ALICE, "/f", Intent.REPLACE, 5);
        trial.file(ALICE, "/f", 6);
        trial.done(ALICE, commit(first, 5));
        trial.done(ALICE, new Mutation.Rename(path("/f"), path("/g"), false));

        assertThat(trial.run(ALICE, commit(first, 5))).isInstanceOf(Reply.Committed.class);
        trial.done(ALICE, new Mutation.RemoveFile(path("/g")));
        assertThat(trial.refused(ALICE, commit(first, 5))).isInstanceOf(FsError.LeaseGone.class);
    }

    @Test
    void aCommitMayBeRepeatedAfterItsContentWasUpdatedInPlace() {
        LeaseRef first = trial.file(ALICE, "/f", 5);
        LeaseRef update = trial.upload(ALICE, "/f", Intent.UPDATE, -1);
        trial.done(ALICE, commit(update, 7));

        assertThat(trial.run(ALICE, commit(first, 5))).isInstanceOf(Reply.Committed.class);
        assertThat(trial.stat("/f").sizeBytes()).isEqualTo(7);
    }

    @Test
    void aLateHelloOfAnEarlierBootEndsNothing() {
        trial.register(Trial.BOOT - 1);
        trial.register(Trial.BOOT);
        LeaseRef running = trial.upload(ALICE, "/f", Intent.NEW, 5);

        assertThat(trial.refused(ROOT, Trial.hello(Trial.BOOT - 1)))
                .isInstanceOf(FsError.AlreadyExists.class);
        trial.done(ROOT, new FleetCommand.RenewSession(Trial.FST, Trial.BOOT, List.of(running)));
        trial.done(ALICE, commit(running, 5));
    }

    @Test
    void anUnsettledFileIsWhatItsStorageSaysAndMayBeWrittenAgain() {
        trial.file(ALICE, "/f", 5);
        LeaseRef lost = trial.upload(ALICE, "/f", Intent.UPDATE, -1);
        trial.done(ALICE, new LeaseCommand.Abort(lost, "the FST was lost"));
        var unsettled = trial.queries().unsettled(10).getFirst();
        assertThat(unsettled.path()).isEqualTo(path("/f"));
        assertThat(unsettled.lost().bootId()).isEqualTo(Trial.BOOT);
        var modified = java.time.Instant.parse("2026-11-20T10:00:00Z");
        var settle =
                new FleetCommand.SettleFile(
                        unsettled.inode(), unsettled.lost().dataId(), 9, modified);

        trial.done(ROOT, settle);

        assertThat(trial.queries().unsettled(10)).isEmpty();
        assertThat(trial.stat("/f").sizeBytes()).isEqualTo(9);
        assertThat(trial.stat("/f").modified()).isEqualTo(modified);
        assertThat(trial.stat("/f").checksums()).isEmpty();
        assertThat(trial.stat("/f").underUpdate()).isFalse();
        assertThat(trial.stat("/f").contentVersion()).isNotEqualTo(lost.id());
        assertThat(trial.total().usedBytes()).isEqualTo(9);
        assertThat(trial.refused(ROOT, settle)).isInstanceOf(FsError.NotFound.class);
        trial.done(ALICE, commit(trial.upload(ALICE, "/f", Intent.UPDATE, -1), 3));
    }

    @Test
    void aFileThatWasReplacedOrRemovedNeedsNoSettling() {
        trial.file(ALICE, "/f", 5);
        trial.file(ALICE, "/g", 5);
        for (String name : List.of("/f", "/g")) {
            LeaseRef lost = trial.upload(ALICE, name, Intent.UPDATE, -1);
            trial.done(ALICE, new LeaseCommand.Abort(lost, "the FST was lost"));
        }

        trial.file(ALICE, "/f", 6);
        trial.done(ALICE, new Mutation.RemoveFile(path("/g")));

        assertThat(trial.queries().unsettled(10)).isEmpty();
    }

    @Test
    void anotherSizeThanDeclaredStoresNothingAndLeavesTheLeaseForItsAbort() {
        LeaseRef lease = trial.upload(ALICE, "/f", Intent.NEW, 5);

        assertThat(trial.refused(ALICE, commit(lease, 4)).message()).contains("4", "5", "'f'");
        assertThat(trial.exists("/f")).isFalse();

        trial.done(ALICE, new LeaseCommand.Abort(lease, "size"));
        assertThat(trial.total().reservedBytes()).isZero();
        assertThat(trial.garbage()).isEqualTo(1);
    }

    @Test
    void anAbortMayBeRepeatedAndDoesNothingAfterACommit() {
        LeaseRef lease = trial.file(ALICE, "/f", 5);

        trial.done(ALICE, new LeaseCommand.Abort(lease, "late"));
        trial.done(ALICE, new LeaseCommand.Abort(lease, "later"));

        assertThat(trial.exists("/f")).isTrue();
        assertThat(trial.garbage()).isZero();
    }

    @Test
    void twoUploadsOfOneNameBothRunAndTheLastCommitWins() {
        LeaseRef first = trial.upload(ALICE, "/f", Intent.REPLACE, 5);
        LeaseRef second = trial.upload(ALICE, "/f", Intent.REPLACE, 6);

        trial.done(ALICE, commit(second, 6));
        trial.done(ALICE, commit(first, 5));

        assertThat(trial.stat("/f").contentVersion()).isEqualTo(first.id());
        assertThat(trial.garbage()).isEqualTo(1);
        assertThat(trial.total().usedBytes()).isEqualTo(5);
    }

    @Test
    void newIsCheckedAgainAtCommit() {
        LeaseRef first = trial.upload(ALICE, "/f", Intent.NEW, 5);
        LeaseRef second = trial.upload(ALICE, "/f", Intent.NEW, 6);
        trial.done(ALICE, commit(second, 6));

        assertThat(trial.refused(ALICE, commit(first, 5)))
                .isInstanceOf(FsError.AlreadyExists.class);
        assertThat(trial.refused(ALICE, open("/f", Intent.NEW, 1)))
                .isInstanceOf(FsError.AlreadyExists.class);
    }

    @Test
    void replacesOnlyTheVersionThatTheClientNamed() {
        trial.file(ALICE, "/f", 5);
        long version = trial.stat("/f").contentVersion();
        LeaseRef first = trial.upload(ALICE, "/f", Intent.REPLACE, 6);
        LeaseRef second = trial.upload(ALICE, "/f", Intent.REPLACE, 7);

        trial.done(ALICE, commitOver(first, 6, version));
        trial.done(ALICE, commitOver(first, 6, version));

        assertThat(trial.refused(ALICE, commitOver(second, 7, version)))
                .isInstanceOf(FsError.AlreadyExists.class);
        assertThat(trial.stat("/f").sizeBytes()).isEqualTo(6);
    }

    private static LeaseCommand.Commit commitOver(LeaseRef lease, long size, long version) {
        return new LeaseCommand.Commit(
                lease, size, List.of(), Optional.empty(), OptionalLong.of(version));
    }

    @Test
    void aReplacementKeepsTheInodeAndItsAttributesButNotTheVersion() {
        trial.file(ALICE, "/f", 5);
        var before = trial.stat("/f");
        trial.done(
                ALICE,
                new Mutation.SetAttribute(
                        path("/f"),
                        "user.a",
                        org.cepheus.domain.codec.Bytes.copyOf(new byte[] {1}),
                        false));
        trial.file(ALICE, "/f", 6);

        assertThat(trial.stat("/f").inode()).isEqualTo(before.inode());
        assertThat(trial.stat("/f").contentVersion()).isNotEqualTo(before.contentVersion());
        assertThat(trial.queries().attributes(ALICE, path("/f"))).containsOnlyKeys("user.a");
    }

    @Test
    void removingANameAbortsTheUploadsOnItSoThatNoLateCommitBringsItBack() {
        trial.file(ALICE, "/f", 5);
        LeaseRef running = trial.upload(ALICE, "/f", Intent.REPLACE, 9);

        trial.done(ALICE, new Mutation.RemoveFile(path("/f")));

        assertThat(trial.refused(ALICE, commit(running, 9))).isInstanceOf(FsError.LeaseGone.class);
        assertThat(trial.exists("/f")).isFalse();
        assertThat(trial.total().usedBytes() + trial.total().reservedBytes()).isZero();
        assertThat(trial.garbage()).isEqualTo(2);
    }

    @Test
    void removingANameThatOnlyAnUploadClaimsEndsTheUpload() {
        LeaseRef running = trial.upload(ALICE, "/f", Intent.NEW, 9);

        trial.done(ALICE, new Mutation.RemoveFile(path("/f")));

        assertThat(trial.refused(ALICE, commit(running, 9))).isInstanceOf(FsError.LeaseGone.class);
    }

    @Test
    void inAStickyDirectoryNobodyEndsTheUploadOfAnother() {
        LeaseRef running = trial.upload(ALICE, "/f", Intent.NEW, 9);

        assertThat(trial.refused(BOB, new Mutation.RemoveFile(path("/f"))))
                .isInstanceOf(FsError.PermissionDenied.class);
        trial.done(ALICE, commit(running, 9));
    }

    @Test
    void aDirectoryWithARunningUploadIsNotEmptyAndNamesTheHolder() {
        trial.makeDirectory(ALICE, "/d", 0755);
        trial.upload(ALICE, "/d/f", Intent.NEW, 9);

        assertThat(trial.refused(ALICE, new Mutation.RemoveDirectory(path("/d"))).message())
                .contains("f is being uploaded by alice from 127.0.0.1");
    }

    @Test
    void anUploadFollowsItsDirectoryWhenThatIsRenamed() {
        trial.makeDirectory(ALICE, "/d", 0755);
        LeaseRef running = trial.upload(ALICE, "/d/f", Intent.NEW, 9);
        trial.done(ALICE, new Mutation.Rename(path("/d"), path("/e"), false));

        trial.done(ALICE, commit(running, 9));

        assertThat(trial.exists("/e/f")).isTrue();
    }

    @Test
    void permissionIsDecidedAtOpenAndNotAgainAtCommit() {
        trial.makeDirectory(ALICE, "/d", 0777);
        LeaseRef running = trial.upload(BOB, "/d/f", Intent.NEW, 9);
        trial.done(ALICE, new Mutation.SetMode(path("/d"), 0700));

        trial.done(BOB, commit(running, 9));

        assertThat(trial.stat("/d/f").owner()).isEqualTo("bob");
    }

    @Test
    void onlyOneWriterIsInAFileInPlaceAndTheOtherHearsWhoAndHowLong() {
        trial.file(ALICE, "/f", 5);
        LeaseRef writer = trial.upload(ALICE, "/f", Intent.UPDATE, -1);
        trial.pass(30);

        assertThat(trial.refused(ALICE, open("/f", Intent.UPDATE, -1)).message())
                .contains("alice from 127.0.0.1, for 30 s");
        assertThat(trial.stat("/f").underUpdate()).isTrue();
        assertThat(trial.stat("/f").sizeBytes()).isEqualTo(5);

        trial.done(ALICE, commit(writer, 8));
        assertThat(trial.stat("/f").sizeBytes()).isEqualTo(8);
        assertThat(trial.stat("/f").underUpdate()).isFalse();
    }

    @Test
    void aLostWriterInPlaceLeavesTheFileUnsettledForWritersButNotForReplacement() {
        trial.file(ALICE, "/f", 5);
        LeaseRef writer = trial.upload(ALICE, "/f", Intent.UPDATE, -1);
        trial.done(ALICE, new LeaseCommand.Abort(writer, "lost"));

        assertThat(trial.refused(ALICE, open("/f", Intent.UPDATE, -1)))
                .isInstanceOf(FsError.FileLocked.class);
        assertThat(trial.refused(ALICE, commit(writer, 6))).isInstanceOf(FsError.LeaseGone.class);
        assertThat(trial.stat("/f").underUpdate()).isTrue();

        trial.file(ALICE, "/f", 7);
        assertThat(trial.stat("/f").underUpdate()).isFalse();
    }

    @Test
    void aReplacementPutsTheWriterInPlaceOut() {
        trial.file(ALICE, "/f", 5);
        LeaseRef writer = trial.upload(ALICE, "/f", Intent.UPDATE, -1);
        trial.file(ALICE, "/f", 7);

        assertThat(trial.refused(ALICE, commit(writer, 6))).isInstanceOf(FsError.LeaseGone.class);
        assertThat(trial.stat("/f").sizeBytes()).isEqualTo(7);
        assertThat(trial.stat("/f").underUpdate()).isFalse();
    }

    @Test
    void whatWasOpenedToReplaceARenamedFileBecomesAFileOfItsOwn() {
        trial.file(ALICE, "/f", 5);
        long inode = trial.stat("/f").inode();
        LeaseRef running = trial.upload(ALICE, "/f", Intent.REPLACE, 9);
        trial.done(ALICE, new Mutation.Rename(path("/f"), path("/g"), false));

        trial.done(ALICE, commit(running, 9));

        assertThat(trial.stat("/g").inode()).isEqualTo(inode);
        assertThat(trial.stat("/f").inode()).isNotEqualTo(inode);
        assertThat(trial.total().usedBytes()).isEqualTo(14);
    }

    @Test
    void theInodeOfAFileThatIsGoneIsNotGivenAgain() {
        trial.file(ALICE, "/f", 5);
        long inode = trial.stat("/f").inode();
        LeaseRef running = trial.upload(ALICE, "/f", Intent.REPLACE, 9);
        trial.file(ALICE, "/g", 1);
        trial.done(ALICE, new Mutation.Rename(path("/g"), path("/f"), true));
        trial.done(ALICE, new Mutation.Rename(path("/f"), path("/h"), false));

        trial.done(ALICE, commit(running, 9));

        assertThat(trial.stat("/f").inode()).isNotEqualTo(inode);
    }

    @Test
    void aReferenceWithAnotherInodeIsNoLease() {
        LeaseRef lease = trial.upload(ALICE, "/f", Intent.REPLACE, 9);
        var forged = new LeaseRef(lease.parent(), lease.name(), lease.id(), lease.inode() + 1);

        List<Reply> replies = trial.all(ALICE, commit(lease, 9), commit(forged, 9));

        assertThat(replies.getFirst()).isInstanceOf(Reply.Committed.class);
        assertThat(trial.total().usedFiles()).isEqualTo(1);
    }

    @Test
    void aSizeBeyondAllCountingIsRefusedAndStopsNobody() {
        LeaseCommand.OpenForWrite huge = open("/f", Intent.NEW, Long.MAX_VALUE);

        assertThat(trial.refused(ALICE, huge)).isInstanceOf(FsError.QuotaExceeded.class);
        trial.upload(ALICE, "/g", Intent.NEW, 1L << 60);
        trial.upload(ALICE, "/h", Intent.NEW, 1L << 60);
        assertThat(trial.refused(ALICE, open("/i", Intent.NEW, 1L << 60)))
                .isInstanceOf(FsError.QuotaExceeded.class);
    }

    @Test
    void withoutASizeSixteenMebibytesAreReservedAndLessNearTheLimit() {
        assertThat(trial.opened(ALICE, open("/f", Intent.NEW, -1)).reservedBytes())
                .isEqualTo(16 * MIB);
        trial.quota("/", 16 * MIB + 5 * MIB, -1);

        assertThat(trial.opened(ALICE, open("/g", Intent.NEW, -1)).reservedBytes())
                .isEqualTo(4 * MIB);
        assertThat(trial.opened(ALICE, open("/h", Intent.NEW, -1)).reservedBytes()).isEqualTo(MIB);
        assertThat(trial.refused(ALICE, open("/i", Intent.NEW, -1)))
                .isInstanceOf(FsError.QuotaExceeded.class);
    }

    @Test
    void anExtensionIsGivenWholeOrNotAtAll() {
        LeaseRef lease = trial.upload(ALICE, "/f", Intent.NEW, -1);
        trial.quota("/", 18 * MIB, -1);

        assertThat(trial.refused(ALICE, new LeaseCommand.ExtendReservation(lease, 18 * MIB + 1)))
                .isInstanceOf(FsError.QuotaExceeded.class);
        assertThat(trial.run(ALICE, new LeaseCommand.ExtendReservation(lease, 18 * MIB)))
                .isEqualTo(new Reply.Extended(18 * MIB));
        assertThat(trial.run(ALICE, new LeaseCommand.ExtendReservation(lease, 1)))
                .isEqualTo(new Reply.Extended(18 * MIB));
    }

    @Test
    void aReplacementOfTheSameSizeFitsAtTheLimit() {
        trial.file(ALICE, "/f", 100);
        trial.quota("/", 100, 1);

        assertThat(trial.opened(ALICE, open("/f", Intent.REPLACE, 100)).reservedBytes()).isZero();
        trial.file(ALICE, "/f", 100);
        assertThat(trial.refused(ALICE, open("/f", Intent.REPLACE, 101)))
                .isInstanceOf(FsError.QuotaExceeded.class);
    }

    @Test
    void anOpenPlacedOnABootThatIsOverIsTriedAgain() {
        trial.register(Trial.BOOT + 1);

        assertThat(trial.refused(ALICE, open("/f", Intent.NEW, 1)))
                .isInstanceOf(FsError.Unavailable.class);
    }

    @Test
    void anFstThatRestartedLosesItsUploads() {
        trial.register(Trial.BOOT);
        LeaseRef lost = trial.upload(ALICE, "/f", Intent.NEW, 1);
        trial.register(Trial.BOOT);
        assertThat(trial.queries().uploads(10)).hasSize(1);

        trial.register(Trial.BOOT + 1);

        assertThat(trial.queries().uploads(10)).isEmpty();
        assertThat(trial.refused(ALICE, commit(lost, 1))).isInstanceOf(FsError.LeaseGone.class);
    }

    @Test
    void anUploadNobodyCameForLivesFiveMinutesAndAnOpenedOneAsLongAsItsFstSpeaks() {
        trial.register(Trial.BOOT);
        LeaseRef opened = trial.upload(ALICE, "/f", Intent.NEW, 1);
        trial.upload(ALICE, "/g", Intent.NEW, 1);
        trial.done(ROOT, new FleetCommand.RenewSession(Trial.FST, Trial.BOOT, List.of(opened)));

        trial.pass(FleetRules.GRANTED_NANOS / 1_000_000_000L);
        assertThat(trial.run(ROOT, new FleetCommand.ExpireLeases(10)))
                .isEqualTo(new Reply.Expired(0));
        trial.pass(1);
        assertThat(trial.run(ROOT, new FleetCommand.ExpireLeases(10)))
                .isEqualTo(new Reply.Expired(1));
        trial.pass(299);
        trial.done(ROOT, new FleetCommand.RenewSession(Trial.FST, Trial.BOOT, List.of()));
        trial.pass(600);
        assertThat(trial.run(ROOT, new FleetCommand.ExpireLeases(10)))
                .isEqualTo(new Reply.Expired(0));
        trial.pass(1);
        assertThat(trial.run(ROOT, new FleetCommand.ExpireLeases(10)))
                .isEqualTo(new Reply.Expired(1));
    }

    @Test
    void anExpiryEndsNoMoreThanItWasAsked() {
        for (String name : List.of("/a", "/b", "/c")) {
            trial.upload(ALICE, name, Intent.NEW, 1);
        }
        trial.pass(301);

        assertThat(trial.run(ROOT, new FleetCommand.ExpireLeases(2)))
                .isEqualTo(new Reply.Expired(2));
        assertThat(trial.run(ROOT, new FleetCommand.ExpireLeases(0)))
                .isEqualTo(new Reply.Expired(0));
        assertThat(trial.queries().uploads(10)).hasSize(1);
    }

    @Test
    void anFstRenewsOnlyItsOwnUploads() {
        trial.register(Trial.BOOT);
        LeaseRef lease = trial.upload(ALICE, "/f", Intent.NEW, 1);
        trial.done(
                ROOT,
                new FleetCommand.RegisterFst(
                        new org.cepheus.domain.FstAddress(2, "other", 1, 2), 5, List.of()));

        trial.done(ROOT, new FleetCommand.RenewSession(2, 5, List.of(lease)));

        assertThat(trial.queries().uploads(1).getFirst().lease().opened()).isFalse();
    }

    @Test
    void aRefusedCommandLeavesTheOthersOfItsEntryAlone() {
        List<Reply> replies =
                trial.all(
                        ALICE,
                        new Mutation.MakeDirectory(path("/d"), 0755, false),
                        new LeaseCommand.OpenForWrite(
                                path("/d/x/y/f"),
                                Intent.UPDATE,
                                true,
                                0644,
                                OptionalLong.empty(),
                                new LeaseCommand.Placement(1, Trial.FST, Trial.BOOT)),
                        new Mutation.MakeDirectory(path("/d/e"), 0755, false));

        assertThat(replies.get(1)).isInstanceOf(Reply.Refused.class);
        assertThat(trial.exists("/d/e")).isTrue();
        assertThat(trial.exists("/d/x")).isFalse();
    }

    @Test
    void theNumbersOfPeopleDoNotRunOutWithTheNumbersOfFiles() {
        var wide = new Trial();
        wide.store()
                .write(
                        List.of(
                                org.cepheus.namespace.store.Change.put(
                                        org.cepheus.namespace.store.Family.META,
                                        org.cepheus.namespace.rows.Tables.HEADS.keyBytes("head"),
                                        org.cepheus.namespace.rows.Tables.HEADS.valueBytes(
                                                afterARestore(wide)))));
        var restored = Namespace.open(wide.store(), Trial.CLUSTER);

        restored.apply(
                1, 0, wide.entry(ALICE, new Mutation.MakeDirectory(path("/d"), 0755, false)));

        assertThat(restored.queries().stat(ALICE, path("/d")).owner()).isEqualTo("alice");
        assertThat(restored.queries().stat(ALICE, path("/d")).inode())
                .isGreaterThanOrEqualTo(1L << 32);
    }

    // A restore from a backup adds 2^32 to the counter, so that no id is given twice.
    private static org.cepheus.namespace.rows.Rows.Head afterARestore(Trial trial) {
        var head = trial.namespace().head();
        return head.withCounters(head.nextId() + (1L << 32), head.nextPrincipal());
    }
}
