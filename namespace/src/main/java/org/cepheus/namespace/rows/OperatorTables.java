package org.cepheus.namespace.rows;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.cepheus.domain.ServiceState;
import org.cepheus.domain.codec.ByteReader;
import org.cepheus.domain.codec.ByteWriter;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.codec.DecodeException;
import org.cepheus.domain.codec.DomainCodec;
import org.cepheus.namespace.rows.Rows.FleetStates;
import org.cepheus.namespace.rows.Rows.OnceReply;
import org.cepheus.namespace.store.Family;

/** The tables of what operators order. */
public final class OperatorTables {
    private static final int VERSION = 1;
    private static final int MAX_STATES = 1_000_000;

    /** One row, so that an open reads one: it is on the heap from the start, even if empty. */
    public static final Table<String, FleetStates> STATES =
            new Table<>(
                    Family.FLEET,
                    k -> k.getBytes(StandardCharsets.UTF_8),
                    OperatorTables::bytes,
                    OperatorTables::states);

    /** The key of that row; no FST's key begins like it. */
    public static final String ALL_STATES = "states";

    /** By idempotency key. */
    public static final Table<String, OnceReply> ONCE_REPLIES =
            new Table<>(
                    Family.REPLY,
                    k ->
                            new ByteWriter(64)
                                    .u8('k')
                                    .raw(k.getBytes(StandardCharsets.UTF_8))
                                    .toBytes(),
                    OperatorTables::bytes,
                    OperatorTables::reply);

    /** Which key is the n-th of those that are remembered. */
    public static final Table<Long, String> ONCE_SLOTS =
            new Table<>(
                    Family.REPLY,
                    slot -> new ByteWriter(16).u8('s').i64(slot).toBytes(),
                    key -> new ByteWriter(64).u8(VERSION).text(key).toBytes(),
                    b -> body(b).text());

    /** How many keys ever came. */
    public static final Table<String, Long> ONCE_COUNTS =
            new Table<>(
                    Family.REPLY,
                    k -> k.getBytes(StandardCharsets.UTF_8),
                    count -> new ByteWriter(16).u8(VERSION).varint(count).toBytes(),
                    b -> body(b).varint());

    /** The key of the only count. */
    public static final String ALL_KEYS = "count";

    private OperatorTables() {}

    private static ByteReader body(byte[] bytes) {
        var r = new ByteReader(bytes);
        int version = r.u8();
        if (version != VERSION) {
            throw new DecodeException(
                    "a row has version %d, known is %d".formatted(version, VERSION));
        }
        return r;
    }

    private static byte[] bytes(FleetStates states) {
        var w = new ByteWriter(32).u8(VERSION);
        write(states.fsts(), w);
        write(states.volumes(), w);
        return w.toBytes();
    }

    private static void write(SortedMap<Integer, ServiceState> states, ByteWriter w) {
        w.varint(states.size());
        states.forEach((id, state) -> w.varint(id).u8(state.code()));
    }

    private static FleetStates states(byte[] bytes) {
        ByteReader r = body(bytes);
        return new FleetStates(read(r), read(r));
    }

    private static SortedMap<Integer, ServiceState> read(ByteReader r) {
        var states = new TreeMap<Integer, ServiceState>();
        for (int n = r.count(MAX_STATES); n > 0; n--) {
            int id = r.count(Integer.MAX_VALUE);
            states.put(id, DomainCodec.one(ServiceState.values(), r.u8()));
        }
        return states;
    }

    private static byte[] bytes(OnceReply reply) {
        var w = new ByteWriter(64).u8(VERSION).blob(reply.request().toArray());
        w.u8(reply.refused().isPresent() ? 1 : 0);
        reply.refused().ifPresent(error -> w.blob(DomainCodec.encode(error)));
        return w.toBytes();
    }

    private static OnceReply reply(byte[] bytes) {
        ByteReader r = body(bytes);
        Bytes request = Bytes.copyOf(r.blob());
        return new OnceReply(
                request,
                r.u8() == 0 ? Optional.empty() : Optional.of(DomainCodec.fsError(r.blob())));
    }
}
