package org.cepheus.fst;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.cepheus.fst.volume.VolumeFile;

/**
 * Memory for contents so small that they are read whole by the call that opens them: whoever has
 * one open asks the storage nothing more. At most {@link #MAX_HELD} are held at once. Any thread
 * may call.
 */
final class SmallContents {
    /** Longer ones are read as their client asks. */
    static final int MAX_BYTES = 64 * 1024;

    /** 16 MiB in all; who comes when all are held reads as its client asks. */
    static final int MAX_HELD = 256;

    private final Deque<ByteBuffer> idle = new ArrayDeque<>();
    private int made;

    /**
     * Reads a whole content; blocks as the storage does.
     *
     * @return its bytes, for {@link #giveBack} when nobody reads them any more; empty if it is too
     *     long, has become shorter, or there is no room
     */
    Optional<ByteBuffer> load(VolumeFile file, long sizeBytes) {
        if (sizeBytes > MAX_BYTES) {
            return Optional.empty();
        }
        Optional<ByteBuffer> taken = take();
        if (taken.isEmpty()) {
            return Optional.empty();
        }
        ByteBuffer bytes = taken.get().clear().limit((int) sizeBytes);
        boolean whole = false;
        try {
            whole = file.read(0, bytes) == sizeBytes;
        } finally {
            if (!whole) {
                giveBack(bytes);
            }
        }
        return whole ? Optional.of(bytes.flip()) : Optional.empty();
    }

    private synchronized Optional<ByteBuffer> take() {
        ByteBuffer bytes = idle.poll();
        if (bytes == null && made < MAX_HELD) {
            made++;
            bytes = ByteBuffer.allocateDirect(MAX_BYTES);
        }
        return Optional.ofNullable(bytes);
    }

    synchronized void giveBack(ByteBuffer bytes) {
        idle.push(bytes);
    }

    /** How many are held now. */
    synchronized int held() {
        return made - idle.size();
    }
}
