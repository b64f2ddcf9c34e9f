package org.cepheus.domain.port;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How much room there is at a path.
 *
 * @param totalBytes capacity of the volumes, each counted once
 * @param freeBytes free there now
 * @param quotas the caller's rows of every quota node from the root down to the path
 */
public record SpaceReport(long totalBytes, long freeBytes, List<QuotaReport> quotas) {
    public SpaceReport {
        quotas = List.copyOf(quotas);
    }

    /** The least room that any limit or the volumes leave, in bytes. */
    public long availableBytes() {
        return Math.min(freeBytes, nearest().map(SpaceReport::room).orElse(Long.MAX_VALUE));
    }

    /** The row whose limit leaves the least room for bytes; the innermost of several. */
    public Optional<QuotaReport> nearest() {
        return quotas.reversed().stream()
                .filter(row -> row.roomBytes().isPresent())
                .min(Comparator.comparingLong(SpaceReport::room));
    }

    private static long room(QuotaReport row) {
        return row.roomBytes().orElse(Long.MAX_VALUE);
    }

    /** What the nearest limit counts as used; without one, what is used of the volumes. */
    public long usedBytes() {
        return nearest().map(QuotaReport::usedBytes).orElse(Math.max(0, totalBytes - freeBytes));
    }
}
