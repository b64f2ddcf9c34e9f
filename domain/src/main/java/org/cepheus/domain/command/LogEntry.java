package org.cepheus.domain.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsException;
import org.cepheus.domain.codec.ByteReader;
import org.cepheus.domain.codec.ByteWriter;
import org.cepheus.domain.codec.DecodeException;
import org.cepheus.domain.codec.DomainCodec;

/**
 * One entry of the Raft log: a batch of commands under two stamps of time.
 *
 * @param cluster refuses entries of another cluster
 * @param batch who proposed it and under which number, so that the proposer finds its callers again
 * @param wallNanos for file times
 * @param leaseNanos the lease clock: advances only while a leader is there
 * @param featureLevel the lowest level a reader must have
 * @param check the chain hash after an earlier entry, for replicas to compare with theirs
 */
public record LogEntry(
        UUID cluster,
        BatchId batch,
        long wallNanos,
        long leaseNanos,
        int featureLevel,
        Optional<ChainCheck> check,
        List<Item> items) {
    /** The format of the envelope. */
    public static final int FORMAT = 1;

    /** The feature level this build understands. */
    public static final int FEATURE_LEVEL = 1;

    /** The most commands one entry carries. */
    public static final int MAX_ITEMS = 256;

    /** The most bytes one command may take. */
    public static final int MAX_COMMAND_BYTES = 1 << 20;

    public LogEntry {
        items = List.copyOf(items);
    }

    /** A proposer's run (drawn at its start) and the number of the batch in it. */
    public record BatchId(long proposer, long sequence) {}

    /** The chain hash that a replica must have after applying that index. */
    public record ChainCheck(long index, long hash) {}

    /** One command and who asked for it. */
    public record Item(Caller caller, Command command) {}

    /** The encoded form of an item, made by the thread that asks and not by the aggregator. */
    public static byte[] encode(Item item) {
        return new ByteWriter(160)
                .blob(DomainCodec.encode(item.caller()))
                .blob(CommandCodec.encode(item.command()))
                .toBytes();
    }

    public byte[] encode() {
        return encode(this, items.stream().map(LogEntry::encode).toList());
    }

    /** Encodes with items that are already bytes; {@code head.items()} is not looked at. */
    public static byte[] encode(LogEntry head, List<byte[]> encodedItems) {
        int size = 96;
        for (byte[] item : encodedItems) {
            size += item.length + 4;
        }
        var w = new ByteWriter(size);
        w.u8(FORMAT).uuid(head.cluster);
        w.i64(head.batch.proposer()).i64(head.batch.sequence());
        w.i64(head.wallNanos).i64(head.leaseNanos).varint(head.featureLevel);
        w.u8(head.check.isPresent() ? 1 : 0);
        head.check.ifPresent(c -> w.i64(c.index()).i64(c.hash()));
        w.varint(encodedItems.size());
        encodedItems.forEach(w::blob);
        return w.toBytes();
    }

    /**
     * Reads an entry.
     *
     * @throws DecodeException for bytes of another format or a newer feature level, cut short or
     *     with more behind them
     */
    public static LogEntry decode(byte[] bytes) {
        try {
            return read(bytes);
        } catch (FsException invalid) {
            throw new DecodeException("a value cannot be what it says: " + invalid.getMessage());
        }
    }

    private static LogEntry read(byte[] bytes) {
        var r = new ByteReader(bytes);
        int format = r.u8();
        if (format != FORMAT) {
            throw new DecodeException("log entry format %d, known is %d".formatted(format, FORMAT));
        }
        UUID cluster = r.uuid();
        var batch = new BatchId(r.i64(), r.i64());
        long wall = r.i64();
        long lease = r.i64();
        int level = r.count(Integer.MAX_VALUE);
        if (level > FEATURE_LEVEL) {
            throw new DecodeException(
                    "log entry needs feature level %d, this build has %d"
                            .formatted(level, FEATURE_LEVEL));
        }
        Optional<ChainCheck> check =
                r.u8() == 0 ? Optional.empty() : Optional.of(new ChainCheck(r.i64(), r.i64()));
        int count = r.count(MAX_ITEMS);
        var items = new ArrayList<Item>(count);
        for (int i = 0; i < count; i++) {
            var item = new ByteReader(r.blob());
            items.add(new Item(DomainCodec.caller(item.blob()), CommandCodec.decode(item.blob())));
            requireEnd(item);
        }
        requireEnd(r);
        return new LogEntry(cluster, batch, wall, lease, level, check, items);
    }

    private static void requireEnd(ByteReader r) {
        if (r.hasMore()) {
            throw new DecodeException("%d bytes too many".formatted(r.remaining()));
        }
    }
}
