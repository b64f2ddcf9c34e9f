package org.cepheus.mgm.raft;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.ratis.util.SizeInBytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the open segment of a Raft log before Ratis does. Segments are filled with zeros ahead,
 * so a write that a power cut tore apart is a beginning of an entry followed by zeros: that entry
 * was acknowledged to nobody and is cut off. Anything else that cannot be read may have been
 * acknowledged, and nothing is cut.
 *
 * <p>A segment is 8 bytes of header, then entries: a varint length, that many bytes, and a
 * big-endian CRC32C over both.
 */
final class TornTail {
    private static final Logger LOG = LoggerFactory.getLogger(TornTail.class);
    private static final int HEADER_BYTES = 8;
    private static final int CRC_BYTES = 4;
    private static final int MAX_VARINT_BYTES = 5;

    /** The first byte of an entry of Ratis: the term follows. It has none before the first term. */
    private static final byte TERM_TAG = 0x08;

    private TornTail() {}

    /**
     * Cuts a torn entry off the open segment, if there is one.
     *
     * @param current the directory that holds the segments; may not exist yet
     * @return bytes of the torn entry, 0 if the log is whole
     * @throws DamagedLogException if the log is damaged in a way that no torn write explains
     */
    static long cut(Path current, SizeInBytes maxEntry) throws IOException {
        if (!Files.isDirectory(current)) {
            return 0;
        }
        long cut = 0;
        for (LogSegmentPath segment : openSegments(current)) {
            cut += cutOne(segment, maxEntry);
        }
        return cut;
    }

    private static List<LogSegmentPath> openSegments(Path current) throws IOException {
        var open = new ArrayList<LogSegmentPath>();
        try (var files = Files.newDirectoryStream(current, "log_inprogress_*")) {
            for (Path file : files) {
                LogSegmentPath segment = LogSegmentPath.matchLogSegment(file);
                if (segment != null) {
                    open.add(segment);
                }
            }
        }
        return open;
    }

    private static long cutOne(LogSegmentPath segment, SizeInBytes maxEntry) throws IOException {
        long good = readableBytes(segment, maxEntry);
        File file = segment.getPath().toFile();
        long last = lastNonZero(file);
        if (last < good) {
            return 0;
        }
        byte[] rest = read(file, good, (int) Math.min(last + 1 - good, maxEntry.getSize() + 16L));
        if (!isTorn(rest, last + 1 - good, maxEntry.getSizeInt())) {
            throw new DamagedLogException(
                    ("the Raft log %s is damaged from byte %d on, and not by a torn write: entries after it may have been acknowledged."
                                    + " If other members are alive, remove this one, delete its data and add it under a new id."
                                    + " If it is alone, restore the file from a backup, or give up what follows: truncate -s %d '%s'")
                            .formatted(file, good, good, file));
        }
        try (var channel = FileChannel.open(file.toPath(), StandardOpenOption.WRITE)) {
            channel.truncate(good);
            channel.force(true);
        }
        LOG.warn(
                "cut a torn entry of {} bytes off {}; it was acknowledged to nobody",
                last + 1 - good,
                file);
        return last + 1 - good;
    }

    private static long readableBytes(LogSegmentPath segment, SizeInBytes maxEntry)
            throws IOException {
        long[] bytes = {HEADER_BYTES};
        try {
            LogSegment.readSegmentFile(
                    segment.getPath().toFile(),
                    segment.getStartEnd(),
                    maxEntry,
                    CorruptionPolicy.WARN_AND_RETURN,
                    null,
                    entry -> bytes[0] += bytesOf(entry));
        } catch (IllegalStateException e) {
            throw new DamagedLogException(
                    "the Raft log %s has a gap: %s".formatted(segment.getPath(), e.getMessage()));
        }
        return bytes[0];
    }

    private static long bytesOf(LogEntryProto entry) {
        int size = entry.getSerializedSize();
        return size + CodedOutputStream.computeUInt32SizeNoTag(size) + (long) CRC_BYTES;
    }

    /** The offset of the last byte that is not zero, -1 if there is none. */
    private static long lastNonZero(File file) throws IOException {
        byte[] chunk = new byte[1 << 16];
        try (var in = new RandomAccessFile(file, "r")) {
            for (long end = in.length(); end > 0; ) {
                int length = (int) Math.min(chunk.length, end);
                in.seek(end - length);
                in.readFully(chunk, 0, length);
                for (int i = length - 1; i >= 0; i--) {
                    if (chunk[i] != 0) {
                        return end - length + i;
                    }
                }
                end -= length;
            }
        }
        return -1;
    }

    private static byte[] read(File file, long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        try (var in = new RandomAccessFile(file, "r")) {
            in.seek(offset);
            in.readFully(bytes);
        }
        return bytes;
    }

    /**
     * Decides whether what follows the last good entry is the beginning of one entry and nothing
     * else.
     *
     * @param rest from the first unreadable byte to the last one that is not zero, or fewer
     * @param restBytes how many they are really
     */
    static boolean isTorn(byte[] rest, long restBytes, int maxEntryBytes) {
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
