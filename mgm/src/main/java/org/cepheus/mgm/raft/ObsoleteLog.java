package org.cepheus.mgm.raft;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.util.SizeInBytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes away a Raft log that ends before the state does, before Ratis looks at it. A fetched state
 * leaves such a log behind when the process ends right after; Ratis would append the next entry
 * behind the gap, and fail. Every entry of it is in the state, which is on disk.
 */
final class ObsoleteLog {
    private static final Logger LOG = LoggerFactory.getLogger(ObsoleteLog.class);

    private static final Pattern NAME =
            Pattern.compile("log_(inprogress_)?(?<start>\\d+)(-(?<end>\\d+))?");

    private ObsoleteLog() {}

    /**
     * Deletes the segments if the last entry in them is before that index.
     *
     * @param current the directory that holds the segments; may not exist yet
     * @param persisted the last entry that the state on disk has
     */
    static void drop(Path current, long persisted, SizeInBytes maxEntry) throws IOException {
        List<LogSegmentPath> segments = segments(current);
        if (segments.isEmpty()) {
            return;
        }
        long last = lastIndex(segments.getLast(), maxEntry);
        if (last >= persisted) {
            return;
        }
        LOG.info(
                "the Raft log ends at entry {} and the state at {}: the log goes", last, persisted);
        // From the end, so that what is left by a kill still ends before the state does.
        for (LogSegmentPath segment : segments.reversed()) {
            Files.delete(segment.getPath());
        }
        try (var directory = FileChannel.open(current)) {
            directory.force(true);
        }
    }

    private static List<LogSegmentPath> segments(Path current) throws IOException {
        var segments = new ArrayList<LogSegmentPath>();
        if (!Files.isDirectory(current)) {
            return segments;
        }
        try (var files = Files.newDirectoryStream(current, "log_*")) {
            for (Path file : files) {
                LogSegmentPath segment = LogSegmentPath.matchLogSegment(file);
                if (segment != null) {
                    segments.add(segment);
                }
            }
        }
        segments.sort(Comparator.comparing(LogSegmentPath::getStartEnd));
        return segments;
    }

    private static long lastIndex(LogSegmentPath segment, SizeInBytes maxEntry) throws IOException {
        Matcher name = NAME.matcher(segment.getPath().getFileName() + "");
        if (!name.matches()) {
            throw new IOException(segment.getPath() + " is no segment of a log");
        }
        if (name.group("end") != null) {
            return Long.parseLong(name.group("end"));
        }
        long[] last = {Long.parseLong(name.group("start")) - 1};
        LogSegment.readSegmentFile(
                segment.getPath().toFile(),
                segment.getStartEnd(),
                maxEntry,
                CorruptionPolicy.WARN_AND_RETURN,
                null,
                _ -> last[0]++);
        return last[0];
    }
}
