package org.cepheus.quota;

import java.util.List;
import java.util.OptionalLong;

/** How much to reserve for an upload of which nobody said how large it will be. */
public final class Reservations {
    /** The first reservation where there is room. */
    public static final long FIRST_BYTES = 16L << 20;

    /** The least worth reserving near a limit; with less room the quota counts as used up. */
    public static final long LEAST_BYTES = 1L << 20;

    private Reservations() {}

    /**
     * The largest of 16, 8, 4, 2, 1 MiB that fits every row; absent when not even the least does.
     *
     * @param wanted start from this instead of 16 MiB if it is larger
     */
    public static OptionalLong chunk(List<QuotaRow> chain, long wanted) {
        long room = chain.stream().mapToLong(QuotaRow::roomBytes).min().orElse(Long.MAX_VALUE);
        for (long size = Math.max(wanted, FIRST_BYTES); size >= LEAST_BYTES; size /= 2) {
            if (size <= room) {
                return OptionalLong.of(size);
            }
        }
        return OptionalLong.empty();
    }
}
