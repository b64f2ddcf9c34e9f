package org.cepheus.jmh.core;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.cepheus.domain.MgmAddress;
import org.cepheus.jmh.Workload;
import org.cepheus.mgm.raft.Fatal;
import org.cepheus.mgm.raft.RaftMember;
import org.cepheus.mgm.raft.RaftSettings;
import org.cepheus.mgm.service.NamespaceState;
import org.cepheus.mgm.store.RocksStore;

/** What an MGM has of a namespace, alone and without its ports: the store and the Raft log. */
final class CoreMember implements AutoCloseable {
    private static final long CACHE_BYTES = 64L << 20;
    private static final long POLL_NANOS = 1_000_000;
    private static final int ENTRIES_UNDER_WAY = 4;

    private final RocksStore store;
    private final NamespaceState state;
    private final RaftMember raft;

    private CoreMember(RocksStore store, NamespaceState state, RaftMember raft) {
        this.store = store;
        this.state = state;
        this.raft = raft;
    }

    /** Starts it in a directory of its own, which may hold an earlier one, until it leads. */
    static CoreMember start(Path directory) throws IOException {
        return start(directory, ENTRIES_UNDER_WAY);
    }

    /** The same with another number of log entries under way. */
    static CoreMember start(Path directory, int entriesUnderWay) throws IOException {
        Path log = Files.createDirectories(directory.resolve("log"));
        var store = new RocksStore(storeBelow(directory), CACHE_BYTES);
        try {
            var state = new NamespaceState(store, Workload.CLUSTER);
            String id = directory.getFileName().toString();
            var address = new MgmAddress("127.0.0.1", 1, 1, 1, 1);
            var peer = new RaftSettings.Peer(id, "127.0.0.1", freePort(), address);
            var settings = new RaftSettings(Workload.CLUSTER, id, List.of(peer), log);
            var raft = new RaftMember(settings, state, new Random(), Fatal.HALT, entriesUnderWay);
            while (!raft.isLeading()) {
                LockSupport.parkNanos(POLL_NANOS);
            }
            return new CoreMember(store, state, raft);
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** Where the rows of a member are that has this directory. */
    static Path storeBelow(Path directory) {
        return directory.resolve("store");
    }

    private static int freePort() throws IOException {
        try (var probe = new ServerSocket(0)) {
            return probe.getLocalPort();
        }
    }

    RocksStore store() {
        return store;
    }

    NamespaceState state() {
        return state;
    }

    RaftMember raft() {
        return raft;
    }

    @Override
    public void close() {
        raft.close();
        store.close();
    }
}
