package org.cepheus.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.cepheus.domain.Caller;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Identity;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.Location;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.TraceId;
import org.junit.jupiter.api.Test;

final class TicketSealerTest {
    private static final UUID CLUSTER = new UUID(1, 2);
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final FstKeys KEYS = new FstKeys(ClusterSecret.draw(new Random(7)));
    private static final FstKey KEY = KEYS.keyOf(3);

    private static Ticket writing() {
        return new Ticket(
                CLUSTER,
                3,
                FsPath.parse("/atlas/ü/file 1?&=+"),
                77,
                new Location(2, 123_456),
                1,
                Optional.of(new LeaseRef(5, "file 1?&=+", 99, 7)),
                true,
                10,
                OptionalLong.of(4096),
                16 << 20,
                List.of(ChecksumType.ADLER32, ChecksumType.CRC32C),
                NOW.minusSeconds(1_000),
                NOW.plusSeconds(60),
                new Caller(
                        new Identity("alice", List.of("atlas", "users"), false),
                        "::1",
                        new TraceId(-5)));
    }

    private static Ticket reading() {
        Ticket t = writing();
        return new Ticket(
                t.cluster(),
                t.fstId(),
                t.path(),
                t.inode(),
                t.location(),
                0,
                Optional.empty(),
                false,
                10,
                OptionalLong.empty(),
                0,
                List.of(),
                t.modified(),
                t.expiry(),
                t.caller());
    }

    /** Of a content that was updated in place: its version is not its dataId any more. */
    private static Ticket readingUpdated() {
        Ticket t = reading();
        return new Ticket(
                t.cluster(),
                t.fstId(),
                t.path(),
                t.inode(),
                t.location(),
                0,
                Optional.empty(),
                false,
                t.location().dataId() + 7,
                10,
                OptionalLong.empty(),
                0,
                List.of(),
                t.modified(),
                t.expiry(),
                t.caller());
    }

    @Test
    void opensWhatItSealed() {
        for (Ticket ticket : List.of(writing(), reading(), readingUpdated())) {
            String text = TicketSealer.seal(ticket, KEY);

            assertThat(TicketSealer.open(text, KEY, CLUSTER, NOW)).isEqualTo(ticket);
        }
    }

    @Test
    void usesOnlyCharactersThatMeanNothingInUrls() {
        assertThat(TicketSealer.seal(writing(), KEY)).matches("3\\.[A-Za-z0-9_-]+");
    }

    @Test
    void refusesEveryChangedCharacter() {
        String text = TicketSealer.seal(writing(), KEY);

        for (int i = 0; i < text.length(); i++) {
            char other = text.charAt(i) == 'A' ? 'B' : 'A';
            String changed = text.substring(0, i) + other + text.substring(i + 1);

            assertInvalid(() -> TicketSealer.open(changed, KEY, CLUSTER, NOW), "");
        }
    }

    @Test
    void refusesEveryTruncation() {
        String text = TicketSealer.seal(writing(), KEY);

        for (int length = 0; length < text.length(); length++) {
            String cut = text.substring(0, length);

            assertInvalid(() -> TicketSealer.open(cut, KEY, CLUSTER, NOW), "");
        }
    }

    @Test
    void saysThatATicketIsForAnotherFst() {
        String text = TicketSealer.seal(writing(), KEY);

        assertInvalid(
                () -> TicketSealer.open(text, KEYS.keyOf(4), CLUSTER, NOW),
                "the ticket is for FST 3, this is FST 4");
    }

    @Test
    void saysThatATicketIsOfAnotherCluster() {
        String text = TicketSealer.seal(writing(), KEY);

        assertInvalid(() -> TicketSealer.open(text, KEY, new UUID(9, 9), NOW), "of cluster");
    }

    @Test
    void aStolenKeyForgesForNoOtherFst() {
        FstKey stolen = KEYS.keyOf(4);
        Ticket t = writing();
        Ticket own =
                new Ticket(
                        t.cluster(),
                        4,
                        t.path(),
                        t.inode(),
                        t.location(),
                        t.restoreEpoch(),
                        t.lease(),
                        t.inPlace(),
                        t.sizeBytes(),
                        t.declaredSizeBytes(),
                        t.reservedBytes(),
                        t.checksums(),
                        t.modified(),
                        t.expiry(),
                        t.caller());
        String forged = "3" + TicketSealer.seal(own, stolen).substring(1);

        assertInvalid(
                () -> TicketSealer.open(forged, KEY, CLUSTER, NOW),
                "the ticket was not made by this cluster for this FST, or was changed");
    }

    @Test
    void anExpiredTicketOpensOnlyAgain() {
        String text = TicketSealer.seal(writing(), KEY);
        Instant later = NOW.plusSeconds(61);

        assertThatThrownBy(() -> TicketSealer.open(text, KEY, CLUSTER, later))
                .isInstanceOfSatisfying(
                        FsException.class,
                        e -> assertThat(e.error()).isInstanceOf(FsError.TicketExpired.class));
        assertThat(TicketSealer.openAgain(text, KEY, CLUSTER)).isEqualTo(writing());
    }

    @Test
    void namesTheFstWithoutProof() {
        assertThat(TicketSealer.fstIdOf("17.x")).isEqualTo(OptionalInt.of(17));
        assertThat(TicketSealer.fstIdOf("17")).isEmpty();
        assertThat(TicketSealer.fstIdOf(".x")).isEmpty();
        assertThat(TicketSealer.fstIdOf("-1.x")).isEmpty();
        assertThat(TicketSealer.fstIdOf("9999999999.x")).isEmpty();
        assertThat(TicketSealer.fstIdOf("99999999999999999999.x")).isEmpty();
    }

    private static void assertInvalid(ThrowingCallable call, String words) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FsException.class,
                        e -> assertThat(e.error()).isInstanceOf(FsError.TicketInvalid.class))
                .hasMessageContaining(words);
    }
}
