package org.cepheus.mgm.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.cepheus.namespace.store.Change;
import org.cepheus.namespace.store.Family;

/**
 * A write batch in RocksDB's own bytes, so that it goes through JNI once and not row by row: a
 * sequence number (RocksDB sets it), the count, then for each row its type, column family, key and
 * value. Numbers are little endian, lengths varints.
 */
final class BatchBytes {
    private static final int HEADER_BYTES = 12;
    private static final int COUNT_AT = 8;
    // From RocksDB's dbformat.h: a row with the number of its column family in front.
    private static final byte DELETION = 0x4;
    private static final byte VALUE = 0x5;
    private static final int MAX_VARINT_BYTES = 5;
    // RocksDB refuses the batch.
    private static final int UNKNOWN_FAMILY = -1;

    private BatchBytes() {}

    /**
     * The batch of these changes, in their order.
     *
     * @param ids the number of each family's column family
     */
    static byte[] of(List<Change> changes, Map<Family, Integer> ids) {
        ByteBuffer out = ByteBuffer.allocate(mostBytes(changes)).order(ByteOrder.LITTLE_ENDIAN);
        out.position(HEADER_BYTES);
        out.putInt(COUNT_AT, changes.size());
        for (Change change : changes) {
            byte[] value = change.value();
            out.put(value == null ? DELETION : VALUE);
            varint(out, ids.getOrDefault(change.family(), UNKNOWN_FAMILY));
            bytes(out, change.key());
            if (value != null) {
                bytes(out, value);
            }
        }
        byte[] batch = new byte[out.position()];
        out.get(0, batch);
        return batch;
    }

    private static int mostBytes(List<Change> changes) {
        int bytes = HEADER_BYTES;
        for (Change change : changes) {
            byte[] value = change.value();
            int data = change.key().length + (value == null ? 0 : value.length);
            bytes = Math.addExact(bytes, 1 + 3 * MAX_VARINT_BYTES + data);
        }
        return bytes;
    }

    private static void bytes(ByteBuffer out, byte[] bytes) {
        varint(out, bytes.length);
        out.put(bytes);
    }

    private static void varint(ByteBuffer out, int value) {
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            out.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        out.put((byte) rest);
    }
}
