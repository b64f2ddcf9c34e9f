package org.cepheus.domain.command;

import java.util.List;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.QuotaKind;

/** What the leader does by itself to quota nodes. */
public sealed interface QuotaCommand extends Command {
    /** The most rows that one command brings. */
    int MAX_ROWS = 2_000;

    /** What was there, for one row, before the node began to note changes. */
    record Found(
            QuotaKind kind,
            int principal,
            long usedBytes,
            long usedFiles,
            long reservedBytes,
            long reservedFiles) {}

    /**
     * Brings what was found below a node that is being counted. Parts come in order; one that was
     * brought already changes nothing, so that any leader may repeat them.
     *
     * @param node the directory
     * @param countId which count of it; of another one nothing is taken
     * @param rowsBefore how many rows earlier parts brought
     * @param last from then on the node counts like every other
     */
    record AddCounted(long node, long countId, long rowsBefore, List<Found> rows, boolean last)
            implements QuotaCommand {
        public AddCounted {
            if (rows.size() > MAX_ROWS) {
                throw new FsException(
                        new FsError.TooLong(
                                "%d rows in one command, the limit is %d"
                                        .formatted(rows.size(), MAX_ROWS)));
            }
            rows = List.copyOf(rows);
        }
    }
}
