package org.cepheus.protocol.xrootd.wire;

/**
 * The arithmetic of pgread and pgwrite: file data in pages of 4096 bytes of the file's own grid,
 * each preceded by 4 bytes of CRC32C. The first page may begin and the last may end in mid-page.
 */
public final class PageLayout {
    public static final int PAGE_BYTES = 4096;
    public static final int CHECKSUM_BYTES = 4;
    public static final int UNIT_BYTES = PAGE_BYTES + CHECKSUM_BYTES;

    private PageLayout() {}

    /** How many bytes from {@code offset} to the end of its page. */
    public static int bytesToPageEnd(long offset) {
        return PAGE_BYTES - (int) (offset & (PAGE_BYTES - 1));
    }

    /** How many pages the range touches. */
    public static int pages(long offset, int length) {
        if (length == 0) {
            return 0;
        }
        return (int) ((offset + length - 1) / PAGE_BYTES - offset / PAGE_BYTES) + 1;
    }

    /** Data with its checksums. */
    public static int wireBytes(long offset, int length) {
        return length + pages(offset, length) * CHECKSUM_BYTES;
    }

    /** The data in so many bytes of units, or -1 if they end within or right after a checksum. */
    public static int dataBytes(long offset, int wireBytes) {
        if (wireBytes == 0) {
            return 0;
        }
        int first = bytesToPageEnd(offset) + CHECKSUM_BYTES;
        if (wireBytes <= first) {
            return wireBytes > CHECKSUM_BYTES ? wireBytes - CHECKSUM_BYTES : -1;
        }
        int rest = wireBytes - first;
        int tail = rest % UNIT_BYTES;
        if (tail != 0 && tail <= CHECKSUM_BYTES) {
            return -1;
        }
        int whole = rest / UNIT_BYTES;
        int data = first - CHECKSUM_BYTES + whole * PAGE_BYTES;
        return tail == 0 ? data : data + tail - CHECKSUM_BYTES;
    }
}
