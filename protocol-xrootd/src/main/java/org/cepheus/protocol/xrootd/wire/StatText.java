package org.cepheus.protocol.xrootd.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.cepheus.domain.FileStatus;

/**
 * The line that stands for one entry in stat answers, listings and opens: {@code id size flags
 * mtime ctime atime mode owner group}. Times are seconds of the epoch.
 */
public record StatText(
        long id,
        long size,
        int flags,
        long modified,
        long changed,
        long accessed,
        int mode,
        String owner,
        String group) {
    public static final int EXECUTABLE = 1;
    public static final int DIRECTORY = 2;
    public static final int OTHER = 4;
    public static final int READABLE = 16;
    public static final int WRITABLE = 32;

    private static final int FIELDS = 9;

    /** How the status of an entry looks on the wire. */
    public static StatText of(FileStatus status) {
        long modified = status.modified().getEpochSecond();
        return new StatText(
                status.inode(),
                status.sizeBytes(),
                flags(status),
                modified,
                status.changed().getEpochSecond(),
                modified,
                status.mode(),
                status.owner(),
                status.group());
    }

    private static int flags(FileStatus status) {
        int flags =
                switch (status.kind()) {
                    case FILE -> 0;
                    case DIRECTORY -> DIRECTORY;
                    case SYMLINK -> OTHER;
                };
        if (status.access().mayRead()) {
            flags |= READABLE;
        }
        if (status.access().mayWrite()) {
            flags |= WRITABLE;
        }
        if (status.access().maySearch()) {
            flags |= EXECUTABLE;
        }
        return flags;
    }

    public boolean isDirectory() {
        return (flags & DIRECTORY) != 0;
    }

    /** Appends the line without an end. */
    public void write(ByteBuf out) {
        decimal(out, id);
        decimal(out.writeByte(' '), size);
        decimal(out.writeByte(' '), flags);
        decimal(out.writeByte(' '), modified);
        decimal(out.writeByte(' '), changed);
        decimal(out.writeByte(' '), accessed);
        out.writeByte(' ');
        for (int shift = 9; shift >= 0; shift -= 3) {
            out.writeByte('0' + ((mode >> shift) & 7));
        }
        out.writeByte(' ').writeCharSequence(word(owner), StandardCharsets.UTF_8);
        out.writeByte(' ').writeCharSequence(word(group), StandardCharsets.UTF_8);
    }

    /** A space in a name would shift the fields after it. */
    private static String word(String name) {
        return name.indexOf(' ') < 0 ? name : name.replace(' ', '_');
    }

    /** Appends a number without making a string of it. */
    public static void decimal(ByteBuf out, long number) {
        if (number < 0) {
            out.writeCharSequence(Long.toString(number), StandardCharsets.US_ASCII);
            return;
        }
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        int at = out.writerIndex();
        out.ensureWritable(digits).writerIndex(at + digits);
        long rest = number;
        for (int i = at + digits - 1; i >= at; i--) {
            out.setByte(i, (int) ('0' + rest % 10));
            rest /= 10;
        }
    }

    /** Reads a line; servers before 5.0 send the first four fields only. */
    public static Optional<StatText> parse(String line) {
        String[] parts = line.strip().split(" +", FIELDS);
        try {
            if (parts.length == FIELDS) {
                return Optional.of(
                        new StatText(
                                Long.parseLong(parts[0]),
                                Long.parseLong(parts[1]),
                                Integer.parseInt(parts[2]),
                                Long.parseLong(parts[3]),
                                Long.parseLong(parts[4]),
                                Long.parseLong(parts[5]),
                                Integer.parseInt(parts[6], 8),
                                parts[7],
                                parts[8]));
            }
            if (parts.length >= 4) {
                long modified = Long.parseLong(parts[3]);
                return Optional.of(
                        new StatText(
                                Long.parseLong(parts[0]),
                                Long.parseLong(parts[1]),
                                Integer.parseInt(parts[2]),
                                modified,
                                modified,
                                modified,
                                0,
                                "",
                                ""));
            }
            return Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
