package org.cepheus.protocol.http;

import io.netty.buffer.ByteBuf;
import org.cepheus.domain.FsError;
import org.cepheus.domain.port.DataFile;

/**
 * Sends a part of a file as the body of an answer that has begun. The next block is read while
 * earlier ones are being sent. Confined to the event loop.
 */
final class Download {
    private static final int BLOCK_BYTES = 512 * 1024;

    /** Blocks being read, or read and not yet sent. */
    private static final int MAX_BLOCKS = 4;

    private final Exchange exchange;
    private final DataFile file;
    private final long end;
    private long next;
    private int blocks;
    private boolean reading;
    private boolean closed;

    private Download(Exchange exchange, DataFile file, ByteRange range) {
        this.exchange = exchange;
        this.file = file;
        this.next = range.offset();
        this.end = range.offset() + range.length();
    }

    /** Sends those bytes, ends the answer and closes the file. */
    static void send(Exchange exchange, DataFile file, ByteRange range) {
        new Download(exchange, file, range).readOn();
    }

    private void readOn() {
        if (reading || closed) {
            return;
        }
        if (exchange.isOver() || next == end) {
            finish();
            return;
        }
        if (blocks < MAX_BLOCKS) {
            int length = (int) Math.min(BLOCK_BYTES, end - next);
            ByteBuf block = exchange.allocator().directBuffer(length, length);
            reading = true;
            blocks++;
            exchange.when(
                    file.read(next, block.internalNioBuffer(0, length)),
                    count -> arrived(block, count),
                    error -> {
                        block.release();
                        reading = false;
                        failed(error);
                    });
        }
    }

    private void arrived(ByteBuf block, int count) {
        reading = false;
        if (exchange.isOver() || count < block.capacity()) {
            block.release();
            failed(
                    new FsError.IoFailure(
                            "file ended at %d, %d were announced".formatted(next + count, end)));
            return;
        }
        block.writerIndex(count);
        next += count;
        exchange.send(block)
                .addListener(_ -> {
                    blocks--;
                    exchange.countBytes(false, count);
                    readOn();
                });
        readOn();
    }

    private void failed(FsError error) {
        finish();
        exchange.fail(error);
    }

    private void finish() {
        if (!closed) {
            closed = true;
            file.close();
            exchange.end();
        }
    }
}
