package org.cepheus.fst;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.port.DataFile;
import org.cepheus.protocol.control.OpenReads;
import org.junit.jupiter.api.Test;

/** What readers get, on whichever volume. */
abstract class ReaderContract extends DataServiceFixture {
    private static String read(DataFile file, int length) throws Exception {
        var into = ByteBuffer.allocate(length);
        assertThat(get(file.read(0, into))).isEqualTo(length);
        return UTF_8.decode(into.flip()).toString();
    }

    @Test
    void readersKeepTheContentWhenItIsOrderedToBeDeleted() throws Exception {
        store("abc".getBytes(UTF_8));
        DataFile reading = open(TestTickets.reading(ID, 3));

        assertThat(get(service.delete(1, List.of(ID, 5L)))).containsExactly(5L);
        var buffer = ByteBuffer.allocate(3);
        assertThat(get(reading.read(0, buffer))).isEqualTo(3);
        assertRefused(() -> open(TestTickets.reading(ID, 3)), FsError.NotFound.class, "replaced");

        reading.close();
        awaitGone();
        assertRefused(() -> get(reading.read(0, buffer)), FsError.InvalidArgument.class, "closed");
        assertThatThrownBy(() -> stored(ID)).isInstanceOf(FsException.class);
    }

    @Test
    void takesChecksumsOfACommittedContent() throws Exception {
        store("abc".getBytes(UTF_8));
        DataFile reading = open(TestTickets.reading(ID, 3));

        assertThat(get(reading.checksums(Set.of(ChecksumType.MD5, ChecksumType.SHA256))))
                .isEqualTo(digests("abc"));
        reading.close();
        assertRefused(
                () -> get(reading.checksums(Set.of(ChecksumType.MD5))),
                FsError.InvalidArgument.class,
                "closed");
        DataFile empty = open(TestTickets.reading(ID + 1, 0));
        assertThat(get(empty.checksums(Set.of(ChecksumType.MD5, ChecksumType.SHA256))))
                .isEqualTo(digests(""));
    }

    @Test
    void aLongContentIsReadAsItsClientAsks() throws Exception {
        var whole = new byte[SmallContents.MAX_BYTES + 3];
        new Random(11).nextBytes(whole);
        store(whole);
        DataFile reading = open(TestTickets.reading(ID, whole.length));

        var into = ByteBuffer.allocate(1_000);
        assertThat(get(reading.read(whole.length - 700, into))).isEqualTo(700);
        assertThat(into.flip()).isEqualTo(ByteBuffer.wrap(whole, whole.length - 700, 700));
        assertThat(get(reading.checksums(Set.of(ChecksumType.ADLER32))))
                .containsExactly(adler(whole));
    }

    @Test
    void aSmallContentNeedsItsVolumeOnlyToBeOpened() throws Exception {
        store("hello world".getBytes(UTF_8));
        for (int i = 0; i < 3 * SmallContents.MAX_HELD; i++) {
            open(TestTickets.reading(ID, 11)).close();
        }
        DataFile reading = open(TestTickets.reading(ID, 11));
        pool.close();

        var first = ByteBuffer.allocate(2);
        var rest = ByteBuffer.allocate(100);
        assertThat(get(reading.read(6, first, rest))).isEqualTo(5);
        assertThat(first.flip()).isEqualTo(bytes("wo"));
        assertThat(rest.flip()).isEqualTo(bytes("rld"));
        assertThat(get(reading.read(11, rest.clear()))).isZero();
        reading.close();
        assertRefused(
                () -> get(reading.read(0, rest.clear())), FsError.InvalidArgument.class, "closed");
        assertThat(service.streams()).isZero();
    }

    @Test
    void moreSmallContentsThanFitIntoMemoryAreReadAllTheSame() throws Exception {
        store("abc".getBytes(UTF_8));
        var readers = new ArrayList<DataFile>();
        for (int i = 0; i < SmallContents.MAX_HELD + 2; i++) {
            readers.add(open(TestTickets.reading(ID, 3)));
        }

        for (DataFile reading : readers) {
            assertThat(read(reading, 3)).isEqualTo("abc");
            reading.close();
        }
    }

