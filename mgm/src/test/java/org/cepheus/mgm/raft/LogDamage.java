package org.cepheus.mgm.raft;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.ratis.server.raftlog.segmented.SegmentedRaftLogFormat;
import org.cepheus.mgm.raft.LogFiles.Place;

/** What a crash and a bad disk do to the files of a log, in a copy of them that nobody has open. */
public final class LogDamage {
    private static final int CRC_BYTES = 4;
    private static final int PADDING_BYTES = 1 << 12;

    private final LogFiles log;
    private final Path copy;
    private final Random random;

    /**
     * Damages a copy.
     *
     * @param log what was copied; says what lies where
     */
    public LogDamage(LogFiles log, Path copy, Random random) {
        this.log = log;
        this.copy = copy;
        this.random = random;
    }

    /** A byte that is not what it was. */
    public record Flip(Path file, long at, byte was, boolean inOpenSegment) {
        /** Makes it what it was. */
        public void undo() throws IOException {
            write(file, at, was);
        }
    }

    private Path copied(Place place) {
        return copy.resolve(place.segment().getFileName().toString());
    }

    /**
     * Leaves a beginning of the last entry, and behind it zeros or the end of the file.
     *
     * @return how many bytes there are of it
     */
    public long tear() throws IOException {
        Place last = log.place(log.last());
        Path file = copied(last);
        byte[] whole = read(file, last.from(), last.bytes());
        int kept = 1 + random.nextInt(whole.length - 1);
        // Nobody can tell zeros that were written from those that were there.
        boolean zeros = random.nextBoolean() && !isZero(whole, kept);
        try (var torn = new RandomAccessFile(file.toFile(), "rw")) {
            long length = torn.length();
            torn.setLength(last.from() + kept);
            if (zeros) {
                torn.setLength(length);
            }
        }
        while (whole[kept - 1] == 0) {
            kept--;
        }
        return kept;
    }

    private static boolean isZero(byte[] bytes, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Ends amid the change from the open segment, which has entries, to the next one. */
    public void roll() throws IOException {
        Place last = log.place(log.last());
        Path open = copied(last);
        LogFiles.truncate(open, last.from() + last.bytes());
        if (random.nextInt(3) == 0) {
            return;
        }
        String first = open.getFileName().toString().replace("log_inprogress_", "");
        Files.move(open, copy.resolve("log_%s-%d".formatted(first, log.last())));
        if (random.nextInt(3) == 0) {
            return;
        }
        ByteBuffer header = SegmentedRaftLogFormat.getHeaderBytebuffer();
        byte[] begun = new byte[random.nextInt(header.remaining() + 1)];
        header.get(begun);
        Path next = copy.resolve("log_inprogress_" + (log.last() + 1));
        Files.write(next, begun);
        if (random.nextBoolean()) {
            try (var padded = new RandomAccessFile(next.toFile(), "rw")) {
                padded.setLength(PADDING_BYTES);
            }
        }
    }

    /** True if there is a segment that is being written. */
    public boolean hasOpenSegment() {
        return !log.isEmpty() && LogFiles.isOpen(log.place(log.last()).segment());
    }

    /** Changes a byte of some entry. */
    public Flip flip() throws IOException {
        List<Long> indexes = List.copyOf(log.indexes());
        List<Long> open =
                indexes.stream().filter(i -> LogFiles.isOpen(log.place(i).segment())).toList();
        List<Long> from = open.isEmpty() || random.nextInt(3) == 0 ? indexes : open;
        long index = from.get(random.nextInt(from.size()));
        Place place = log.place(index);
        // The first two are the length, in which a wrong bit does the most.
        int offset = random.nextInt(random.nextInt(3) == 0 ? 2 : place.bytes());
        Path file = copied(place);
        long at = place.from() + offset;
        byte was = read(file, at, 1)[0];
        byte is = (byte) (was ^ (1 + random.nextInt(255)));
        boolean checksum = offset >= place.bytes() - CRC_BYTES;
        if (is == 0 && checksum && index == log.last()) {
            is = (byte) ~was; // Zeros at the very end are what a torn write leaves.
        }
        write(file, at, is);
        return new Flip(file, at, was, LogFiles.isOpen(place.segment()));
    }

    private static byte[] read(Path file, long from, int bytes) throws IOException {
        var read = new byte[bytes];
        try (var in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(from);
            in.readFully(read);
        }
        return read;
    }

    private static void write(Path file, long at, byte value) throws IOException {
        try (var out = new RandomAccessFile(file.toFile(), "rw")) {
            out.seek(at);
            out.write(value);
        }
    }
}
