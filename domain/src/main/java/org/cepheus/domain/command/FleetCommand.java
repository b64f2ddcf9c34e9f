package org.cepheus.domain.command;

import java.time.Instant;
import java.util.List;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.LeaseRef;

/** What the system itself does to the namespace: FSTs come, renew and are cleaned up after. */
public sealed interface FleetCommand extends Command {
    /** The most volumes, leases or contents that one command names. */
    int MAX_LIST = 100_000;

    /** A volume as an FST offers it; the id is 0 or more. */
    record Volume(int volumeId, String uuid) {
        public Volume {
            if (volumeId < 0) {
                throw new FsException(
                        new FsError.InvalidArgument("negative volume id " + volumeId));
            }
        }
    }

    // What cannot be decoded must never get into the log: every replica would stop at it.
    private static <T> List<T> checked(List<T> list) {
        if (list.size() > MAX_LIST) {
            throw new FsException(
                    new FsError.TooLong(
                            "%d names in one command, the limit is %d"
                                    .formatted(list.size(), MAX_LIST)));
        }
        return List.copyOf(list);
    }

    /**
     * An FST says hello. A boot id above the last aborts its unfinished new contents and leaves its
     * in-place updates unsettled; one below comes from a process that is no more, and is refused.
     */
    record RegisterFst(FstAddress address, long bootId, List<Volume> volumes)
            implements FleetCommand {
        public RegisterFst {
            volumes = checked(volumes);
        }
    }

    /** Keeps the FST's leases alive; names those whose clients have opened since the last time. */
    record RenewSession(int fstId, long bootId, List<LeaseRef> opened) implements FleetCommand {
        public RenewSession {
            opened = checked(opened);
        }
    }

    /** Aborts what is past its time on the lease clock, at most so many. */
    record ExpireLeases(int max) implements FleetCommand {}

    /**
     * An FST has looked at the data of a file whose writer in place was lost: it has that size and
     * was written at that time.
     *
     * @param dataId the content that was looked at; if it is another now, this is refused
     */
    record SettleFile(long inode, long dataId, long sizeBytes, Instant modified)
            implements FleetCommand {}

    /** An FST has deleted these contents: forget them. */
    record CollectGarbage(int volumeId, List<Long> dataIds) implements FleetCommand {
        public CollectGarbage {
            dataIds = checked(dataIds);
        }
    }
}
