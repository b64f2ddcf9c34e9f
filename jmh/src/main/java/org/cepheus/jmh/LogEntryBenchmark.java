package org.cepheus.jmh;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.command.Command;
import org.cepheus.domain.command.LogEntry;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The bytes of the log: entries of 64 commands, half opens and half commits, per command. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LogEntryBenchmark {
    private static final int COMMANDS = 64;

    private final LogEntry entry = Workload.entry(1, commands());
    private final byte[] bytes = entry.encode();

    private static List<Command> commands() {
        var commands = new ArrayList<Command>();
        for (int i = 0; i < COMMANDS / 2; i++) {
            String name = "data.%08d.root".formatted(i);
            commands.add(Workload.open(Workload.directory(i).child(name)));
            commands.add(Workload.commit(new LeaseRef(1000 + i, name, 123_456 + i, 123_457 + i)));
        }
        return commands;
    }

    @Benchmark
    @OperationsPerInvocation(COMMANDS)
    public byte[] encode() {
        return entry.encode();
    }

    @Benchmark
    @OperationsPerInvocation(COMMANDS)
    public LogEntry decode() {
        return LogEntry.decode(bytes);
    }
}
