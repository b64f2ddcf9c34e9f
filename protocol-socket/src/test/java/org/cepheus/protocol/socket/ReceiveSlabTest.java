package org.cepheus.protocol.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import org.junit.jupiter.api.Test;

/** How much memory what was received takes, however small the reads are. */
final class ReceiveSlabTest {
    private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(true);
    private final ReceiveSlab slab = new ReceiveSlab(1);

    @SuppressWarnings("deprecation") // The interface is; its replacement does not exist yet.
    private final RecvByteBufAllocator.Handle handle = slab.newHandle();

    /** One read from a socket that had so many bytes. */
    private ByteBuf read(int bytes) {
        ByteBuf into = handle.allocate(memory);
        into.writeZero(bytes);
        handle.lastBytesRead(bytes);
        return into;
    }

    private long usedBytes() {
        return memory.metric().usedDirectMemory();
    }

    @Test
    void smallReadsOfFileDataShareOneSlab() {
        slab.expectBulk(true);

        for (int i = 0; i < 300; i++) {
            assertThat(read(1_000).readableBytes()).isEqualTo(1_000); // Nobody lets it go.
        }

        assertThat(usedBytes()).isEqualTo(ReceiveSlab.BULK_BYTES);
    }

    @Test
    void aFullSlabIsFollowedByAnother() {
        slab.expectBulk(true);

        ByteBuf first = read(ReceiveSlab.BULK_BYTES);
        ByteBuf second = read(ReceiveSlab.BULK_BYTES);

        assertThat(usedBytes()).isEqualTo(2L * ReceiveSlab.BULK_BYTES);
        first.release();
        assertThat(usedBytes()).isEqualTo(ReceiveSlab.BULK_BYTES);
        second.release();
        slab.free();
        assertThat(usedBytes()).isZero();
    }

    @Test
    void anIdleConnectionHasNoMemory() {
        slab.expectBulk(true);
        ByteBuf data = read(100);
        slab.expectBulk(false);
        data.release();
        handle.readComplete();

        assertThat(usedBytes()).isZero();
    }

    @Test
    void whatIsFreedStaysUntilItsLastReaderIsDone() {
        ByteBuf request = read(100);
        slab.free();

        assertThat(usedBytes()).isEqualTo(ReceiveSlab.REQUEST_BYTES);
        request.release();
        assertThat(usedBytes()).isZero();
    }
}
