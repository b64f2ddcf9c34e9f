package org.cepheus.domain.port;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.ServiceState;

/**
 * The machines of a cluster and what they store on, for operators. Only the leader knows FSTs, so
 * other members fail with NotLeader. Blocks nothing; reads only.
 */
public interface FleetService {
    /** Every MGM of the group, then every FST that ever came, by number. */
    CompletionStage<List<Node>> nodes(Caller caller);

    /** Every volume that an FST ever offered, by id. */
    CompletionStage<List<FileSystem>> fileSystems(Caller caller);

    /** What files are placed in; there is one until volumes can be grouped. */
    CompletionStage<List<Space>> spaces(Caller caller);

    /** How this member is configured, by the keys of its file; secrets are left out. */
    List<Setting> settings();

    /** A machine. */
    sealed interface Node {
        /**
         * A member of the Raft group.
         *
         * @param role leader or follower, as the leader sees it
         * @param lagEntries entries of the log that it does not have yet; absent if unknown
         * @param silentMillis since it answered the leader last; absent for the leader itself
         */
        record Mgm(
                String id,
                MgmAddress address,
                String role,
                OptionalLong lagEntries,
                OptionalLong silentMillis)
                implements Node {}

        /**
         * A data server.
         *
         * @param lastSeen absent if it has not come since this member leads
         * @param volumes the ids that it offers
         */
        record Fst(
                FstAddress address,
                ServiceState state,
                boolean alive,
                Optional<Instant> lastSeen,
                int streams,
                List<Integer> volumes)
                implements Node {
            public Fst {
                volumes = List.copyOf(volumes);
            }
        }
    }

    /**
     * A volume.
     *
     * @param usable an FST that is alive can use it
     * @param totalBytes 0 while no FST has told
     * @param fsts those that are alive and serve it
     * @param uploads running to it
     */
    record FileSystem(
            int id,
            String uuid,
            ServiceState state,
            boolean usable,
            long totalBytes,
            long freeBytes,
            List<Integer> fsts,
            int uploads) {
        public FileSystem {
            fsts = List.copyOf(fsts);
        }
    }

    /**
     * A set of volumes that files are placed in.
     *
     * @param totalBytes of its usable volumes, shared storage counted once
     * @param usedBytes of all files in it
     * @param writable how many of its volumes take new files now
     */
    record Space(
            String name,
            long totalBytes,
            long freeBytes,
            long usedBytes,
            long files,
            int writable,
            List<Integer> volumes) {
        public Space {
            volumes = List.copyOf(volumes);
        }
    }

    /** One line of a configuration. */
    record Setting(String key, String value) {}
}
