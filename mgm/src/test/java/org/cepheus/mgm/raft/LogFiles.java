package org.cepheus.mgm.raft;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeMap;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.server.raftlog.segmented.SegmentedRaftLogFormat;
import org.apache.ratis.server.raftlog.segmented.SegmentedRaftLogOutputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.CodedOutputStream;

/**
 * A Raft log in Ratis' files without the server around them: written by Ratis' own writer, opened
 * as {@link RaftMember} opens it. What it gives are entries read back from the files.
 */
public final class LogFiles implements AutoCloseable {
    private static final long SEGMENT_BYTES = 32L << 20;
    private static final long PREALLOCATED_BYTES = 1L << 16;
    private static final int WRITE_BUFFER_BYTES = 1 << 16;
    private static final int CRC_BYTES = 4;

    private final Path directory;
    private final int entriesInSegment;
    private final NavigableMap<Long, Place> places = new TreeMap<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(WRITE_BUFFER_BYTES);
    private final long cutBytes;
    private Optional<Open> open = Optional.empty();

    /** Where an entry lies, with its length before it and its checksum behind it. */
    record Place(Path segment, long from, int bytes) {}

    /** The segment that is being written. */
    private record Open(Path file, long firstIndex, SegmentedRaftLogOutputStream out) {}

    private LogFiles(Path directory, int entriesInSegment, long cutBytes) {
        this.directory = directory;
        this.entriesInSegment = entriesInSegment;
        this.cutBytes = cutBytes;
    }

    /**
     * Opens the log as a member does at its start: mends its tail, drops what the state has gone
     * past, and reads everything.
     *
     * @param persisted the last entry that the state on disk has
     * @throws DamagedLogException if an operator has to decide about it first
     */
    public static LogFiles open(Path directory, long persisted, int entriesInSegment)
            throws IOException {
        Files.createDirectories(directory);
        long cut = TornTail.cut(directory, RaftSettings.MAX_ENTRY);
        ObsoleteLog.drop(directory, persisted, RaftSettings.MAX_ENTRY);
        var log = new LogFiles(directory, entriesInSegment, cut);
        for (LogSegmentPath segment : log.segments()) {
            log.read(segment);
        }
        return log;
    }

    private List<LogSegmentPath> segments() throws IOException {
        var segments = new ArrayList<LogSegmentPath>();
        try (var files = Files.newDirectoryStream(directory, "log_*")) {
            for (Path file : files) {
                segments.add(LogSegmentPath.matchLogSegment(file));
            }
        }
        segments.sort(Comparator.comparing(LogSegmentPath::getStartEnd));
        return segments;
    }

    // As Ratis does: a segment without entries goes, and an open one is written on from where its
    // entries end.
    private void read(LogSegmentPath segment) throws IOException {
        Path file = segment.getPath();
        long[] end = {SegmentedRaftLogFormat.getHeaderLength()};
        var found = new ArrayList<LogEntryProto>();
        LogSegment.readSegmentFile(
                file.toFile(),
                segment.getStartEnd(),
                RaftSettings.MAX_ENTRY,
                CorruptionPolicy.EXCEPTION,
                null,
                found::add);
        for (LogEntryProto entry : found) {
            if (!places.isEmpty() && entry.getIndex() != last() + 1) {
                throw new IOException("entry %d after %d".formatted(entry.getIndex(), last()));
            }
            places.put(entry.getIndex(), new Place(file, end[0], bytesOf(entry)));
            end[0] += bytesOf(entry);
        }
        if (found.isEmpty()) {
            Files.delete(file);
        } else if (isOpen(file)) {
            truncate(file, end[0]);
            open = Optional.of(new Open(file, found.getFirst().getIndex(), writer(file, true)));
        }
    }

    static boolean isOpen(Path segment) {
        return segment.getFileName().toString().contains("inprogress");
    }

    static void truncate(Path file, long bytes) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        }
    }

    static int bytesOf(LogEntryProto entry) {
        int size = entry.getSerializedSize();
        return size + CodedOutputStream.computeUInt32SizeNoTag(size) + CRC_BYTES;
    }

    private SegmentedRaftLogOutputStream writer(Path file, boolean append) throws IOException {
        return new SegmentedRaftLogOutputStream(
                file.toFile(), append, SEGMENT_BYTES, PREALLOCATED_BYTES, buffer.clear());
    }

    /** Bytes of a torn entry that were cut off when it was opened. */
    public long cutBytes() {
        return cutBytes;
    }

    /** Of all entries that are there. */
    public SequencedSet<Long> indexes() {
        return Collections.unmodifiableSequencedSet(places.navigableKeySet());
    }

    public boolean isEmpty() {
        return places.isEmpty();
    }

    public long first() {
        return places.firstKey();
    }

    public long last() {
        return places.lastKey();
    }

    /** Where the files are. */
    public Path directory() {
        return directory;
    }

    Place place(long index) {
        return Optional.ofNullable(places.get(index)).orElseThrow();
    }

    /** Brings the entry to disk; it must be the next one. */
    public void append(LogEntryProto entry) throws IOException {
        long index = entry.getIndex();
        if (open.isPresent() && index - open.get().firstIndex() >= entriesInSegment) {
            roll();
        }
        if (open.isEmpty()) {
            Path file = directory.resolve("log_inprogress_" + index);
            open = Optional.of(new Open(file, index, writer(file, false)));
        }
        Open segment = open.get();
        long from = SegmentedRaftLogFormat.getHeaderLength();
        if (index > segment.firstIndex()) {
            Place before = place(index - 1);
            from = before.from() + before.bytes();
        }
        segment.out().write(entry);
        segment.out().flush();
        places.put(index, new Place(segment.file(), from, bytesOf(entry)));
    }

    /** Closes the segment that is written, if there is one; the next entry begins another. */
    public void roll() throws IOException {
        if (open.isEmpty()) {
            return;
        }
        Open segment = open.get();
        segment.out().close();
        Path closed = directory.resolve("log_%d-%d".formatted(segment.firstIndex(), last()));
        Files.move(segment.file(), closed);
        var moved = new HashMap<Long, Place>();
        places.tailMap(segment.firstIndex(), true)
                .forEach((index, at) -> moved.put(index, new Place(closed, at.from(), at.bytes())));
        places.putAll(moved);
        open = Optional.empty();
    }

    /** The entry as it is in the file. */
    public LogEntryProto entry(long index) throws IOException {
        Place at = place(index);
        var bytes = new byte[at.bytes()];
        try (var file = new RandomAccessFile(at.segment().toFile(), "r")) {
            file.seek(at.from());
            file.readFully(bytes);
        }
        return LogEntryProto.parseFrom(CodedInputStream.newInstance(bytes).readByteArray());
    }

    /** Deletes the closed segments that have nothing after that index. */
    public int purge(long upTo) throws IOException {
        int gone = 0;
        for (LogSegmentPath segment : segments()) {
            Path file = segment.getPath();
            if (!isOpen(file) && lastIn(file) <= upTo) {
                Files.delete(file);
                places.values().removeIf(at -> at.segment().equals(file));
                gone++;
            }
        }
        return gone;
    }

    private long lastIn(Path segment) {
        return places.entrySet().stream()
                .filter(each -> each.getValue().segment().equals(segment))
                .mapToLong(Map.Entry::getKey)
                .max()
                .orElseThrow();
    }

    @Override
    public void close() throws IOException {
        if (open.isPresent()) {
            open.get().out().close();
        }
    }
}
