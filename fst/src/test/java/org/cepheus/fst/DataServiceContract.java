package org.cepheus.fst;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.Location;
import org.cepheus.domain.port.DataFile;
import org.junit.jupiter.api.Test;

/** How uploads, reads and delete orders end, on whichever volume. */
abstract class DataServiceContract extends DataServiceFixture {
    @Test
    void anUploadIsCommittedWithItsSizeAndChecksums() throws Exception {
        DataFile file = open(declaring(11));
        get(file.write(0, bytes("hello "), bytes("world")));

        FileStatus status = get(file.commit(List.of()));

        byte[] whole = "hello world".getBytes(UTF_8);
        assertThat(status.sizeBytes()).isEqualTo(11);
        assertThat(status.checksums()).containsExactly(adler(whole), crc(whole));
        assertThat(stored(ID)).isEqualTo("hello world");
        assertThat(leases.opened).hasSize(1);
        assertThat(leases.aborts).isEmpty();
    }

    @Test
    void chunksMayArriveInAnyOrder() throws Exception {
        var random = new Random(7);
        byte[] whole = new byte[100_003];
        random.nextBytes(whole);
        var chunks = new ArrayList<Integer>();
        for (int at = 0; at < whole.length; at += 1_000) {
            chunks.add(at);
        }
        Collections.shuffle(chunks, random);
        DataFile file = open(declaring(whole.length));

        var writes = new ArrayList<CompletionStage<Void>>();
        for (int at : chunks) {
            int length = Math.min(1_000, whole.length - at);
            writes.add(file.write(at, ByteBuffer.wrap(whole, at, length)));
        }
        for (CompletionStage<Void> write : writes) {
            get(write);
        }

        assertThat(get(file.commit(List.of(crc(whole)))).checksums())
                .containsExactly(adler(whole), crc(whole));
    }

    @Test
    void aCommitWaitsForWritesInFlight() throws Exception {
        DataFile file = open(declaring(4_000));
        for (int i = 0; i < 4_000; i += 4) {
            file.write(i, bytes("abcd"));
        }

        assertThat(get(file.commit(List.of())).sizeBytes()).isEqualTo(4_000);
    }

    @Test
    void whatIsWrittenTwiceIsReadAgainForItsChecksum() throws Exception {
        DataFile file = open(declaring(6));
        get(file.write(0, bytes("abcdef")));
        get(file.write(2, bytes("XY")));

        assertThat(get(file.commit(List.of())).checksums())
                .contains(adler("abXYef".getBytes(UTF_8)));
    }

    @Test
    void holesCountAsZeros() throws Exception {
        DataFile file = open(writing());
        get(file.write(3, bytes("d")));

        assertThat(get(file.commit(List.of())).checksums())
                .contains(adler(new byte[] {0, 0, 0, 'd'}));
    }

    @Test
    void digestsThatAreNotStreamedAreComputedWhenExpected() throws Exception {
        var md5 = new Checksum(ChecksumType.MD5, "900150983cd24fb0d6963f7d28e17f72");
        DataFile file = open(declaring(3));
        get(file.write(0, bytes("abc")));

        assertThat(get(file.commit(List.of(md5))).checksums()).contains(md5);
    }

    @Test
    void anEmptyFileNeverTouchesTheDisk() throws Exception {
        FileStatus status = get(open(declaring(0)).commit(List.of()));

        assertThat(status.checksums()).contains(adler(new byte[0]), crc(new byte[0]));
        assertThatThrownBy(() -> stored(ID)).isInstanceOf(FsException.class);
        DataFile reading = open(TestTickets.reading(ID, 0));
        assertThat(get(reading.read(0, ByteBuffer.allocate(10)))).isZero();
    }

    @Test
    void aCommitMayBeRepeatedByTheSameOrAnotherConnection() throws Exception {
        DataFile file = open(declaring(1));
        get(file.write(0, bytes("x")));
        FileStatus status = get(file.commit(List.of()));

        assertThat(get(file.commit(List.of()))).isEqualTo(status);
        now = TestTickets.NOW.plusSeconds(3_600);
        DataFile again = open(declaring(1));
        assertThat(get(again.commit(List.of()))).isEqualTo(status);
        assertRefused(() -> get(again.write(0, bytes("y"))), FsError.LeaseGone.class, "is closed");
        assertThat(leases.commits).hasSize(1);
    }

