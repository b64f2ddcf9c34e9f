package org.cepheus.domain.command;

import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.LeaseRef;

/** What a command came to. Replies stay on the member that proposed; they are not replicated. */
public sealed interface Reply {
    record Done() implements Reply {}

    /** Another command with the same idempotency key did it before; this one changed nothing. */
    record DoneBefore() implements Reply {}

    /**
     * A lease was granted.
     *
     * @param dataId names the data file to write
     * @param sizeBytes the content's size when updating in place, else 0
     */
    record Opened(
            LeaseRef lease,
            long inode,
            int volumeId,
            long dataId,
            long sizeBytes,
            long reservedBytes)
            implements Reply {}

    record Extended(long reservedBytes) implements Reply {}

    record Committed(FileStatus status) implements Reply {}

    /** How many leases an expiry ended; if it was the maximum there may be more. */
    record Expired(int leases) implements Reply {}

    record Refused(FsError error) implements Reply {}
}
