package org.cepheus.domain.port;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;

/**
 * A recount of every quota node on a snapshot, compared with the counters of the same log index:
 * how far it is, or what it found.
 *
 * @param id counts up with each recount of this process
 * @param index the log index that both sides are of
 * @param deadline when it ends by itself, unfinished
 * @param seenEntries names looked at so far
 * @param expectedEntries names there are, by the counters
 * @param nodes quota nodes that were compared
 * @param rows rows that were compared
 * @param differences how many of them differ; 0 in a sound cluster, always
 * @param examples the first of those, {@link #MAX_EXAMPLES} at most
 * @param counting nodes that were left out, because their first count is not done yet
 * @param message what happened, for a person
 */
public record QuotaCheck(
        long id,
        State state,
        long index,
        Instant started,
        Duration took,
        Instant deadline,
        long seenEntries,
        long expectedEntries,
        long nodes,
        long rows,
        long differences,
        List<Difference> examples,
        List<FsPath> counting,
        String message) {
    /** The most differences that are named. */
    public static final int MAX_EXAMPLES = 100;

    public QuotaCheck {
        examples = List.copyOf(examples);
        counting = List.copyOf(counting);
    }

    /** Where a recount stands. */
    public enum State {
        RUNNING,
        /** Every counter equals the sum of what is there, to the byte. */
        EQUAL,
        /** Counters and sums differ: a bug; see the examples. */
        DIFFERENT,
        CANCELED,
        /** The deadline came first. */
        EXPIRED,
        /** It could not read on; the message says why. */
        FAILED
    }

    /** Used and reserved of one row. */
    public record Use(long usedBytes, long usedFiles, long reservedBytes, long reservedFiles) {}

    /** One row that is not what it should be. */
    public record Difference(
            FsPath node, QuotaKind kind, String principal, Use counter, Use recounted) {}
}