    @Test
    void aTruncatedUploadLeavesNothing() throws Exception {
        DataFile file = open(declaring(100));
        get(file.write(0, bytes("only this")));

        assertRefused(
                () -> get(file.commit(List.of())),
                FsError.SizeMismatch.class,
                "declared with 100 bytes, 9 arrived");
        assertNothingIsLeft(ID);
    }

    @Test
    void moreThanWasDeclaredLeavesNothing() throws Exception {
        DataFile file = open(declaring(3));

        assertRefused(
                () -> get(file.write(0, bytes("four"))),
                FsError.SizeMismatch.class,
                "declared with 3 bytes, a write reaches to 4");
        assertRefused(() -> get(file.commit(List.of())), FsError.SizeMismatch.class, "declared");
        assertNothingIsLeft(ID);
    }

    @Test
    void aWrongChecksumLeavesNothing() throws Exception {
        DataFile file = open(writing());
        get(file.write(0, bytes("abc")));

        assertRefused(
                () -> get(file.commit(List.of(Checksum.of(ChecksumType.ADLER32, 1)))),
                FsError.ChecksumMismatch.class,
                "should have adler32:00000001, what arrived has adler32:024d0127");
        assertNothingIsLeft(ID);
    }

    @Test
    void aDamagedPageThatIsNotSentAgainLeavesNothing() throws Exception {
        DataFile file = open(writing());
        get(file.write(0, bytes("abc")));
        file.pageDamaged(0, 3);

        assertRefused(() -> get(file.commit(List.of())), FsError.ChecksumMismatch.class, "1 pages");
        assertNothingIsLeft(ID);
    }

    @Test
    void aMendedPageIsFine() throws Exception {
        DataFile file = open(writing());
        get(file.write(0, bytes("abX")));
        file.pageDamaged(0, 3);
        get(file.write(0, bytes("abc")));
        file.pageMended(0);

        assertThat(get(file.commit(List.of())).checksums()).contains(adler("abc".getBytes(UTF_8)));
    }

    @Test
    void aClientThatGivesUpLeavesNothing() throws Exception {
        DataFile file = open(writing());
        get(file.write(0, bytes("abc")));

        get(file.abort("the client closed with an error"));

        assertNothingIsLeft(ID);
        assertRefused(() -> get(file.commit(List.of())), FsError.LeaseGone.class, "client closed");
    }

    @Test
    void writesBeyondTheReservationWaitForMore() throws Exception {
        DataFile file = open(TestTickets.writing(ID, OptionalLong.empty(), 4));

        get(file.write(0, bytes("abcdefgh")));

        assertThat(leases.extensions).containsExactly(4 + (16L << 20));
        assertThat(get(file.commit(List.of())).sizeBytes()).isEqualTo(8);
    }

    @Test
    void nearTheQuotaOnlyWhatIsNeededIsAskedFor() throws Exception {
        leases.quotaBytes = 10;
        DataFile file = open(TestTickets.writing(ID, OptionalLong.empty(), 4));

        get(file.write(0, bytes("abcdefgh")));

        assertThat(leases.extensions).containsExactly(4 + (16L << 20), 8L);
        assertThat(get(file.commit(List.of())).sizeBytes()).isEqualTo(8);
    }

    @Test
    void aFullQuotaLeavesNothing() throws Exception {
        leases.quotaBytes = 6;
        DataFile file = open(TestTickets.writing(ID, OptionalLong.empty(), 4));
        get(file.write(0, bytes("abcd")));

        assertRefused(
                () -> get(file.write(4, bytes("efgh"))),
                FsError.QuotaExceeded.class,
                "quota exceeded at /atlas");
        assertRefused(
                () -> get(file.commit(List.of())),
                FsError.QuotaExceeded.class,
                "quota exceeded at /atlas");
        assertNothingIsLeft(ID);
    }

