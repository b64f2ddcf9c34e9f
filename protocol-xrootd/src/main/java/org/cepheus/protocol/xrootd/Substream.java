package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One more connection of a session (bind): it carries answers to the client that were asked for
 * with its path id, and data of writes whose requests came on the session's first connection. Both
 * connections are on one event loop, which owns this.
 *
 * <p>No request can be repeated on another stream without the client knowing it: a stream that
 * breaks with something under way ends its session, and the client comes back as after any lost
 * connection. An idle one just goes.
 */
final class Substream {
    private record Expected(BulkSink sink, long length) {}

    private final XrootdConnection own;
    private final XrootdConnection session;
    private final Substreams table;
    private final int pathId;
    private final ReadPump pump;
    private final Deque<Expected> expected = new ArrayDeque<>();
    private final Deque<ByteBuf> early = new ArrayDeque<>();
    private long leftOfFirst;
    private int unanswered;
    private boolean closed;

    Substream(XrootdConnection own, XrootdConnection session, Substreams table, int pathId) {
        this.own = own;
        this.session = session;
        this.table = table;
        this.pathId = pathId;
        this.pump = new ReadPump(own);
    }

    int pathId() {
        return pathId;
    }

    XrootdConnection connection() {
        return own;
    }

    ReadPump pump() {
        return pump;
    }

    /** An answer will leave on this stream. */
    void begun() {
        unanswered++;
    }

    /** It has been written. */
    void answered() {
        unanswered--;
    }

    boolean isInBulk() {
        return !expected.isEmpty();
    }

    /** So many bytes will come, or have come already, after all that was expected before. */
    void expect(BulkSink sink, long length) {
        expected.add(new Expected(sink, length));
        if (expected.size() == 1) {
            leftOfFirst = length;
            endFirstIfAllCame();
        }
        while (!early.isEmpty() && !expected.isEmpty()) {
            ByteBuf in = early.getFirst();
            pass(in);
            if (!in.isReadable()) {
                early.remove().release();
            }
        }
        own.pauseReading(!early.isEmpty());
    }

    /**
     * Takes over what has come. Data may come before the request that it belongs to: it is kept,
     * and nothing more is read until then.
     */
    void data(ByteBuf in) {
        if (closed) {
            in.release();
            return;
        }
        pass(in); // What came early is only there while nothing is expected.
        if (in.isReadable()) {
            early.add(in);
            own.pauseReading(true);
        } else {
            in.release();
        }
    }

    private void pass(ByteBuf in) {
        while (in.isReadable() && !expected.isEmpty()) {
            int bytes = (int) Math.min(leftOfFirst, in.readableBytes());
            leftOfFirst -= bytes;
            expected.getFirst().sink().data(in.readRetainedSlice(bytes));
            endFirstIfAllCame();
        }
    }

    private void endFirstIfAllCame() {
        while (leftOfFirst == 0 && !expected.isEmpty()) {
            BulkSink sink = expected.remove().sink();
            leftOfFirst = expected.isEmpty() ? 0 : expected.getFirst().length();
            sink.end();
        }
    }

    /** The connection is gone. */
    void lost() {
        if (closed) {
            return;
        }
        closed = true;
        table.remove(this);
        boolean isIdle = expected.isEmpty() && unanswered == 0;
        breakOff();
        if (!isIdle) {
            session.closeChannel();
        }
    }

    /** The session is gone: so is this. */
    void close() {
        closed = true;
        breakOff();
        own.closeChannel();
    }

    private void breakOff() {
        pump.close();
        expected.forEach(each -> each.sink().broken());
        expected.clear();
        early.forEach(ByteBuf::release);
        early.clear();
    }
}
