package org.cepheus.fst;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.cepheus.auth.FstKey;
import org.cepheus.auth.TicketSealer;
import org.cepheus.domain.Caller;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.Location;
import org.cepheus.domain.Ticket;

/** Tickets as the MGM would seal them. */
final class TestTickets {
    static final UUID CLUSTER = new UUID(1, 2);
    static final FstKey KEY = key(1);
    static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    static final FsPath PATH = FsPath.parse("/atlas/run7");

    private TestTickets() {}

    static FstKey key(int fstId) {
        return FstKey.parse(fstId + ".1." + "5a".repeat(32));
    }

    static String sealed(Ticket ticket) {
        return TicketSealer.seal(ticket, key(ticket.fstId()));
    }

    /** The same for another FST. */
    static Ticket at(int fstId, Ticket t) {
        return new Ticket(
                t.cluster(),
                fstId,
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
    }

    static Ticket reading(long dataId, long sizeBytes) {
        return ticket(dataId, Optional.empty(), false, sizeBytes, OptionalLong.empty(), 0);
    }

    static Ticket writing(long dataId, OptionalLong declared, long reserved) {
        return ticket(dataId, Optional.of(lease(dataId)), false, 0, declared, reserved);
    }

    static Ticket updating(long leaseId, long dataId, long sizeBytes) {
        return ticket(
                dataId,
                Optional.of(lease(leaseId)),
                true,
                sizeBytes,
                OptionalLong.empty(),
                sizeBytes);
    }

    private static LeaseRef lease(long id) {
        return new LeaseRef(1, "run7", id, 77);
    }

    private static Ticket ticket(
            long dataId,
            Optional<LeaseRef> lease,
            boolean inPlace,
            long sizeBytes,
            OptionalLong declared,
            long reserved) {
        return new Ticket(
                CLUSTER,
                1,
                PATH,
                77,
                new Location(1, dataId),
                0,
                lease,
                inPlace,
                sizeBytes,
                declared,
                reserved,
                List.of(ChecksumType.ADLER32),
                NOW,
                NOW.plus(Duration.ofMinutes(1)),
                Caller.SYSTEM);
    }
}