    @Test
    void aClientThatComesBackGoesOnWhereItWas() throws Exception {
        DataFile lost = open(declaring(6));
        get(lost.write(0, bytes("abc")));
        lost.detach();
        now = TestTickets.NOW.plusSeconds(300);

        DataFile back = open(declaring(6));
        get(back.write(0, bytes("abcdef")));

        assertThat(get(back.commit(List.of())).checksums())
                .contains(adler("abcdef".getBytes(UTF_8)));
        assertThat(leases.opened).hasSize(1);
    }

    @Test
    void theSameTicketTakesTheUploadOverBeforeTheOldConnectionIsSeenToEnd() throws Exception {
        DataFile before = open(declaring(3));
        get(before.write(0, bytes("abc")));

        DataFile after = open(declaring(3));
        before.detach();

        assertRefused(
                () -> get(before.write(0, bytes("zzz"))), FsError.FileLocked.class, "taken over");
        assertRefused(() -> get(before.commit(List.of())), FsError.FileLocked.class, "taken over");
        assertThat(get(after.commit(List.of())).sizeBytes()).isEqualTo(3);
    }

    @Test
    void aKilledClientThatDoesNotComeBackLeavesNothing() throws Exception {
        DataFile file = open(declaring(6));
        get(file.write(0, bytes("abc")));
        service.giveUpAbandoned(Duration.ZERO);
        assertThat(leases.aborts).isEmpty();

        file.detach();
        service.giveUpAbandoned(FstDataService.HOLD);
        assertThat(leases.aborts).isEmpty();
        service.giveUpAbandoned(Duration.ZERO);

        awaitGone();
        assertNothingIsLeft(ID);
    }

    @Test
    void aFirstOpenAfterTheExpiryIsRefused() {
        now = TestTickets.NOW.plusSeconds(61);

        assertRefused(() -> open(declaring(3)), FsError.TicketExpired.class, "was good until");
        assertRefused(() -> get(service.open("1.AAAA")), FsError.TicketInvalid.class, "no ticket");
    }

    @Test
    void anUnknownOutcomeOfACommitIsNeverAReasonToDelete() throws Exception {
        leases.commitFailure = Optional.of(new FsError.Unavailable("no leader", 1));
        DataFile file = open(declaring(3));
        get(file.write(0, bytes("abc")));
        assertRefused(() -> get(file.commit(List.of())), FsError.Unavailable.class, "no leader");
        assertThat(leases.aborts).isEmpty();

        leases.commitFailure = Optional.empty();
        assertThat(get(file.commit(List.of())).sizeBytes()).isEqualTo(3);
    }

    @Test
    void anUnknownLeaseIsNeverAReasonToDelete() throws Exception {
        leases.commitFailure = Optional.of(new FsError.LeaseGone("unknown lease"));
        DataFile file = open(declaring(3));
        get(file.write(0, bytes("abc")));

        assertRefused(() -> get(file.commit(List.of())), FsError.LeaseGone.class, "unknown lease");

        assertThat(stored(ID)).isEqualTo("abc");
    }

    @Test
    void aMeasureEndsTheUpdateInPlaceAndTellsWhatIsThere() throws Exception {
        DataFile upload = open(TestTickets.writing(ID, OptionalLong.empty(), 100));
        get(upload.write(0, bytes("abcdef")));
        get(upload.commit(List.of()));
        DataFile update = open(TestTickets.updating(900, ID, 6));
        get(update.write(4, bytes("XYZ")));

        var found = get(service.measure(new Location(1, ID), 0));

        assertThat(found.sizeBytes()).isEqualTo(7);
        assertRefused(() -> get(update.write(7, bytes("!"))), FsError.LeaseGone.class, "was lost");
        assertRefused(
                () -> get(service.measure(new Location(1, ID + 1), 0)), FsError.NotFound.class, "");
    }

    @Test
    void nothingIsWrittenInPlaceUnderALeaseThatIsGone() throws Exception {
        DataFile upload = open(TestTickets.writing(ID, OptionalLong.empty(), 100));
        get(upload.write(0, bytes("abcdef")));
        get(upload.commit(List.of()));
        leases.gone = true;

        assertRefused(
                () -> open(TestTickets.updating(900, ID, 6)), FsError.LeaseGone.class, "is gone");
        assertThat(stored(ID)).isEqualTo("abcdef");
    }

