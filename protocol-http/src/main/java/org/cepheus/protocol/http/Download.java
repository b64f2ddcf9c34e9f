package org.cepheus.protocol.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.unix.UnixChannel;
import io.netty.util.ReferenceCounted;
import java.util.Optional;
import org.cepheus.domain.FsError;
import org.cepheus.domain.port.DataFile;
import org.cepheus.protocol.socket.PipedRegion;

/**
 * Sends parts of a file as the body of an answer that has begun. The next block is read while
 * earlier ones are being sent. Confined to the event loop.
 */
final class Download {
    /** Blocks end where a page of the page cache does, so that no page is sent in two. */
    private static final int PAGE_BYTES = 4096;

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

    private void readBlock() {
        Optional<UnixChannel> socket = exchange.socket();
        int length = (int) Math.min(DataFile.MAX_PIPED_BYTES - next % PAGE_BYTES, end - next);
        reading = true;
        blocks++;
        if (socket.isPresent() && length >= PipedRegion.WORTHWHILE_BYTES) {
            exchange.when(
                    file.pipe(next, length),
                    piped -> {
                        if (piped.isPresent()) {
                            arrived(new PipedRegion(socket.get(), piped.get()), length);
                        } else {
                            copyBlock(length);
                        }
                    },
                    this::readFailed);
        } else {
            copyBlock(length);
        }
    }

    /** Data that never come into our memory. */
    private void arrived(PipedRegion block, int length) {
        int count = (int) block.count();
        if (endsEarly(block, count, length)) {
            return;
        }
        if (head.length > 0) {
            exchange.send(Unpooled.wrappedBuffer(head));
            head = new byte[0];
        }
        sent(exchange.send(block), count);
    }

    /** One block, behind the head of its part if it is the first of it. */
    private void copyBlock(int length) {
        int before = head.length;
        ByteBuf block = exchange.allocator().directBuffer(before + length, before + length);
        if (before > 0) {
            block.writeBytes(head);
            head = new byte[0];
        }
        exchange.when(
                file.read(next, block.internalNioBuffer(before, length)),
                count -> {
                    if (!endsEarly(block, count, length)) {
                        block.writerIndex(before + count);
                        sent(exchange.send(block), count);
                    }
                },
                error -> {
                    block.release();
                    readFailed(error);
                });
    }

    private void readFailed(FsError error) {
        reading = false;
        failed(error);
    }

    private boolean endsEarly(ReferenceCounted block, int count, int length) {
        reading = false;
        if (!exchange.isOver() && count == length) {
            return false;
        }
        block.release();
        failed(
                new FsError.IoFailure(
                        "file ended at %d, %d were announced".formatted(next + count, end)));
        return true;
    }

    private void sent(ChannelFuture block, int count) {
        next += count;
        block.addListener(_ -> {
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
