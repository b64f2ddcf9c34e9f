package org.cepheus.mgm.sim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Reply;
import org.cepheus.mgm.raft.Applied.Position;
import org.cepheus.mgm.raft.DamagedLogException;
import org.cepheus.mgm.raft.Fetch;
import org.cepheus.mgm.raft.LogDamage;
import org.cepheus.mgm.raft.LogFiles;
import org.cepheus.mgm.raft.StateFiles;
import org.cepheus.mgm.service.NamespaceState;
import org.cepheus.mgm.store.StoreHome;
import org.cepheus.namespace.Queries;
import org.cepheus.namespace.Snapshot;
import org.cepheus.namespace.rows.Rows.Head;
import org.cepheus.namespace.sim.Replica;
import org.cepheus.namespace.sim.Slot;

/**
 * A member as it is on disk: the namespace in its store, a Raft log in segments, and the product's
 * own way back after a crash. Only Ratis' server and the network are missing. Every life of its
 * process has a directory of its own, which begins as what the one before has left.
 */
final class DiskReplica implements Replica, AutoCloseable {
    private static final long CACHE_BYTES = 1L << 20;
    private static final int ENTRIES_IN_SEGMENT = 12;
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final int MAX_PIECES_BEFORE_THE_END = 8;

    private final String name;
    private final Path directory;
    private final Random random;
    private final Consumer<Happening> tally;

    /** What it has said to have in its log. */
    private final NavigableMap<Long, LogEntryProto> acknowledged = new TreeMap<>();

    private int lives;
    private Path home;
    private NamespaceState state;
    private LogFiles log;
    private long lastBatch;

    /**
     * A new member.
     *
     * @param directory its own; is made
     * @param tally hears of what befalls it
     */
    DiskReplica(String name, Path directory, Random random, Consumer<Happening> tally)
            throws IOException {
        this.name = name;
        this.directory = directory;
        this.random = random;
        this.tally = tally;
        this.home = nextHome();
        Files.createDirectories(store(home));
        this.state = openState();
        this.log = openLog();
        this.lastBatch = applied();
    }

    private Path nextHome() {
        return directory.resolve("life-" + lives++);
    }

    private static Path store(Path home) {
        return home.resolve("store");
    }

    private static Path segments(Path home) {
        return home.resolve("raft");
    }

    private NamespaceState openState() throws IOException {
        return new NamespaceState(new StoreHome(store(home)), CLUSTER, CACHE_BYTES, BOUNDS);
    }

    private LogFiles openLog() throws IOException {
        return LogFiles.open(segments(home), state.persisted().index(), ENTRIES_IN_SEGMENT);
    }

    @Override
    public Head head() {
        return state.head();
    }

    @Override
    public Queries queries() {
        return state.queries();
    }

    @Override
    public Snapshot snapshot() {
        return state.snapshot();
    }

    @Override
    public long persisted() {
        return state.persisted().index();
    }

    @Override
    public long logged() {
        return log.isEmpty() ? applied() : log.last();
    }

    @Override
    public List<Reply> deliver(Slot slot) {
        LogEntryProto sent = entry(slot);
        try {
            if (slot.index() == logged() + 1) {
                log.append(sent);
                acknowledged.put(slot.index(), sent);
            } else if (slot.index() == applied() + 1) {
                tally.accept(Happening.ENTRY_REPLAYED_FROM_ITS_OWN_LOG);
            }
            LogEntryProto read =
                    log.indexes().contains(slot.index()) ? log.entry(slot.index()) : sent;
            require(read.equals(sent), "entry %d is not what was sent", slot.index());
            return apply(read);
        } catch (IOException e) {
            throw new UncheckedIOException("%s: %s".formatted(name, e), e);
        }
    }

    private static LogEntryProto entry(Slot slot) {
        var entry = LogEntryProto.newBuilder().setTerm(slot.term()).setIndex(slot.index());
        return slot.entry()
                .map(encoded ->
                        entry.setStateMachineLogEntry(
                                StateMachineLogEntryProto.newBuilder()
                                        .setCallId(slot.index())
                                        .setClientId(ByteString.copyFrom(new byte[16]))
                                        .setLogData(ByteString.copyFrom(encoded.bytes()))))
                .orElseGet(() ->
                        entry.setConfigurationEntry(RaftConfigurationProto.getDefaultInstance()))
                .build();
    }

