package org.cepheus.protocol.control;

import java.util.List;
import java.util.UUID;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.command.FleetCommand;

/**
 * Who an FST is.
 *
 * @param cluster the cluster its key was made for
 * @param bootId drawn at each start of the process, above that of every start before
 */
public record Hello(
        UUID cluster, long bootId, FstAddress address, List<FleetCommand.Volume> volumes) {
    /** The most volumes one FST may offer. */
    public static final int MAX_VOLUMES = 1_000;

    public Hello {
        volumes = List.copyOf(volumes);
    }

    public int fstId() {
        return address.fstId();
    }

    /** The same of another boot. */
    Hello withBoot(long newBootId) {
        return new Hello(cluster, newBootId, address, volumes);
    }
}
