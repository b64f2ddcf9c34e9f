package org.cepheus.domain;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * What the MGM allows a client to do at one FST, as data; {@code auth} seals it into text. The
 * ticket is the only authority at an FST.
 *
 * @param lease present for writing, absent for reading
 * @param sizeBytes the committed size when reading or updating in place, 0 for a new content
 * @param declaredSizeBytes what the client said it will send; close commits only that size
 * @param reservedBytes what the quota already holds for this lease
 * @param expiry after it the first open is refused; running transfers go on
 */
public record Ticket(
        UUID cluster,
        int fstId,
        FsPath path,
        long inode,
        Location location,
        int restoreEpoch,
        Optional<LeaseRef> lease,
        boolean inPlace,
        long sizeBytes,
        OptionalLong declaredSizeBytes,
        long reservedBytes,
        List<ChecksumType> checksums,
        Instant modified,
        Instant expiry,
        Caller caller) {
    public Ticket {
        checksums = List.copyOf(checksums);
    }

    public boolean isForWriting() {
        return lease.isPresent();
    }
}
