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
 * @param contentVersion of the content to read, the ETag; for writing the dataId
 * @param sizeBytes the committed size when reading or updating in place, 0 for a new content
 * @param declaredSizeBytes what the client said it will send; close commits only that size
 * @param reservedBytes what the quota already holds for this lease; what that covers says {@link
 *     #coveredBytes}
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
        long contentVersion,
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

    /** A ticket for a content that has never been updated in place: its version is its dataId. */
    public Ticket(
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
        this(
                cluster,
                fstId,
                path,
                inode,
                location,
                restoreEpoch,
                lease,
                inPlace,
                location.dataId(),
                sizeBytes,
                declaredSizeBytes,
                reservedBytes,
                checksums,
                modified,
                expiry,
                caller);
    }

    /**
     * The size up to which the file may grow without asking for more quota, given what is reserved
     * by now: the declared size, which was charged when the lease was granted; in place, the
     * reservation beyond the size at open; otherwise the reservation itself.
     */
    public long coveredBytes(long reservedByNow) {
        if (inPlace) {
            return sizeBytes + reservedByNow;
        }
        return declaredSizeBytes.orElse(reservedByNow);
    }

    public boolean isForWriting() {
        return lease.isPresent();
    }
}
