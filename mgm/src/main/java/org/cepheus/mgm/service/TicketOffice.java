package org.cepheus.mgm.service;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.cepheus.auth.FstKey;
import org.cepheus.auth.FstKeys;
import org.cepheus.auth.TicketSealer;
import org.cepheus.domain.Caller;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Location;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.Reply;
import org.cepheus.domain.port.Grant;
import org.cepheus.domain.port.OpenRequest;
import org.cepheus.namespace.Queries;

/** Writes tickets: what was decided at open, for the FST that was chosen. Any thread may call. */
public final class TicketOffice {
    /** How long a writer has for its first open. */
    public static final Duration WRITE_TICKET = Duration.ofSeconds(60);

    /** HTTP clients keep a redirect and come back with it for their whole life. */
    public static final Duration READ_TICKET = Duration.ofHours(24);

    private static final List<ChecksumType> CHECKSUMS =
            List.of(ChecksumType.ADLER32, ChecksumType.CRC32C);

    private final UUID cluster;
    private final FstKeys keys;
    private final InstantSource wall;
    private final Map<Integer, FstKey> derived = new ConcurrentHashMap<>();

    public TicketOffice(UUID cluster, FstKeys keys, InstantSource wall) {
        this.cluster = cluster;
        this.keys = keys;
        this.wall = wall;
    }

    /** The key of an FST that may be nobody: derived anew, so that strangers fill no table. */
    FstKey keyOf(int fstId) {
        return keys.keyOf(fstId);
    }

    /** A ticket to read one content of a file. */
    public Grant reading(
            Caller caller,
            FsPath path,
            Queries.ReadTarget target,
            Location location,
            int restoreEpoch,
            FstRegistry.Place place) {
        return grant(
                new Ticket(
                        cluster,
                        place.fst().fstId(),
                        path,
                        target.inode(),
                        location,
                        restoreEpoch,
                        Optional.empty(),
                        false,
                        target.status().contentVersion(),
                        target.sizeBytes(),
                        OptionalLong.empty(),
                        0,
                        List.of(),
                        target.status().modified(),
                        wall.instant().plus(READ_TICKET),
                        caller),
                place,
                Optional.of(target.status()));
    }

    /** A ticket for the lease that was granted. */
    public Grant writing(
            Caller caller,
            OpenRequest request,
            Reply.Opened opened,
            int restoreEpoch,
            FstRegistry.Place place,
            Optional<FileStatus> status) {
        Instant now = wall.instant();
        return grant(
                new Ticket(
                        cluster,
                        place.fst().fstId(),
                        request.path(),
                        opened.inode(),
                        new Location(opened.volumeId(), opened.dataId()),
                        restoreEpoch,
                        Optional.of(opened.lease()),
                        request.writing().equals(Optional.of(LeaseCommand.Intent.UPDATE)),
                        opened.sizeBytes(),
                        request.declaredSizeBytes(),
                        opened.reservedBytes(),
                        CHECKSUMS,
                        now,
                        now.plus(WRITE_TICKET),
                        caller),
                place,
                status);
    }

    private Grant grant(Ticket ticket, FstRegistry.Place place, Optional<FileStatus> status) {
        return new Grant(
                TicketSealer.seal(ticket, derived.computeIfAbsent(ticket.fstId(), keys::keyOf)),
                place.fst(),
                status);
    }
}
