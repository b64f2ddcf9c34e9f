package org.cepheus.protocol.xrootd;

import io.netty.channel.ChannelFuture;
import io.netty.channel.unix.UnixChannel;
import io.netty.util.ReferenceCounted;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.cepheus.protocol.socket.PipedRegion;

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

    /** The socket at the end, if bytes can go there from a pipe. */
    Optional<UnixChannel> socket() {
        return PipedRegion.socketOf(connection.channel());
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
            read.startNext(bytes);
        }
    }

    /** Sends a piece; its bytes count until they have left. */
    void send(List<ReferenceCounted> piece, int bytes) {
        ChannelFuture written = connection.writeData(piece.getFirst());
        for (ReferenceCounted more : piece.subList(1, piece.size())) {
            written = connection.writeData(more);
        }
        written.addListener(_ -> landed(bytes));
    }

    /** Drops a piece. */
    void drop(List<ReferenceCounted> piece, int bytes) {
        piece.forEach(ReferenceCounted::release);
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
