package org.cepheus.quota;

import java.util.Optional;
import org.cepheus.domain.QuotaUnit;

/**
 * Limits and use of one principal under one quota node. The one rule: no operation may increase
 * used + reserved while the result exceeds a limit; a limit below the use is legal and only stops
 * growth.
 *
 * @param limitBytes {@link #UNLIMITED} for none
 * @param limitFiles {@link #UNLIMITED} for none
 */
public record QuotaRow(
        long limitBytes,
        long limitFiles,
        long usedBytes,
        long usedFiles,
        long reservedBytes,
        long reservedFiles) {
    /** No limit. */
    public static final long UNLIMITED = -1;

    /** Beyond this nobody counts, limit or not: sums of two such numbers still fit a long. */
    public static final long MOST = 1L << 61;

    /** No limits and nothing used. */
    public static final QuotaRow EMPTY = new QuotaRow(UNLIMITED, UNLIMITED, 0, 0, 0, 0);

    /** Use and reservations are never negative: whoever makes them so has counted wrong. */
    public QuotaRow {
        if (usedBytes < 0 || usedFiles < 0 || reservedBytes < 0 || reservedFiles < 0) {
            throw new IllegalStateException(
                    "negative use: bytes %d+%d, files %d+%d"
                            .formatted(usedBytes, reservedBytes, usedFiles, reservedFiles));
        }
    }

    /** What stands against a charge. */
    public record Excess(QuotaUnit unit, long limit, long used, long reserved, long wanted) {}

    /** The limit the charge would break, if any. */
    public Optional<Excess> refusal(Charge charge) {
        long moreBytes = charge.usedBytes() + charge.reservedBytes();
        if (moreBytes > 0 && moreBytes > bound(limitBytes) - usedBytes - reservedBytes) {
            return Optional.of(
                    new Excess(
                            QuotaUnit.BYTES,
                            bound(limitBytes),
                            usedBytes,
                            reservedBytes,
                            moreBytes));
        }
        long moreFiles = charge.usedFiles() + charge.reservedFiles();
        if (moreFiles > 0 && moreFiles > bound(limitFiles) - usedFiles - reservedFiles) {
            return Optional.of(
                    new Excess(
                            QuotaUnit.FILES,
                            bound(limitFiles),
                            usedFiles,
                            reservedFiles,
                            moreFiles));
        }
        return Optional.empty();
    }

    private static long bound(long limit) {
        return limit == UNLIMITED ? MOST : Math.min(limit, MOST);
    }

    /** The row after the charge, whether or not it was allowed. */
    public QuotaRow plus(Charge charge) {
        return new QuotaRow(
                limitBytes,
                limitFiles,
                usedBytes + charge.usedBytes(),
                usedFiles + charge.usedFiles(),
                reservedBytes + charge.reservedBytes(),
                reservedFiles + charge.reservedFiles());
    }

    /** How many bytes may still be used or reserved; up to {@link #MOST} without a limit. */
    public long roomBytes() {
        return Math.max(0, bound(limitBytes) - usedBytes - reservedBytes);
    }

    public QuotaRow withLimits(long newLimitBytes, long newLimitFiles) {
        return new QuotaRow(
                newLimitBytes, newLimitFiles, usedBytes, usedFiles, reservedBytes, reservedFiles);
    }

    public Charge use() {
        return new Charge(usedBytes, usedFiles, reservedBytes, reservedFiles);
    }

    /** Nothing counted and nothing limited: the row need not be kept. */
    public boolean isEmpty() {
        return equals(EMPTY);
    }
}
