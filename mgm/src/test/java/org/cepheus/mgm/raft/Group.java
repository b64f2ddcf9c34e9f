package org.cepheus.mgm.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.Reply;
import org.cepheus.domain.loopback.FreePorts;
import org.cepheus.mgm.store.RocksStore;

/** A Raft group on loopback over {@link JournalState}, for tests. */
final class Group {
    private static final UUID CLUSTER = new UUID(3, 4);
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private final Path directory;
    private final List<RaftSettings.Peer> peers;
    private int starts;

    private Group(Path directory, int members) throws IOException {
        this.directory = directory;
        this.peers = new ArrayList<>();
        int port = FreePorts.firstOf(members);
        for (int i = 0; i < members; i++) {
            peers.add(
                    new RaftSettings.Peer(
                            "m" + i, "127.0.0.1", port + i, new MgmAddress("m" + i, 1, 2, 3, 4)));
        }
    }

    static Group alone(Path directory) throws IOException {
        return new Group(directory, 1);
    }

    static Group ofThree(Path directory) throws IOException {
        return new Group(directory, 3);
    }

    Member start(int number) throws IOException {
        Path home = directory.resolve("m" + number);
        Files.createDirectories(home.resolve("raft"));
        var store = new RocksStore(home.resolve("db"), 4 << 20);
        var state = new JournalState(store);
        var fatal = new CompletableFuture<String>();
        try {
            var raft =
                    new RaftMember(
                            new RaftSettings(CLUSTER, "m" + number, peers, home.resolve("raft")),
                            state,
                            new Random(++starts),
                            (why, _) -> fatal.complete(why));
            return new Member(raft, store, state, fatal);
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** One running member. */
    record Member(
            RaftMember raft, RocksStore store, JournalState state, CompletableFuture<String> fatal)
            implements AutoCloseable {
        CompletableFuture<Reply> submit(String path) {
            return raft.aggregator()
                    .submit(
                            new LogEntry.Item(
                                    Caller.SYSTEM,
                                    new Mutation.MakeDirectory(FsPath.parse(path), 0755, false)));
        }

        Reply make(String path) throws Exception {
            awaitLeading();
            return submit(path).get(30, TimeUnit.SECONDS);
        }

        void awaitLeading() {
            await(raft::isLeading, "leads");
        }

        void flush() {
            store.flush();
        }

        List<String> lines() {
            return state.lines();
        }

        @Override
        public void close() {
            raft.close();
            store.close();
        }
    }

    static void await(BooleanSupplier condition, String what) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within 30 s: " + what);
            }

            LockSupport.parkNanos(1_000_000);
        }
    }

    /** What a power cut would leave, if the disk lost nothing that it had taken. */
    static void copy(Path from, Path to) throws IOException {
        try (var files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else if (!file.getFileName().toString().equals("LOCK")
                        && !file.getFileName().toString().equals("in_use.lock")) {
                    Files.copy(file, target);
                }
            }
        }
    }
}
