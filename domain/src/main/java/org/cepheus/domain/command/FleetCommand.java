package org.cepheus.domain.command;

import java.util.List;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.LeaseRef;

/** What the system itself does to the namespace: FSTs come, renew and are cleaned up after. */
public sealed interface FleetCommand extends Command {
    /** A volume as an FST offers it. */
    record Volume(int volumeId, String uuid) {}

    /**
     * An FST says hello. A boot id that differs from the last aborts its unfinished new contents
     * and leaves its in-place updates unsettled.
     */
    record RegisterFst(FstAddress address, long bootId, List<Volume> volumes)
            implements FleetCommand {
        public RegisterFst {
            volumes = List.copyOf(volumes);
        }
    }

    /** Keeps the FST's leases alive; names those whose clients have opened since the last time. */
    record RenewSession(int fstId, long bootId, List<LeaseRef> opened) implements FleetCommand {
        public RenewSession {
            opened = List.copyOf(opened);
        }
    }

    /** Aborts what is past its time on the lease clock, at most so many. */
    record ExpireLeases(int max) implements FleetCommand {}

    /** An FST has deleted these contents: forget them. */
    record CollectGarbage(int volumeId, List<Long> dataIds) implements FleetCommand {
        public CollectGarbage {
            dataIds = List.copyOf(dataIds);
        }
    }
}
