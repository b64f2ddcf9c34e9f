package org.cepheus.mgm.service;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Reply;
import org.cepheus.mgm.raft.Applied;
import org.cepheus.mgm.raft.StateFiles;
import org.cepheus.mgm.store.RocksStore;
import org.cepheus.mgm.store.StoreHome;
import org.cepheus.namespace.AbortedUpload;
import org.cepheus.namespace.Namespace;
import org.cepheus.namespace.Queries;
import org.cepheus.namespace.Snapshot;
import org.cepheus.namespace.rows.Rows.Head;
import org.cepheus.namespace.rules.Bounds;

/**
 * The namespace as the state that the log is applied to. Its store may be exchanged, by the apply
 * thread, for one that was fetched: {@link #queries} throw {@link IllegalStateException} at that
 * moment, which no client sees because a member that fetches does not lead; {@link #ask} waits.
 */
public final class NamespaceState implements Applied, AutoCloseable {
    private static final long EXCHANGE_POLL_NANOS = 1_000_000;

    private final UUID cluster;
    private final Optional<StoreHome> home;
    private final long cacheBytes;
    private final Bounds bounds;
    private volatile Live live;
    private volatile Position last;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    /** Hears of every entry, on the apply thread: must be quick and never throw. */
    public interface Listener {
        /** An entry of commands was applied; a reply for each. */
        default void applied(long index, LogEntry entry, List<Reply> replies) {}

        /** That entry has ended these uploads, at least one; before {@link #applied}. */
        default void aborted(LogEntry entry, List<AbortedUpload> uploads) {}

        /** An entry without commands was passed. */
        default void passed(long index) {}

        /** The state is another one now, as of that index. */
        default void exchanged(long index) {}
    }

    /**
     * The store and what is made of it; exchanged together.
     *
     * @param leaving another one takes its place now: one field says so together with the store, as
     *     whoever read two could see the exchange neither before nor after its end
     */
    private record Live(RocksStore store, Namespace namespace, boolean leaving) {
        Live whileItLeaves() {
            return new Live(store, namespace, true);
        }
    }

    /**
     * Opens the namespace in a store, which stays the caller's to close and is never exchanged.
     *
     * @throws Namespace.DivergenceException if the store belongs to another cluster
     */
    public NamespaceState(RocksStore store, UUID cluster) {
        this.cluster = cluster;
        this.home = Optional.empty();
        this.cacheBytes = 0;
        this.bounds = Bounds.STANDARD;
        this.live = new Live(store, Namespace.open(store, cluster), false);
        this.last = position(head());
    }

    /**
     * Opens the namespace of a home, or makes it, after an exchange that was interrupted is ended.
     *
     * @throws Namespace.DivergenceException if the store belongs to another cluster
     */
    public NamespaceState(StoreHome home, UUID cluster, long cacheBytes) throws IOException {
        this(home, cluster, cacheBytes, Bounds.STANDARD);
    }

    /** The same with other bounds, which all members of the cluster must have. */
    public NamespaceState(StoreHome home, UUID cluster, long cacheBytes, Bounds bounds)
            throws IOException {
        home.recover();
        this.cluster = cluster;
        this.home = Optional.of(home);
        this.cacheBytes = cacheBytes;
        this.bounds = bounds;
        this.live = open(home, cluster, cacheBytes, bounds);
        this.last = position(head());
    }

    private static Live open(StoreHome home, UUID cluster, long cacheBytes, Bounds bounds) {
        var store = new RocksStore(home.store(), cacheBytes);
        try {
            return new Live(store, Namespace.open(store, cluster, bounds), false);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private static Position position(Head head) {
        return new Position(head.term(), head.index());
    }

    /** One more who wants to know of every entry from now on. */
    public void onEntry(Listener each) {
        listeners.add(each);
    }

    public Queries queries() {
        return live.namespace().queries();
    }

    /**
     * Asks something that members may be asked that do not lead: again, if the state was exchanged.
     */
    public <T> T ask(Function<Queries, T> question) {
        while (true) {
            Live asked = live;
            try {
                return question.apply(asked.namespace().queries());
            } catch (IllegalStateException e) {
                Live now = live;
                if (now.equals(asked) && !now.leaving()) {
                    throw e;
                }
                LockSupport.parkNanos(this, EXCHANGE_POLL_NANOS);
            }
        }
    }

    /** What the store takes of memory and disk now. */
    public RocksStore.Load storeLoad() {
        return live.store().load();
    }

    /** All rows as of now; reading fails with IllegalStateException after an exchange. */
    public Snapshot snapshot() {
        return live.namespace().snapshot();
    }

    public Head head() {
        return live.namespace().head();
    }

    @Override
    public Position last() {
        return last;
    }

    @Override
    public Position persisted() {
        return live.namespace()
                .persistedHead()
                .map(NamespaceState::position)
                .orElse(Position.START);
    }

    @Override
    public List<Reply> apply(Position at, LogEntry entry) {
        var aborted = new ArrayList<AbortedUpload>(0);
        List<Reply> replies = live.namespace().apply(at.term(), at.index(), entry, aborted::add);
        last = at;
        for (Listener listener : listeners) {
            if (!aborted.isEmpty()) {
                listener.aborted(entry, aborted);
            }
            listener.applied(at.index(), entry, replies);
        }
        return replies;
    }

    @Override
    public void passed(Position at) {
        live.namespace().note(at.term(), at.index());
        last = at;
        listeners.forEach(each -> each.passed(at.index()));
    }

    @Override
    public long leaseNanos() {
        return head().leaseNanos();
    }

    @Override
    public Optional<LogEntry.ChainCheck> check() {
        LogEntry.ChainCheck check = live.namespace().chainCheck();
        return check.index() < 0 ? Optional.empty() : Optional.of(check);
    }

    @Override
    public void startFlush() {
        live.store().startFlush();
    }

    @Override
    public Optional<StateFiles> files() {
        return home.map(Files::new);
    }

    private final class Files implements StateFiles {
        private final StoreHome home;

        Files(StoreHome home) {
            this.home = home;
        }

        @Override
        public Path outgoing() {
            return home.outgoing();
        }

        @Override
        public Stand copyTo(Path directory) throws IOException {
            live.store().copyTo(directory);
            return stand(StoreHome.head(directory));
        }

        @Override
        public Path emptyIncoming() throws IOException {
            return home.emptyIncoming();
        }

        @Override
        public void accept(Stand promised) throws IOException {
            Head found = home.verifiedIncoming();
            if (!found.cluster().equals(cluster)) {
                throw new IOException(
                        "a store of cluster %s came, this is cluster %s"
                                .formatted(found.cluster(), cluster));
            }
            if (!stand(found).equals(promised)) {
                throw new IOException("%s came, %s was promised".formatted(stand(found), promised));
            }
            home.makeReady();
        }

        @Override
        public void takeOver() throws IOException {
            Live before = live;
            Optional<Head> ready = home.readyHead();
            if (ready.filter(head -> head.index() > last.index()).isEmpty()) {
                before.store().flush();
                home.forgetReady();
                return;
            }
            live = before.whileItLeaves();
            before.store().close();
            home.exchange();
            live = open(home, cluster, cacheBytes, bounds);
            last = position(head());
            listeners.forEach(each -> each.exchanged(last.index()));
        }
    }

    private static StateFiles.Stand stand(Head head) {
        return new StateFiles.Stand(position(head), head.chainHash());
    }

    /** Closes the store that it opened. */
    @Override
    public void close() {
        if (home.isPresent()) {
            live.store().close();
        }
    }
}
