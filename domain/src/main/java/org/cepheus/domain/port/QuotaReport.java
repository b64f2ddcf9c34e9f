package org.cepheus.domain.port;

import java.time.Instant;
import java.util.OptionalLong;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.QuotaKind;

/**
 * One row of a quota node: limits, use, and what running uploads hold. A row of a user or group
 * without a name is the node's default for everybody who has no limit of their own; it uses
 * nothing.
 *
 * @param limitBytes what counts for this row, be it its own limit or the node's default
 * @param softBytes above this the row warns and refuses nothing
 * @param byDefault true if some of these limits are the node's default
 * @param state while the node is being counted its use is not known, and it refuses nothing
 */
public record QuotaReport(
        FsPath node,
        QuotaKind kind,
        String principal,
        OptionalLong limitBytes,
        OptionalLong limitFiles,
        long usedBytes,
        long usedFiles,
        long reservedBytes,
        long reservedFiles,
        OptionalLong softBytes,
        OptionalLong softFiles,
        boolean byDefault,
        NodeState state) {

    /** Hard limits of its own, under a node that counts. */
    public QuotaReport(
            FsPath node,
            QuotaKind kind,
            String principal,
            OptionalLong limitBytes,
            OptionalLong limitFiles,
            long usedBytes,
            long usedFiles,
            long reservedBytes,
            long reservedFiles) {
        this(
                node,
                kind,
                principal,
                limitBytes,
                limitFiles,
                usedBytes,
                usedFiles,
                reservedBytes,
                reservedFiles,
                OptionalLong.empty(),
                OptionalLong.empty(),
                false,
                new NodeState.Active());
    }

    /** Whether a node knows what is used. */
    public sealed interface NodeState {
        /** Used and reserved are exact, and limits hold. */
        record Active() implements NodeState {}

        /**
         * What lay below when the first limit was set is being counted.
         *
         * @param since wall time of that limit
         * @param seenEntries how far this member has come; 0 on one that does not lead
         * @param mostEntries there are no more than these to see
         */
        record Counting(Instant since, long seenEntries, long mostEntries) implements NodeState {}
    }

    /** How near the row is to its limits. */
    public enum Level {
        /** Below every limit. */
        OK,
        /** At or above a soft limit or nine tenths of a hard one, used and reserved together. */
        WARNING,
        /** At or above a hard limit: nothing more fits. */
        EXCEEDED
    }

    /** How near the row is to the nearer of its limits; OK while it is being counted. */
    public Level level() {
        Level bytes = levelOfBytes();
        Level files = levelOfFiles();
        return bytes.compareTo(files) >= 0 ? bytes : files;
    }

    /** How near the row is to its limits of bytes; OK while it is being counted. */
    public Level levelOfBytes() {
        return level(usedBytes + reservedBytes, softBytes, limitBytes);
    }

    /** How near the row is to its limits of files; OK while it is being counted. */
    public Level levelOfFiles() {
        return level(usedFiles + reservedFiles, softFiles, limitFiles);
    }

    private Level level(long taken, OptionalLong soft, OptionalLong hard) {
        if (state instanceof NodeState.Counting || isDefault()) {
            return Level.OK;
        }
        if (hard.isPresent() && taken >= hard.getAsLong()) {
            return Level.EXCEEDED;
        }
        boolean isNear = hard.isPresent() && taken >= nearly(hard.getAsLong());
        boolean isSoftReached = soft.isPresent() && taken >= soft.getAsLong();
        return isNear || isSoftReached ? Level.WARNING : Level.OK;
    }

    // Nine tenths, rounded up; limits are up to 2^63-1.
    private static long nearly(long limit) {
        return limit - limit / 10;
    }

    /** The same row, its node counted so far; for one that is being counted. */
    public QuotaReport seen(long entries) {
        return switch (state) {
            case NodeState.Active _ -> this;
            case NodeState.Counting counting ->
                    new QuotaReport(
                            node,
                            kind,
                            principal,
                            limitBytes,
                            limitFiles,
                            usedBytes,
                            usedFiles,
                            reservedBytes,
                            reservedFiles,
                            softBytes,
                            softFiles,
                            byDefault,
                            new NodeState.Counting(
                                    counting.since(), entries, counting.mostEntries()));
        };
    }

    /** True for the limits of whoever has none of their own. */
    public boolean isDefault() {
        return kind != QuotaKind.PROJECT && principal.isEmpty();
    }

    /** How many bytes this row still lets in; absent if it limits none, or counts still. */
    public OptionalLong roomBytes() {
        return limitBytes.isEmpty() || state instanceof NodeState.Counting
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(0, limitBytes.getAsLong() - usedBytes - reservedBytes));
    }
}