    private List<Reply> apply(LogEntryProto entry) {
        var at = new Position(entry.getTerm(), entry.getIndex());
        if (!entry.hasStateMachineLogEntry()) {
            state.passed(at);
            return List.of();
        }
        byte[] bytes = entry.getStateMachineLogEntry().getLogData().toByteArray();
        List<Reply> replies = state.apply(at, LogEntry.decode(bytes));
        lastBatch = at.index();
        return replies;
    }

    @Override
    public void flush() {
        state.startFlush();
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (persisted() < lastBatch) {
            require(System.nanoTime() - deadline < 0, "not flushed within 30 s");
            LockSupport.parkNanos(100_000);
        }
    }

    @Override
    public void purge() {
        try {
            for (int gone = log.purge(persisted()); gone > 0; gone--) {
                tally.accept(Happening.SEGMENT_PURGED);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("%s: %s".formatted(name, e), e);
        }
        acknowledged.keySet().removeIf(index -> !log.indexes().contains(index));
    }

    @Override
    public void crash(Optional<Slot> underWay) {
        long persisted = persisted();
        try {
            int dice = random.nextInt(20);
            if (dice < 4) {
                loseTheDisk();
                return;
            } else if (dice < 11 && underWay.isPresent()) {
                crashWithATornEntry(underWay.get());
            } else if (dice < 16 && !log.isEmpty()) {
                crashAndFlip();
            } else if (dice < 19 && damage(home).hasOpenSegment()) {
                tally.accept(Happening.CRASH_BETWEEN_TWO_SEGMENTS);
                Path wreck = leave();
                damage(wreck).roll();
                start(wreck);
            } else {
                tally.accept(Happening.CRASH_AND_NOTHING_ELSE);
                start(leave());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("%s: %s".formatted(name, e), e);
        }
        requireAllOf(persisted);
    }

    private void loseTheDisk() throws IOException {
        tally.accept(Happening.DISK_LOST);
        end();
        acknowledged.clear();
        Path empty = nextHome();
        Files.createDirectories(store(empty));
        start(empty);
        requireAllOf(-1);
    }

    private LogDamage damage(Path wreck) {
        return new LogDamage(log, segments(wreck), random);
    }

    private void crashWithATornEntry(Slot slot) throws IOException {
        tally.accept(Happening.CRASH_WITH_A_TORN_ENTRY);
        log.append(entry(slot));
        Path wreck = leave();
        long torn = damage(wreck).tear();
        start(wreck);
        require(log.cutBytes() == torn, "%d bytes were torn, %d cut", torn, log.cutBytes());
        tally.accept(Happening.TORN_BYTES_CUT);
    }

    // Nothing but an operator may decide what becomes of it; this one has a backup.
    private void crashAndFlip() throws IOException {
        Path wreck = leave();
        LogDamage.Flip flip = damage(wreck).flip();
        home = wreck;
        state = openState();
        Map<Path, ByteString> before = contents(segments(wreck));
        try {
            openLog().close();
            throw new AssertionError("%s took %s for its log".formatted(name, flip));
        } catch (DamagedLogException refused) {
            require(flip.inOpenSegment(), "%s: %s", flip, refused);
            tally.accept(Happening.FLIP_IN_THE_OPEN_SEGMENT_REFUSED);
        } catch (IOException | IllegalStateException refused) {
            // Closed segments are read by Ratis alone.
            if (flip.inOpenSegment()) {
                throw new AssertionError("%s: %s".formatted(flip, refused), refused);
            }
            tally.accept(Happening.FLIP_IN_A_CLOSED_SEGMENT_REFUSED);
        }
        require(contents(segments(wreck)).equals(before), "%s: the log was changed", flip);
        state.close();
        flip.undo();
        start(wreck);
    }

    private static Map<Path, ByteString> contents(Path directory) throws IOException {
        var contents = new HashMap<Path, ByteString>();
        try (var files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                contents.put(file, ByteString.copyFrom(Files.readAllBytes(file)));
            }
        }
        return contents;
    }

    private Path leave() throws IOException {
        Path wreck = nextHome();
        Wreck.of(home, wreck);
        end();
        return wreck;
    }

    // What the store still flushes when it is closed is flushed to files that nobody will see.
    private void end() throws IOException {
        close();
        StoreHome.deleteTree(home);
    }

    private void start(Path wreck) throws IOException {
        home = wreck;
        state = openState();
        log = openLog();
        lastBatch = applied();
    }

    private void requireAllOf(long index) {
        require(applied() == index, "replay starts after %d, should after %d", applied(), index);
        require(persisted() == index, "%d is on disk, should be %d", persisted(), index);
        require(
                acknowledged.keySet().equals(log.indexes()),
                "the log has %s, acknowledged are %s",
                log.indexes(),
                acknowledged.keySet());
        acknowledged.forEach((at, entry) -> {
            try {
                require(log.entry(at).equals(entry), "entry %d has changed", at);
            } catch (IOException e) {
                throw new UncheckedIOException("%s: %s".formatted(name, e), e);
            }
        });
    }

    @Override
    public void install(Replica donor) {
        tally.accept(Happening.INSTALL);
        long persisted = persisted();
        StateFiles theirs = ((DiskReplica) donor).state.files().orElseThrow();
        try {
            StateFiles files = state.files().orElseThrow();
            if (random.nextInt(3) == 0) {
                files.accept(Fetch.into(files, theirs, Integer.MAX_VALUE));
                files.takeOver();
                log.close();
                log = openLog();
                lastBatch = applied();
                acknowledged.clear();
                requireAllOf(((DiskReplica) donor).persisted());
                return;
            }
            List<CutShort> ends = CutShort.all(random.nextBoolean());
            CutShort end = ends.get(random.nextInt(ends.size()));
            start(install(end, files, theirs));
            if (end.isKept()) {
                tally.accept(Happening.INSTALL_CUT_SHORT_AND_ENDED);
                acknowledged.clear();
                requireAllOf(((DiskReplica) donor).persisted());
            } else {
                tally.accept(Happening.INSTALL_CUT_SHORT_AND_FORGOTTEN);
                requireAllOf(persisted);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("%s: %s".formatted(name, e), e);
        }
    }

    private Path install(CutShort end, StateFiles files, StateFiles theirs) throws IOException {
        boolean all = end != CutShort.AMID_THE_FETCH;
        int pieces = all ? Integer.MAX_VALUE : random.nextInt(MAX_PIECES_BEFORE_THE_END);
        StateFiles.Stand stand = Fetch.into(files, theirs, pieces);
        if (end.isKept()) {
            files.accept(stand);
        }
        switch (end) {
            case AMID_THE_FETCH, BEFORE_IT_IS_ACCEPTED, ONCE_IT_IS_READY -> {}
            case ONCE_THE_STORE_IS_CLOSED -> state.close();
            case BETWEEN_THE_TWO_MOVES -> exchangeHalf();
            case BEFORE_THE_OLD_STORE_IS_GONE -> exchangeAndKeepSome();
            case BEFORE_THE_OLD_LOG_IS_GONE -> files.takeOver();
        }
        return leave();
    }

    // Without the ready store, its second move fails.
    private void exchangeHalf() throws IOException {
        state.close();
        Path ready = store(home).resolve("db.ready");
        Path hidden = home.resolve("hidden");
        Files.move(ready, hidden);
        try {
            new StoreHome(store(home)).exchange();
            throw new AssertionError("a store that is not there took the place of another");
        } catch (IOException expected) {
            Files.move(hidden, ready);
        }
    }

    private void exchangeAndKeepSome() throws IOException {
        state.close();
        var exchanged = new StoreHome(store(home));
        Path kept = home.resolve("kept");
        Wreck.of(exchanged.store(), kept);
        exchanged.exchange();
        // How many files there are is a matter of time.
        var dice = new Random(random.nextLong());
        try (var files = Files.newDirectoryStream(kept)) {
            for (Path file : files) {
                if (dice.nextBoolean()) {
                    Files.delete(file);
                }
            }
        }
        Files.move(kept, store(home).resolve("db.old"));
    }

    private void require(boolean holds, String format, Object... values) {
        if (!holds) {
            throw new AssertionError(name + ": " + format.formatted(values));
        }
    }

    @Override
    public void close() throws IOException {
        state.close();
        log.close();
    }

    @Override
    public String toString() {
        return name;
    }
}
