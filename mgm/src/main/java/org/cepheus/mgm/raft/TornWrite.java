package org.cepheus.mgm.raft;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedOutputStream;

/**
 * What a power cut leaves of the entry that was being written to a Raft log. Segments are filled
 * with zeros ahead, so it is a beginning of that entry with zeros behind it, and it was
 * acknowledged to nobody. The rule tells that from damage to entries that may have been
 * acknowledged, and says no when it cannot tell.
 *
 * <p>A segment is 8 bytes of header, then entries: a varint length, that many bytes, and a
 * big-endian CRC32C over both.
 */
final class TornWrite {
    static final int CRC_BYTES = 4;

    private static final int MAX_VARINT_BYTES = 5;

    /** The first byte of an entry of Ratis: the term follows. It has none before the first term. */
    private static final byte TERM_TAG = 0x08;

    private TornWrite() {}

    /**
     * True if what follows the last readable entry is the beginning of one entry and nothing else.
     *
     * @param rest from the first unreadable byte to the last one that is not zero, or fewer
     * @param restBytes how many they are really
     */
    static boolean explains(byte[] rest, long restBytes, int maxEntryBytes) {
        if (rest[0] == 0
                || restBytes > rest.length
                || isWholeUnderAnotherLength(rest)
                || beginsWholeButForOneByte(rest)
                || endsWithWholeEntries(rest)) {
            return false;
        }
        var length = Length.of(rest, 0);
        long head = length.bytes() + length.body();
        if (length.body() > maxEntryBytes || restBytes >= head + CRC_BYTES) {
            return false;
        }
        // With a whole body, what there is of the checksum must fit it: else the body was changed.
        if (restBytes > head) {
            byte[] crc = crc(rest, 0, (int) head);
            for (int i = (int) head; i < rest.length; i++) {
                if (rest[i] != crc[i - (int) head]) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Torn is the last entry alone, whatever the damaged one says of its length. What looks like an
     * entry within a torn one, as somebody may have stored it in an attribute, ends before that.
     */
    private static boolean endsWithWholeEntries(byte[] rest) {
        byte[] log = Arrays.copyOf(rest, rest.length + CRC_BYTES); // a checksum may end with zeros
        for (int at = 1; at < rest.length; at++) {
            int next = at;
            while (next < rest.length && isWhole(log, next)) {
                next = Math.toIntExact(next + Length.of(log, next).ofAll());
            }
            if (next >= rest.length) {
                return true;
            }
        }
        return false;
    }

    /**
     * What an entry begins with.
     *
     * @param bytes that it takes itself
     * @param body how many follow, before the checksum
     */
    private record Length(int bytes, long body) {
        static Length of(byte[] log, int at) {
            int bytes = 0;
            long body = 0;
            for (int b = 0x80; (b & 0x80) != 0 && bytes < MAX_VARINT_BYTES; bytes++) {
                b = at + bytes < log.length ? log[at + bytes] : 0;
                body |= (long) (b & 0x7f) << (7 * bytes);
            }
            return new Length(bytes, body);
        }

        /** Of the whole entry, with its checksum. */
        long ofAll() {
            return bytes + body + CRC_BYTES;
        }
    }

    /**
     * One byte of the length is wrong, so that the entry seems to go on beyond the end: with the
     * right one the checksum would fit, whatever follows it.
     */
    private static boolean beginsWholeButForOneByte(byte[] rest) {
        byte[] mended = rest.clone();
        for (int at = 0; at < Math.min(MAX_VARINT_BYTES, rest.length); at++) {
            for (int value = 0; value <= 0xff; value++) {
                mended[at] = (byte) value;
                if (isWhole(mended, 0)) {
                    return true;
                }
            }
            mended[at] = rest[at];
        }
        return false;
    }

    /** An entry is at that place, and its checksum fits. */
    private static boolean isWhole(byte[] log, int at) {
        var length = Length.of(log, at);
        int body = at + length.bytes();
        long end = at + length.ofAll();
        if (end > log.length || log[body] != TERM_TAG) {
            return false;
        }
        int crcAt = (int) end - CRC_BYTES;
        return Arrays.equals(crc(log, at, crcAt), Arrays.copyOfRange(log, crcAt, (int) end));
    }

    /** Only the length is wrong: with the right one the checksum would fit. */
    private static boolean isWholeUnderAnotherLength(byte[] rest) {
        for (int zeros = 0; zeros < CRC_BYTES; zeros++) {
            int crcAt = rest.length + zeros - CRC_BYTES;
            for (int lengthBytes = 1; lengthBytes <= MAX_VARINT_BYTES; lengthBytes++) {
                int body = crcAt - lengthBytes;
                if (body > 0 && CodedOutputStream.computeUInt32SizeNoTag(body) == lengthBytes) {
                    byte[] mended = rest.clone();
                    writeVarint(mended, body);
                    byte[] found = new byte[CRC_BYTES];
                    System.arraycopy(rest, crcAt, found, 0, rest.length - crcAt);
                    if (Arrays.equals(crc(mended, 0, crcAt), found)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static void writeVarint(byte[] into, int value) {
        int at = 0;
        int left = value;
        for (; left >= 0x80; left >>>= 7) {
            into[at++] = (byte) (left | 0x80);
        }
        into[at] = (byte) left;
    }

    private static byte[] crc(byte[] bytes, int from, int to) {
        var crc = new CRC32C();
        crc.update(bytes, from, to - from);
        return ByteBuffer.allocate(CRC_BYTES).putInt((int) crc.getValue()).array();
    }
}
