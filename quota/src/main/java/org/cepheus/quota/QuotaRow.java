package org.cepheus.quota;

import java.util.Optional;
import org.cepheus.domain.QuotaLimits;
import org.cepheus.domain.QuotaUnit;

/**
 * Limits and use of one principal under one quota node. The one rule: no operation may increase
 * used + reserved while the result exceeds a limit; a limit below the use is legal and only stops
 * growth.
 *
 * <p>While the node is being counted, the row only notes what changed since that began, and may be
 * negative; once it counts, {@link #isSound}.
 *
 * @param limits its own; the node's defaults are not in it
 */
public record QuotaRow(
        QuotaLimits limits,
        long usedBytes,
        long usedFiles,
        long reservedBytes,
        long reservedFiles) {
    /** Beyond this nobody counts, limit or not: sums of two such numbers still fit a long. */
    public static final long MOST = 1L << 61;

    /** No limits and nothing used. */
    public static final QuotaRow EMPTY = new QuotaRow(QuotaLimits.NONE, 0, 0, 0, 0);

    /** What stands against a charge. */
    public record Excess(QuotaUnit unit, long limit, long used, long reserved, long wanted) {}

    /** The limit the charge would break, if any. */
    public Optional<Excess> refusal(Charge charge) {
        long moreBytes = charge.usedBytes() + charge.reservedBytes();
        if (moreBytes > 0 && moreBytes > bound(limits.bytes()) - usedBytes - reservedBytes) {
            return Optional.of(
                    new Excess(
                            QuotaUnit.BYTES,
                            bound(limits.bytes()),
                            usedBytes,
                            reservedBytes,
                            moreBytes));
        }
        long moreFiles = charge.usedFiles() + charge.reservedFiles();
        if (moreFiles > 0 && moreFiles > bound(limits.files()) - usedFiles - reservedFiles) {
            return Optional.of(
                    new Excess(
                            QuotaUnit.FILES,
                            bound(limits.files()),
                            usedFiles,
                            reservedFiles,
                            moreFiles));
        }
        return Optional.empty();
    }

    private static long bound(long limit) {
        return limit < 0 ? MOST : Math.min(limit, MOST);
    }

    /**
     * The row after the charge, whether or not it was allowed.
     *
     * @throws IllegalStateException if more is taken away than was there: somebody counted wrong
     */
    public QuotaRow plus(Charge charge) {
        QuotaRow sum = noted(charge);
        if (!sum.isSound()) {
            throw new IllegalStateException(
                    "negative use: bytes %d+%d, files %d+%d"
                            .formatted(
                                    sum.usedBytes,
                                    sum.reservedBytes,
                                    sum.usedFiles,
                                    sum.reservedFiles));
        }
        return sum;
    }

    /** The same for a row that only notes changes: it may become negative. */
    public QuotaRow noted(Charge charge) {
        return new QuotaRow(
                limits,
                usedBytes + charge.usedBytes(),
                usedFiles + charge.usedFiles(),
                reservedBytes + charge.reservedBytes(),
                reservedFiles + charge.reservedFiles());
    }

    /** Use and reservations are never negative under a node that counts. */
    public boolean isSound() {
        return usedBytes >= 0 && usedFiles >= 0 && reservedBytes >= 0 && reservedFiles >= 0;
    }

    /** How many bytes may still be used or reserved; up to {@link #MOST} without a limit. */
    public long roomBytes() {
        return Math.max(0, bound(limits.bytes()) - usedBytes - reservedBytes);
    }

    public QuotaRow withLimits(QuotaLimits newLimits) {
        return new QuotaRow(newLimits, usedBytes, usedFiles, reservedBytes, reservedFiles);
    }

    public Charge use() {
        return new Charge(usedBytes, usedFiles, reservedBytes, reservedFiles);
    }

    /** Nothing counted and nothing limited: the row need not be kept. */
    public boolean isEmpty() {
        return equals(EMPTY);
    }
}
