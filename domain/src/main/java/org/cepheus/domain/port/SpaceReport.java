package org.cepheus.domain.port;

import java.util.List;

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
        long least = freeBytes;
        for (QuotaReport row : quotas) {
            if (row.limitBytes().isPresent()) {
                long left = row.limitBytes().getAsLong() - row.usedBytes() - row.reservedBytes();
                least = Math.min(least, Math.max(0, left));
            }
        }
        return least;
    }
}
