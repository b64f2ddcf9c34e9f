package org.cepheus.mgm.raft;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.ratis.util.SizeInBytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the open segment of a Raft log before Ratis does, and cuts off what a {@link TornWrite}
 * left. Anything else that cannot be read may have been acknowledged, and nothing is cut.
 */
final class TornTail {
    private static final Logger LOG = LoggerFactory.getLogger(TornTail.class);
    private static final int HEADER_BYTES = 8;

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
        if (!TornWrite.explains(rest, last + 1 - good, maxEntry.getSizeInt())) {
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
        return size + CodedOutputStream.computeUInt32SizeNoTag(size) + (long) TornWrite.CRC_BYTES;
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
}
