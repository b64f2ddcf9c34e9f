package org.cepheus.protocol.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.cepheus.domain.FsError;
import org.cepheus.domain.port.DataFile;

/**
 * Sends parts of a file as the body of an answer that has begun. The next block is read while
 * earlier ones are being sent. Confined to the event loop.
 */
final class Download {
    private static final int BLOCK_BYTES = 512 * 1024;

    /** Blocks being read, or read and not yet sent. */
    private static final int MAX_BLOCKS = 3;

    private final Exchange exchange;
    private final DataFile file;
    private final BodyParts body;
    private int begunParts;
    private byte[] head = {};
    private long next;
    private long end;
    private int blocks;
    private boolean reading;
    private boolean closed;

    private Download(Exchange exchange, DataFile file, BodyParts body) {
        this.exchange = exchange;
        this.file = file;
        this.body = body;
    }

    /** Sends those bytes, ends the answer and closes the file. */
    static void send(Exchange exchange, DataFile file, BodyParts body) {
        new Download(exchange, file, body).readOn();
    }

    private void readOn() {
        if (reading || closed) {
            return;
        }
        if (exchange.isOver()) {
            finish();
        } else if (next == end && begunParts == body.parts().size()) {
            sendTail();
            finish();
        } else if (blocks < MAX_BLOCKS) {
            if (next == end) {
                beginPart(body.parts().get(begunParts++));
            }
            readBlock();
        }
    }

    private void beginPart(ByteRange part) {
        next = part.offset();
        end = part.end();
        head = body.head(part);
    }

    /** One block, behind the head of its part if it is the first of it. */
    private void readBlock() {
        int length = (int) Math.min(BLOCK_BYTES, end - next);
        int before = head.length;
        ByteBuf block = exchange.allocator().directBuffer(before + length, before + length);
        if (before > 0) {
            block.writeBytes(head);
            head = new byte[0];
        }
        reading = true;
        blocks++;
        exchange.when(
                file.read(next, block.internalNioBuffer(before, length)),
                count -> arrived(block, count),
                error -> {
                    block.release();
                    reading = false;
                    failed(error);
                });
    }

    private void arrived(ByteBuf block, int count) {
        reading = false;
        if (exchange.isOver() || count < block.writableBytes()) {
            block.release();
            failed(
                    new FsError.IoFailure(
                            "file ended at %d, %d were announced".formatted(next + count, end)));
            return;
        }
        block.writerIndex(block.writerIndex() + count);
        next += count;
        exchange.send(block)
                .addListener(_ -> {
                    blocks--;
                    exchange.countBytes(false, count);
                    readOn();
                });
        readOn();
    }

    private void sendTail() {
        byte[] tail = body.tail();
        if (tail.length > 0) {
            exchange.send(Unpooled.wrappedBuffer(tail));
        }
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
