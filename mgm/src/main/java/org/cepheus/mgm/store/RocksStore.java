package org.cepheus.mgm.store;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.cepheus.namespace.store.Change;
import org.cepheus.namespace.store.Family;
import org.cepheus.namespace.store.Store;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.ReadOptions;
import org.rocksdb.ReadTier;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Slice;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Rows in RocksDB: one column family for each {@link Family}, no write-ahead log (the Raft log is
 * one), and all families flushed together, so that after a crash they stand at one log index. May
 * be closed while others read: they then get an {@link IllegalStateException}.
 */
public final class RocksStore implements Store {
    private static final int BLOCK_BYTES = 16 * 1024;
    private static final int METADATA_BLOCK_BYTES = 4 * 1024;

    /**
     * One part in so many of the cache is for rows: to find a row in a block costs twice as much.
     */
    private static final int ROWS_SHARE_OF_CACHE = 4;

    /** Families whose keys begin with the number of a directory or file, and go on with a name. */
    private static final Set<Family> NAMES_IN_DIRECTORIES =
            Set.of(Family.ENTRY, Family.LEASE, Family.XATTR);

    private static final int BLOOM_BITS_PER_KEY = 10;
    private static final double MEMTABLE_BLOOM_RATIO = 0.02;

    /** All unflushed rows together; more starts a flush. */
    private static final long WRITE_BUFFERS_BYTES = 96L << 20;

    private final Path directory;
    private final Handle handle = new Handle();
    private final List<AbstractNativeReference> owned = new ArrayList<>();
    private final Map<Family, ColumnFamilyHandle> families = new EnumMap<>(Family.class);
    private final Map<Family, Integer> familyIds = new EnumMap<>(Family.class);
    private final List<ColumnFamilyHandle> handles = new ArrayList<>();
    private final Set<RocksSnapshot> snapshots = ConcurrentHashMap.newKeySet();
    private final RocksDB db;
    private final ReadOptions readCached;
    private final ReadOptions readPersisted;
    private final ReadOptions readAll;
    private final WriteOptions withoutLog;