    @Test
    void operatorsSeeWhatIsReadAndEndIt() throws Exception {
        store("hello world".getBytes(UTF_8));
        DataFile first = open(TestTickets.reading(ID, 11));
        DataFile second = open(TestTickets.reading(ID, 11));
        assertThat(read(first, 5)).isEqualTo("hello");

        OpenReads told = service.reads(1);
        assertThat(told.count()).isEqualTo(2);
        assertThat(told.oldest())
                .singleElement()
                .satisfies(oldest -> {
                    assertThat(oldest.path()).isEqualTo(first.ticket().path());
                    assertThat(oldest.sizeBytes()).isEqualTo(11);
                    assertThat(oldest.readBytes()).isEqualTo(5);
                });

        long number = told.oldest().getFirst().number();
        service.endRead(number, "ended by ana");
        assertRefused(() -> read(first, 5), FsError.LeaseGone.class, "was ended by ana");
        assertThat(read(second, 5)).isEqualTo("hello");
        assertRefused(
                () -> service.endRead(number, "ended by ana"),
                FsError.NotFound.class,
                "no download with the number " + number);
        first.close();
        assertThat(service.reads(10).oldest()).hasSize(1);
    }

    @Test
    void anEndedDownloadOfALongContentIsCountedAndOver() throws Exception {
        store(new byte[SmallContents.MAX_BYTES + 3]);
        DataFile reading = open(TestTickets.reading(ID, SmallContents.MAX_BYTES + 3L));
        var into = ByteBuffer.allocate(1_000);
        assertThat(get(reading.read(0, into))).isEqualTo(1_000);
        var download = service.reads(1).oldest().getFirst();
        assertThat(download.readBytes()).isEqualTo(1_000);

        service.endRead(download.number(), "ended by ana");

        assertRefused(
                () -> get(reading.read(0, into.clear())), FsError.LeaseGone.class, "ended by ana");
        assertThat(get(reading.pipe(0, 10))).as("a read says why").isEmpty();
    }

    @Test
    void aReaderMayNotWrite() throws Exception {
        DataFile reading = open(TestTickets.reading(ID, 0));

        assertRefused(
                () -> get(reading.write(0, bytes("x"))),
                FsError.PermissionDenied.class,
                "opened for reading");
    }

    @Test
    void aMissingContentIsNotFound() {
        assertRefused(() -> open(TestTickets.reading(ID, 3)), FsError.NotFound.class, "");
    }

    @Test
    void aShortDataFileIsNotServed() throws Exception {
        store("abc".getBytes(UTF_8));

        assertRefused(
                () -> open(TestTickets.reading(ID, 4)),
                FsError.IoFailure.class,
                "has 3 bytes, 4 were committed");
        assertThat(service.streams()).isZero();
    }

    @Test
    void whoHasASmallContentOpenSeesItAsItWas() throws Exception {
        store("abcdef".getBytes(UTF_8));
        DataFile reading = open(TestTickets.reading(ID, 6));

        DataFile update = open(TestTickets.updating(900, ID, 6));
        get(update.write(0, bytes("XYZ")));
        get(update.commit(List.of()));

        assertThat(read(reading, 6)).isEqualTo("abcdef");
        assertThat(read(open(TestTickets.reading(ID, 6)), 6)).isEqualTo("XYZdef");
    }

    @Test
    void whatGrowsWhileItIsReadIsAsLongAsItWas() throws Exception {
        int size = SmallContents.MAX_BYTES + 3;
        store(new byte[size]);
        DataFile reading = open(TestTickets.reading(ID, size));

        DataFile update = open(TestTickets.updating(900, ID, size));
        get(update.write(size, bytes("more")));
        get(update.commit(List.of()));

        var first = ByteBuffer.allocate(2);
        var rest = ByteBuffer.allocate(100);
        assertThat(get(reading.read(size - 3, first, rest))).isEqualTo(3);
        assertThat(get(reading.read(size, rest.clear()))).isZero();
        assertThat(get(reading.pipe(size - 3, 100)))
                .satisfiesAnyOf(
                        none -> assertThat(none).isEmpty(),
                        piped -> assertThat(piped.orElseThrow().left()).isEqualTo(3));
    }
}
