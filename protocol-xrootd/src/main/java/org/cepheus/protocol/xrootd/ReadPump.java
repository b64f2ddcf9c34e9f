package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Serves the reads of one connection in pieces, with a bounded number of bytes between storage and
 * socket: the next piece is read while the one before leaves. Owned by the event loop.
 */
final class ReadPump {
    /** Wire bytes of a piece, unless one segment of a readv is longer. */
    static final int PIECE_BYTES = 512 * 1024;

    /** Bytes in flight for one connection; a longer piece goes alone. */
    static final int MAX_IN_FLIGHT_BYTES = 3 * PIECE_BYTES;

    private final XrootdConnection connection;
    private final Deque<ServedRead> waiting = new ArrayDeque<>();
    private long inFlightBytes;
    private boolean running;

    ReadPump(XrootdConnection connection) {
        this.connection = connection;
    }

    void add(ServedRead read) {
        waiting.add(read);
        run();
    }

    private void run() {
        if (running) {
            return; // Called from a piece that was ready at once: the loop below goes on.
        }
        running = true;
        try {
            startAllThatFit();
        } finally {
            running = false;
        }
    }

    private void startAllThatFit() {
        while (!waiting.isEmpty() && connection.isAlive()) {
            ServedRead read = waiting.getFirst();
            if (!read.hasNext()) {
                waiting.removeFirst();
                continue;
            }
            int bytes = read.nextBytes();
            if (inFlightBytes > 0 && inFlightBytes + bytes > MAX_IN_FLIGHT_BYTES) {
                return;
            }
            inFlightBytes += bytes;
            read.startNext(connection.allocator().directBuffer(bytes, bytes));
        }
    }

    /** Sends the piece; its bytes count until they have left. */
    void send(ByteBuf piece) {
        int bytes = piece.capacity();
        connection.writeData(piece).addListener(_ -> landed(bytes));
    }

    /** Drops the piece. */
    void drop(ByteBuf piece) {
        int bytes = piece.capacity();
        piece.release();
        landed(bytes);
    }

    private void landed(int bytes) {
        inFlightBytes -= bytes;
        run();
    }

    /** The connection is gone: what has not begun never will. */
    void close() {
        waiting.forEach(ServedRead::abandon);
        waiting.clear();
    }
}