    /**
     * Opens or makes a store.
     *
     * @param directory its own directory; the parent exists
     * @param cacheBytes the caches of blocks and rows, outside of the heap
     * @throws StoreException if the directory is damaged or open elsewhere
     */
    public RocksStore(Path directory, long cacheBytes) {
        this.directory = directory;
        RocksDB.loadLibrary();
        long rowBytes = cacheBytes / ROWS_SHARE_OF_CACHE;
        Cache cache = own(new LRUCache(cacheBytes - rowBytes));
        DBOptions options = databaseOptions(own(new LRUCache(rowBytes)));
        ColumnFamilyOptions numbered = familyOptions(cache, new ColumnFamilyOptions());
        ColumnFamilyOptions named = familyOptions(cache, insertedBesideSiblings());
        var descriptors = new ArrayList<ColumnFamilyDescriptor>();
        descriptors.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, numbered));
        for (Family family : Family.values()) {
            descriptors.add(
                    new ColumnFamilyDescriptor(
                            bytes(family.word()),
                            NAMES_IN_DIRECTORIES.contains(family) ? named : numbered));
        }
        try {
            db = RocksDB.open(options, directory.toString(), descriptors, handles);
        } catch (RocksDBException e) {
            owned.reversed().forEach(AbstractNativeReference::close);
            throw new StoreException("cannot open " + directory, e);
        }
        // In the order of the descriptors, after the default one.
        var opened = handles.listIterator(1);
        for (Family family : Family.values()) {
            ColumnFamilyHandle columnFamily = opened.next();
            families.put(family, columnFamily);
            familyIds.put(family, columnFamily.getID());
        }
        readAll = own(new ReadOptions());
        readCached = own(new ReadOptions().setReadTier(ReadTier.BLOCK_CACHE_TIER));
        readPersisted = own(new ReadOptions().setReadTier(ReadTier.PERSISTED_TIER));
        withoutLog = own(new WriteOptions().setDisableWAL(true));
    }

    private static byte[] bytes(String ascii) {
        return ascii.getBytes(StandardCharsets.US_ASCII);
    }

    private DBOptions databaseOptions(Cache rows) {
        return own(
                new DBOptions()
                        .setCreateIfMissing(true)
                        .setCreateMissingColumnFamilies(true)
                        .setAtomicFlush(true)
                        .setParanoidChecks(true)
                        .setRowCache(rows)
                        .setDbWriteBufferSize(WRITE_BUFFERS_BYTES)
                        .setMaxBackgroundJobs(2)
                        .setMaxOpenFiles(512)
                        .setKeepLogFileNum(4)
                        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                        .setStatsDumpPeriodSec(0));
    }

    /**
     * Options under which a key goes in beside the last one of the same directory, without a search
     * from the top: most clients write file after file of one directory. The Java API does not have
     * this option by name.
     */
    private static ColumnFamilyOptions insertedBesideSiblings() {
        var words = new Properties();
        words.setProperty("memtable_insert_with_hint_prefix_extractor", "fixed:" + Long.BYTES);
        return Objects.requireNonNull(
                ColumnFamilyOptions.getColumnFamilyOptionsFromProps(words),
                "RocksDB does not know the option for inserts with a hint");
    }

    private ColumnFamilyOptions familyOptions(Cache cache, ColumnFamilyOptions options) {
        var table =
                new BlockBasedTableConfig()
                        .setBlockCache(cache)
                        .setBlockSize(BLOCK_BYTES)
                        // In parts: the whole filter of a large file is larger than a shard of
                        // the cache, stays in none, and would be read again for every row.
                        .setIndexType(IndexType.kTwoLevelIndexSearch)
                        .setPartitionFilters(true)
                        .setMetadataBlockSize(METADATA_BLOCK_BYTES)
                        .setPinTopLevelIndexAndFilter(true)
                        .setCacheIndexAndFilterBlocks(true)
                        .setCacheIndexAndFilterBlocksWithHighPriority(true)
                        .setPinL0FilterAndIndexBlocksInCache(true)
                        .setFormatVersion(5)
                        .setFilterPolicy(own(new BloomFilter(BLOOM_BITS_PER_KEY)));
        return own(
                options.setTableFormatConfig(table)
                        .setCompressionType(CompressionType.LZ4_COMPRESSION)
                        .setWriteBufferSize(32L << 20)
                        // Every create asks for a name that is not there.
                        .setMemtablePrefixBloomSizeRatio(MEMTABLE_BLOOM_RATIO)
                        .setMemtableWholeKeyFiltering(true)
                        .setLevelCompactionDynamicLevelBytes(true));
    }

    private <T extends AbstractNativeReference> T own(T made) {
        owned.add(made);
        return made;
    }

    @Override
    public byte @Nullable [] get(Family family, byte[] key) {
        return get(readAll, family, key);
    }

    @Override
    public byte @Nullable [] cached(Family family, byte[] key) {
        handle.enter();
        try {
            return db.get(of(family), readCached, key);
        } catch (RocksDBException e) {
            if (e.getStatus() != null && e.getStatus().getCode() == Status.Code.Incomplete) {
                throw new NotCached();
            }
            throw new StoreException("cannot read from " + family.word(), e);
        } finally {
            handle.leave();
        }
    }

    @Override
    public byte @Nullable [] persisted(Family family, byte[] key) {
        return get(readPersisted, family, key);
    }

    private byte @Nullable [] get(ReadOptions options, Family family, byte[] key) {
        handle.enter();
        try {
            return db.get(of(family), options, key);
        } catch (RocksDBException e) {
            throw new StoreException("cannot read from " + family.word(), e);
        } finally {
            handle.leave();
        }
    }

    @Override
    public void scan(Family family, byte[] from, byte[] to, Visitor visitor) {
        scan(readAll, family, from, to, visitor);
    }

    private void scan(ReadOptions options, Family family, byte[] from, byte[] to, Visitor visitor) {
        handle.enter();
        try (var end = new Slice(to);
                var bounded = new ReadOptions(options).setIterateUpperBound(end);
                var rows = db.newIterator(of(family), bounded)) {
            for (rows.seek(from); rows.isValid(); rows.next()) {
                if (!visitor.visit(rows.key(), rows.value())) {
                    return;
                }
            }
            rows.status();
        } catch (RocksDBException e) {
            throw new StoreException("cannot scan " + family.word(), e);
        } finally {
            handle.leave();
        }
    }

    @Override
    public Snapshot snapshot() {
        handle.enter();
        try {
            var made = new RocksSnapshot(db.getSnapshot());
            snapshots.add(made);
            return made;
        } finally {
            handle.leave();
        }
    }

    /** Native memory of the database, so that closing the store takes it back first. */
    private final class RocksSnapshot implements Snapshot {
        private final org.rocksdb.Snapshot moment;
        private final ReadOptions options;

        RocksSnapshot(org.rocksdb.Snapshot moment) {
            this.moment = moment;
            // Whoever reads everything shall not push out what others read again and again.
            this.options = new ReadOptions().setSnapshot(moment).setFillCache(false);
        }

        @Override
        public byte @Nullable [] get(Family family, byte[] key) {
            return RocksStore.this.get(options, family, key);
        }

        @Override
        public void scan(Family family, byte[] from, byte[] to, Visitor visitor) {
            RocksStore.this.scan(options, family, from, to, visitor);
        }

        @Override
        public void close() {
            if (handle.enterIfOpen()) {
                try {
                    release();
                } finally {
                    handle.leave();
                }
            }
        }

        void release() {
            if (snapshots.remove(this)) {
                db.releaseSnapshot(moment);
                options.close();
            }
        }
    }

    @Override
    public void write(List<Change> changes) {
        handle.enter();
        try (var batch = new WriteBatch(BatchBytes.of(changes, familyIds))) {
            db.write(withoutLog, batch);
        } catch (RocksDBException e) {
            throw new StoreException("cannot write", e);
        } finally {
            handle.leave();
        }
    }

    /** Its own directory. */
    public Path directory() {
        return directory;
    }

    /**
     * Copies everything written by now into a new directory, by links to files that do not change
     * any more. May take as long as a flush.
     */
    public void copyTo(Path newDirectory) {
        flush(true);
        handle.enter();
        try (var checkpoint = Checkpoint.create(db)) {
            checkpoint.createCheckpoint(newDirectory.toString());
        } catch (RocksDBException e) {
            throw new StoreException("cannot copy to " + newDirectory, e);
        } finally {
            handle.leave();
        }
    }

    /** Reads every block and compares its checksum; fails with a StoreException. */
    public void verify() {
        handle.enter();
        try {
            db.verifyChecksum();
        } catch (RocksDBException e) {
            throw new StoreException(directory + " is damaged", e);
        } finally {
            handle.leave();
        }
    }

    /**
     * What it takes and has to do.
     *
     * @param memtableBytes not on disk yet
     * @param cacheBytes of blocks that were read
     */
    public record Load(
            long memtableBytes,
            long cacheBytes,
            long fileBytes,
            long pendingCompactionBytes,
            long compactions,
            boolean writesStopped) {}

    /** What it takes now; cheap. */
    public Load load() {
        handle.enter();
        try {
            return new Load(
                    db.getAggregatedLongProperty("rocksdb.cur-size-all-mem-tables"),
                    // One cache serves all families.
                    db.getLongProperty("rocksdb.block-cache-usage"),
                    db.getAggregatedLongProperty("rocksdb.live-sst-files-size"),
                    db.getAggregatedLongProperty("rocksdb.estimate-pending-compaction-bytes"),
                    db.getLongProperty("rocksdb.num-running-compactions"),
                    db.getLongProperty("rocksdb.is-write-stopped") != 0);
        } catch (RocksDBException e) {
            throw new StoreException("cannot ask for the properties of " + directory, e);
        } finally {
            handle.leave();
        }
    }

    @Override
    public void flush() {
        flush(true);
    }

    /** Starts a flush and does not wait for it. */
    public void startFlush() {
        flush(false);
    }

    private void flush(boolean wait) {
        handle.enter();
        try (var options = new FlushOptions().setWaitForFlush(wait).setAllowWriteStall(true)) {
            db.flush(options, List.copyOf(families.values()));
        } catch (RocksDBException e) {
            throw new StoreException("cannot flush", e);
        } finally {
            handle.leave();
        }
    }

    private ColumnFamilyHandle of(Family family) {
        ColumnFamilyHandle found = families.get(family);
        if (found == null) {
            throw new IllegalStateException("no column family for " + family);
        }
        return found;
    }

    /** Waits for readers, flushes what is not on disk, and closes. Repeating it does nothing. */
    @Override
    public void close() {
        if (!handle.close()) {
            return;
        }
        try {
            List.copyOf(snapshots).forEach(RocksSnapshot::release);
            handles.forEach(AbstractNativeReference::close);
            db.close();
        } finally {
            owned.reversed().forEach(AbstractNativeReference::close);
        }
    }
}
