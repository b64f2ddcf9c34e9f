package org.cepheus.jmh;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.command.Command;
import org.cepheus.domain.command.Reply;
import org.cepheus.namespace.Namespace;
import org.cepheus.namespace.store.MemoryStore;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The rules without disk and wire: creates in entries of 64 commands, stat, and a walk that fails.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class NamespaceBenchmark {
    private static final int BATCH = 64;
    private static final int DIRECTORIES = 64;
    private static final int FILES = 10_000;
    // Beyond it the namespace starts anew, so that the heap stays small.
    private static final int MAX_FILES = 400_000;

    private Namespace namespace = Namespace.open(new MemoryStore(), Workload.CLUSTER);
    private FsPath[] files = {};
    private long index = Namespace.NOTHING_APPLIED;
    private int made;
    private int asked;

    @Setup
    public void fill() {
        start();
        while (made < FILES) {
            createBatch();
        }
        files = new FsPath[FILES];
        for (int i = 0; i < FILES; i++) {
            files[i] = path(i);
        }
    }

    private void start() {
        namespace = Namespace.open(new MemoryStore(), Workload.CLUSTER);
        index = Namespace.NOTHING_APPLIED;
        made = 0;
        var directories = new ArrayList<Command>();
        for (int i = 0; i < DIRECTORIES; i++) {
            directories.add(Workload.makeDirectory(Workload.directory(i)));
        }
        apply(directories);
    }

    private static FsPath path(int number) {
        return Workload.file(DIRECTORIES, number);
    }

    private List<Reply> apply(List<Command> commands) {
        index++;
        return namespace.apply(1, index, Workload.entry(index, commands));
    }

    private void createBatch() {
        var opens = new ArrayList<Command>(BATCH);
        for (int i = 0; i < BATCH; i++) {
            opens.add(Workload.open(path(made++)));
        }
        var commits = new ArrayList<Command>(BATCH);
        apply(opens).forEach(reply -> commits.add(Workload.commit(Workload.lease(reply))));
        apply(commits);
    }

    /** One file: its open and its commit, decided and applied. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long create() {
        if (made > MAX_FILES) {
            start();
        }
        createBatch();
        return namespace.appliedIndex();
    }

    @Benchmark
    public FileStatus stat() {
        return namespace.queries().stat(Workload.CALLER.identity(), files[asked++ % FILES]);
    }

    @Benchmark
    public FileStatus walkToDirectory() {
        return namespace
                .queries()
                .stat(Workload.CALLER.identity(), Workload.directory(asked++ % DIRECTORIES));
    }
}
