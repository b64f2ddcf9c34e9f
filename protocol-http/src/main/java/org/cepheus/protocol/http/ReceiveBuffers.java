package org.cepheus.protocol.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * What one connection reads into. Heads go into small buffers, so that an idle connection costs
 * little; while a body is received, consecutive reads fill one large block, so that a slow client
 * holds no more memory than the bytes it sent, and a fast one is written without copying. Confined
 * to the event loop of the connection.
 */
final class ReceiveBuffers extends DefaultMaxMessagesRecvByteBufAllocator {
    static final int HEAD_BYTES = 16 * 1024;
    static final int BLOCK_BYTES = 512 * 1024;

    /** A read with less room than this begins a new block. */
    private static final int LEAST_ROOM_BYTES = 64 * 1024;

    private boolean large;
    private @Nullable ByteBuf block;
    private int used;

    ReceiveBuffers() {
        super(4);
    }

    /** A body is coming: use large blocks from the next read on. */
    void expectBody() {
        large = true;
    }

    /** Heads are coming, or the connection ended: let the block go. */
    void expectHeads() {
        large = false;
        if (block != null) {
            block.release();
            block = null;
        }
    }

    private ByteBuf roomInBlock(ByteBufAllocator allocator) {
        ByteBuf current = block;
        if (current == null || current.capacity() - used < LEAST_ROOM_BYTES) {
            if (current != null) {
                current.release();
            }
            current = allocator.directBuffer(BLOCK_BYTES, BLOCK_BYTES);
            block = current;
            used = 0;
        }
        return current.retainedSlice(used, current.capacity() - used).clear();
    }

    @Override
    @SuppressWarnings("deprecation") // Netty offers no other way to give a handle.
    public Handle newHandle() {
        return new ReadHandle();
    }

    private final class ReadHandle extends MaxMessageHandle {
        @Override
        public int guess() {
            return large ? BLOCK_BYTES : HEAD_BYTES;
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return large ? roomInBlock(allocator) : allocator.directBuffer(HEAD_BYTES, HEAD_BYTES);
        }

        @Override
        public void lastBytesRead(int bytes) {
            super.lastBytesRead(bytes);
            if (large && bytes > 0) {
                used += bytes;
            }
        }
    }
}
