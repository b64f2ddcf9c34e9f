package org.cepheus.protocol.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The memory one connection receives into: successive reads fill one direct buffer, so that bytes
 * held while they wait for storage occupy little more memory than they count, however small the
 * reads are. Used on the connection's event loop only, where all slices are released too.
 */
public final class ReceiveSlab extends DefaultMaxMessagesRecvByteBufAllocator {
    static final int REQUEST_BYTES = 16 * 1024;

    /** What a slab for file data has. */
    public static final int BULK_BYTES = 512 * 1024;

    private int wantedBytes = REQUEST_BYTES;
    private int used;
    private @Nullable ByteBuf slab;

    /**
     * @param readsInTurn how often the socket is read before other connections have their turn
     */
    public ReceiveSlab(int readsInTurn) {
        super(readsInTurn);
    }

    /** True while file data is arriving: large reads pay. */
    public void expectBulk(boolean bulk) {
        wantedBytes = bulk ? BULK_BYTES : REQUEST_BYTES;
    }

    /** Gives the memory back, as soon as nobody holds what is in it. */
    public void free() {
        if (slab != null) {
            slab.release();
            slab = null;
        }
    }

    /** The one handle of the one channel. */
    @Override
    @SuppressWarnings("deprecation") // The interface is; its replacement does not exist yet.
    public Handle newHandle() {
        return new SlabHandle();
    }

    private ByteBuf room(ByteBufAllocator allocator) {
        ByteBuf current = slab;
        if (current != null && current.refCnt() == 1) {
            used = 0;
        }
        if (current != null
                && (current.capacity() - used < current.capacity() / 8
                        || (used == 0 && current.capacity() != wantedBytes)
                        || (current.capacity() < wantedBytes))) {
            current.release();
            current = null;
        }
        if (current == null) {
            current = allocator.directBuffer(wantedBytes, wantedBytes);
            used = 0;
        }
        slab = current;
        return current.retainedSlice(used, current.capacity() - used).clear();
    }

    private final class SlabHandle extends MaxMessageHandle {
        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return room(allocator);
        }

        @Override
        public int guess() {
            return wantedBytes;
        }

        @Override
        public void lastBytesRead(int bytes) {
            if (bytes > 0) {
                used += bytes;
            }
            super.lastBytesRead(bytes);
        }

        @Override
        public void readComplete() {
            super.readComplete();
            if (slab != null && slab.refCnt() == 1) {
                free();
            }
        }
    }
}
