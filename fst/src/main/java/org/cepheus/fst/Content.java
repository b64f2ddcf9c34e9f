package org.cepheus.fst;

import java.nio.ByteBuffer;
import org.cepheus.fst.volume.VolumeFile;

/** Where the bytes are that a reader reads. */
sealed interface Content {
    /**
     * Fills the buffers one after the other from {@code offset}; their positions advance.
     *
     * @return bytes read, fewer than there was room for only at the end
     */
    int read(long offset, ByteBuffer... into);

    /** In a file of the volume: only its pool reads. */
    record OnVolume(VolumeFile file) implements Content {
        @Override
        public int read(long offset, ByteBuffer... into) {
            return file.read(offset, into);
        }
    }

    /**
     * In memory: anybody reads, at once.
     *
     * @param bytes from 0 to its limit
     */
    record InMemory(ByteBuffer bytes) implements Content {
        static final InMemory NOTHING = new InMemory(ByteBuffer.allocate(0));

        @Override
        public int read(long offset, ByteBuffer... into) {
            int from = (int) Math.min(offset, bytes.limit());
            int at = from;
            for (ByteBuffer each : into) {
                int length = Math.min(each.remaining(), bytes.limit() - at);
                each.put(bytes.slice(at, length));
                at += length;
            }
            return at - from;
        }
    }
}
