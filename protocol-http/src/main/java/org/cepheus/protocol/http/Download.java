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

    /** The longest block that goes through our memory. */
    private static final int COPIED_BYTES = 508 * 1024;

    /** Bytes being read, or read and not yet sent: of pages of the storage, and of our memory. */
    private static final int MAX_PIPED_AHEAD = 2 * DataFile.MAX_PIPED_BYTES;

    private static final int MAX_COPIED_AHEAD = 3 * COPIED_BYTES;

    private final Exchange exchange;
    private final DataFile file;
    private final BodyParts body;
    private int begunParts;
    private byte[] head = {};
    private long next;
    private long end;
    private long ahead;
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
        } else {
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
        int length = nextLength(DataFile.MAX_PIPED_BYTES);
        if (socket.isEmpty() || length < PipedRegion.WORTHWHILE_BYTES) {
            copyBlock();
        } else if (mayRead(length, MAX_PIPED_AHEAD)) {
            reading = true;
            exchange.when(
                    file.pipe(next, length),
                    piped -> {
                        if (piped.isPresent()) {
                            arrived(new PipedRegion(socket.get(), piped.get()), length);
                        } else {
                            reading = false;
                            copyBlock();
                        }
                    },
                    this::readFailed);
        }
    }

    /** One block is always read, whatever its length. */
    private boolean mayRead(int length, long mostAhead) {
        return ahead == 0 || ahead + length <= mostAhead;
    }

    /** Up to the end of a page, if that many are left. */
    private int nextLength(int most) {
        return (int) Math.min(most - next % PAGE_BYTES, end - next);
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
    private void copyBlock() {
        int length = nextLength(COPIED_BYTES);
        if (!mayRead(length, MAX_COPIED_AHEAD)) {
            return;
        }
        reading = true;
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
        ahead += count;
        block.addListener(_ -> {
            ahead -= count;
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
