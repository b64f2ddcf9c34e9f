package org.cepheus.jmh;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.cepheus.domain.Caller;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Identity;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.command.Command;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.Reply;

/** The commands and log entries that the benchmarks run: what an MGM sees of small uploads. */
public final class Workload {
    /** The cluster of every benchmark. */
    public static final UUID CLUSTER = new UUID(0x1234, 0x5678);

    /** Who asks: an ordinary user. */
    public static final Caller CALLER =
            new Caller(
                    new Identity("alice", List.of("atlas"), false), "127.0.0.1", new TraceId(42));

    private static final LeaseCommand.Placement PLACEMENT = new LeaseCommand.Placement(1, 1, 7);
    private static final List<Checksum> CHECKSUMS =
            List.of(Checksum.of(ChecksumType.ADLER32, 1), Checksum.of(ChecksumType.CRC32C, 0));

    private Workload() {}

    /** A directory as deep as those of experiments. */
    public static FsPath directory(int number) {
        return FsPath.parse("/atlas/data/run%d/raw".formatted(number));
    }

    /** A file in one of so many directories. */
    public static FsPath file(int directories, long number) {
        return FsPath.parse(
                "/atlas/data/run" + number % directories + "/raw/data." + number + ".root");
    }

    public static Command makeDirectory(FsPath path) {
        return new Mutation.MakeDirectory(path, 0755, true);
    }

    public static Command open(FsPath path) {
        return new LeaseCommand.OpenForWrite(
                path, LeaseCommand.Intent.NEW, false, 0644, OptionalLong.of(0), PLACEMENT);
    }

    public static Command commit(LeaseRef lease) {
        return new LeaseCommand.Commit(lease, 0, CHECKSUMS, Optional.empty());
    }

    /** The lease that an open was granted. */
    public static LeaseRef lease(Reply reply) {
        if (reply instanceof Reply.Opened opened) {
            return opened.lease();
        }
        throw new IllegalStateException("an open was answered " + reply);
    }

    public static LogEntry entry(long number, List<Command> commands) {
        var items = new ArrayList<LogEntry.Item>(commands.size());
        commands.forEach(command -> items.add(new LogEntry.Item(CALLER, command)));
        return new LogEntry(
                CLUSTER,
                new LogEntry.BatchId(1, number),
                number * 1_000_000,
                number * 1_000_000,
                1,
                Optional.empty(),
                items);
    }
}
