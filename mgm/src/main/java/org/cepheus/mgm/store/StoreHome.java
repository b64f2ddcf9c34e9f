package org.cepheus.mgm.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.cepheus.namespace.rows.Rows.Head;
import org.cepheus.namespace.rows.Tables;
import org.cepheus.namespace.store.Family;
import org.cepheus.namespace.store.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the store lies, and how one that was fetched from another member takes its place. A fetched
 * store is first {@link #incoming}, then ready, then the store: each step is one rename, so that
 * whenever the process ends, {@link #recover} finds one whole store and goes on from there.
 */
public final class StoreHome {
    private static final Logger LOG = LoggerFactory.getLogger(StoreHome.class);
    private static final long LOOK_CACHE_BYTES = 1L << 20;

    private final Path root;
    private final Path store;
    private final Path incoming;
    private final Path ready;
    private final Path old;
    private final Path outgoing;

    /** In the directory, which exists; nothing is touched before {@link #recover}. */
    public StoreHome(Path root) {
        this.root = root;
        this.store = root.resolve("db");
        this.incoming = root.resolve("db.incoming");
        this.ready = root.resolve("db.ready");
        this.old = root.resolve("db.old");
        this.outgoing = root.resolve("db.outgoing");
    }

    /** The store's own directory. */
    public Path store() {
        return store;
    }

    /** A directory below which copies for other members are made; emptied at each start. */
    public Path outgoing() {
        return outgoing;
    }

    /** To be called before the store is opened: ends what an earlier process began. */
    public void recover() throws IOException {
        deleteTree(incoming);
        deleteTree(outgoing);
        if (Files.exists(ready)) {
            LOG.info("a store that was fetched from another member is ready");
            exchangeIfNewer();
        }
        deleteTree(old);
    }

    /** An empty directory to fetch a store into. */
    public Path emptyIncoming() throws IOException {
        deleteTree(incoming);
        return Files.createDirectory(incoming);
    }

    /** The head of what was fetched, after all of it was read and found whole. */
    public Head verifiedIncoming() throws IOException {
        try (var fetched = new RocksStore(incoming, LOOK_CACHE_BYTES)) {
            fetched.verify();
            return headIfAny(fetched).orElseThrow(() -> noState(incoming));
        } catch (Store.StoreException e) {
            throw new IOException("what was fetched is damaged", e);
        }
    }

    /** What is in {@link #emptyIncoming} is whole, checked and on disk: it will be the store. */
    public void makeReady() throws IOException {
        deleteTree(ready);
        move(incoming, ready);
    }

    /** The head of the store that is ready, if one is. */
    public Optional<Head> readyHead() throws IOException {
        return Files.exists(ready) ? Optional.of(head(ready)) : Optional.empty();
    }

    /** Forgets the store that is ready. */
    public void forgetReady() throws IOException {
        deleteTree(ready);
    }

    /** The ready store takes the place of the present one, which must be closed. */
    public void exchange() throws IOException {
        deleteTree(old);
        if (Files.exists(store)) {
            move(store, old);
        }
        move(ready, store);
        deleteTree(old);
    }

    // It may have been overtaken by the log, when the exchange was put off. A store that a young
    // member had, and never flushed, has no head at all.
    private void exchangeIfNewer() throws IOException {
        Optional<Head> present = Files.exists(store) ? headIfAny(store) : Optional.empty();
        if (present.isEmpty() || head(ready).index() > present.get().index()) {
            exchange();
        } else {
            forgetReady();
        }
    }

    /**
     * The head of a store that nobody has open.
     *
     * @throws IOException if there is none in it
     */
    public static Head head(Path directory) throws IOException {
        return headIfAny(directory).orElseThrow(() -> noState(directory));
    }

    private static Optional<Head> headIfAny(Path directory) {
        try (var opened = new RocksStore(directory, LOOK_CACHE_BYTES)) {
            return headIfAny(opened);
        }
    }

    private static Optional<Head> headIfAny(RocksStore opened) {
        return Optional.ofNullable(opened.get(Family.META, Tables.HEADS.keyBytes(Tables.HEAD)))
                .map(Tables.HEADS::value);
    }

    private static IOException noState(Path directory) {
        return new IOException(directory + " holds no state");
    }

    private void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        try (var directory = FileChannel.open(root)) {
            directory.force(true);
        }
    }

    /** Deletes a directory with all that is in it; no error if there is none. */
    public static void deleteTree(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        List<Path> all;
        try (var files = Files.walk(directory)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : all) {
            Files.deleteIfExists(file);
        }
    }
}