    @Test
    void anUpdateInPlaceChangesTheContentThatIsThere() throws Exception {
        DataFile first = open(declaring(6));
        get(first.write(0, bytes("abcdef")));
        get(first.commit(List.of()));

        DataFile update = open(TestTickets.updating(900, ID, 6));
        assertThat(update.sizeBytes()).isEqualTo(6);
        get(update.write(4, bytes("XYZ")));
        FileStatus status = get(update.commit(List.of()));

        assertThat(status.sizeBytes()).isEqualTo(7);
        assertThat(status.checksums()).contains(adler("abcdXYZ".getBytes(UTF_8)));
        assertThat(stored(ID)).isEqualTo("abcdXYZ");
    }

    @Test
    void anUpdateThatIsAbortedKeepsItsData() throws Exception {
        DataFile first = open(declaring(6));
        get(first.write(0, bytes("abcdef")));
        get(first.commit(List.of()));
        DataFile update = open(TestTickets.updating(900, ID, 6));
        get(update.truncate(2));

        get(update.abort("client gone"));

        assertThat(stored(ID)).isEqualTo("ab");
        assertThat(leases.aborts).hasSize(1);
    }

    @Test
    void anUploadWhoseContentIsOrderedToBeDeletedEnds() throws Exception {
        DataFile file = open(declaring(6));
        get(file.write(0, bytes("abc")));

        assertThat(get(service.delete(1, List.of(ID)))).isEmpty();

        assertRefused(
                () -> get(file.write(3, bytes("def"))),
                FsError.LeaseGone.class,
                "removed or replaced");
        awaitGone();
        assertThatThrownBy(() -> stored(ID)).isInstanceOf(FsException.class);
    }

    @Test
    void anUploadThatAnOperatorEndsTellsItsClientAtOnceAndLeavesNothing() throws Exception {
        DataFile file = open(declaring(6));
        get(file.write(0, bytes("abc")));
        LeaseRef lease = file.ticket().lease().orElseThrow();

        get(service.endUpload(lease, "ended by ana"));

        assertRefused(() -> get(file.lost()), FsError.LeaseGone.class, "was ended by ana");
        assertRefused(
                () -> get(file.write(3, bytes("def"))),
                FsError.LeaseGone.class,
                "the upload of /atlas/run7 was ended by ana");
        assertNothingIsLeft(ID);
        get(service.endUpload(lease, "ended by ana"));
    }

    @Test
    void anUploadThatAnOperatorEndsBeforeItsClientComesDoesNotBegin() throws Exception {
        LeaseRef lease = TestTickets.writing(ID, OptionalLong.of(3), 3).lease().orElseThrow();
        get(service.endUpload(lease, "ended by ana"));

        DataFile file = open(declaring(3));

        assertRefused(
                () -> get(file.write(0, bytes("abc"))), FsError.LeaseGone.class, "ended by ana");
        assertThat(leases.opened).isEmpty();
    }

    @Test
    void takesAnnouncedDigestsWhileTheBytesArriveAndStoresThem() throws Exception {
        DataFile file = open(declaring(6));
        file.wantChecksums(Set.of(ChecksumType.MD5, ChecksumType.SHA256));
        get(file.write(0, bytes("abc")));
        get(file.write(3, bytes("de"), bytes("f")));

        get(file.commit(digests("abcdef")));

        assertThat(leases.commits.getFirst().checksums()).containsAll(digests("abcdef"));
    }

    @Test
    void readsAgainForDigestsOfBytesOutOfOrder() throws Exception {
        DataFile file = open(declaring(6));
        file.wantChecksums(Set.of(ChecksumType.MD5));
        get(file.write(3, bytes("def")));
        get(file.write(0, bytes("abc")));

        get(file.commit(digests("abcdef")));

        assertThat(leases.commits.getFirst().checksums()).containsAll(digests("abcdef"));
    }

    @Test
    void aWrongDigestLeavesNothing() throws Exception {
        DataFile file = open(declaring(3));
        file.wantChecksums(Set.of(ChecksumType.MD5));
        get(file.write(0, bytes("abc")));

        assertRefused(
                () -> get(file.commit(digests("abd"))),
                FsError.ChecksumMismatch.class,
                "what arrived has md5:900150983cd24fb0d6963f7d28e17f72");
        assertNothingIsLeft(ID);
    }
}
