package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ReferenceCounted;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.FsError;
import org.jspecify.annotations.Nullable;

/** One read request being answered in pieces, which are sent in their order. */
final class ServedRead {
    /** What kind of read it is: how pieces are cut and what they look like on the wire. */
    interface Shape {
        boolean hasNext();

        /** Wire bytes of the next piece, with its header. */
        int nextBytes();

        /** The next piece, with buffers of that allocator; moves on to the one after it. */
        Piece next(ByteBufAllocator buffers);
    }

    /** A piece being filled. Its buffers are its own until they are sent or released. */
    interface Piece {
        /** Completes when the bytes are there; its value is how many bytes of data. */
        CompletionStage<Integer> filled();

        /** Completes the header; true if this was the last piece. */
        boolean seal(int dataBytes);

        /** What goes on the wire, in this order: whoever takes it releases it. */
        List<ReferenceCounted> wire();
    }

    private static final class Slot {
        final Piece piece;
        final int bytes;
        int dataBytes = -1;
        @Nullable FsError error;

        Slot(Piece piece, int bytes) {
            this.piece = piece;
            this.bytes = bytes;
        }

        boolean isReady() {
            return dataBytes >= 0 || error != null;
        }
    }

    private final Exchange exchange;
    private final ReadPump pump;
    private final Shape shape;
    private final Runnable whenOver;
    private final Deque<Slot> inFlight = new ArrayDeque<>();
    private long sentBytes;
    private boolean over;

    /**
     * @param whenOver runs once when no storage call uses the file for this read any more
     */
    ServedRead(Exchange exchange, ReadPump pump, Shape shape, Runnable whenOver) {
        this.exchange = exchange;
        this.pump = pump;
        this.shape = shape;
        this.whenOver = whenOver;
    }

    boolean hasNext() {
        return !over && shape.hasNext();
    }

    int nextBytes() {
        return shape.nextBytes();
    }

    void startNext(int wireBytes) {
        Piece piece = shape.next(exchange.connection().channel().alloc());
        var slot = new Slot(piece, wireBytes);
        inFlight.add(slot);
        exchange.whenDone(
                piece::filled,
                bytes -> {
                    slot.dataBytes = bytes;
                    sendReady();
                },
                error -> {
                    slot.error = error;
                    sendReady();
                });
    }

    private void sendReady() {
        while (!inFlight.isEmpty() && inFlight.getFirst().isReady()) {
            send(inFlight.removeFirst());
        }
        if (over && inFlight.isEmpty()) {
            whenOver.run();
        }
    }

    private void send(Slot slot) {
        FsError error = slot.error;
        if (over || !exchange.connection().isAlive()) {
            over = true;
            pump.drop(slot.piece.wire(), slot.bytes);
        } else if (error != null) {
            over = true;
            pump.drop(slot.piece.wire(), slot.bytes);
            exchange.fail(error);
        } else {
            over = slot.piece.seal(slot.dataBytes);
            sentBytes += slot.dataBytes;
            pump.send(slot.piece.wire(), slot.bytes);
            if (over) {
                exchange.connection().context().metrics().bytes("xrootd", false, sentBytes);
                exchange.answeredInBulk();
            }
        }
    }

    /** The connection is gone before this read was done. */
    void abandon() {
        over = true;
        if (inFlight.isEmpty()) {
            whenOver.run();
        }
    }
}
