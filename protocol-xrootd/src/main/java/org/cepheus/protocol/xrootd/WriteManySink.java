package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.function.Consumer;
import org.cepheus.domain.FsError;
import org.jspecify.annotations.Nullable;

/** The data of one writev: cut into its segments, each of which is a write of its own. */
final class WriteManySink implements BulkSink {
    /** One range of one file. */
    record Segment(OpenFile file, long offset, int length) {}

    private final XrootdConnection connection;
    private final Deque<Segment> rest = new ArrayDeque<>();
    private final Consumer<@Nullable FsError> done;
    private @Nullable WriteSink current;
    private int left;
    private int running;
    private boolean ended;
    private @Nullable FsError failure;

    /**
     * @param done hears when everything is in the files, or what went wrong first
     */
    WriteManySink(
            XrootdConnection connection,
            Collection<Segment> segments,
            Consumer<@Nullable FsError> done) {
        this.connection = connection;
        this.done = done;
        segments.stream().filter(segment -> segment.length() > 0).forEach(rest::add);
    }

    @Override
    public void data(ByteBuf piece) {
        while (piece.isReadable()) {
            WriteSink sink = current == null ? begin(rest.remove()) : current;
            int bytes = Math.min(left, piece.readableBytes());
            left -= bytes;
            sink.data(piece.readRetainedSlice(bytes));
            if (left == 0) {
                current = null;
                sink.end();
            }
        }
        piece.release();
    }

    private WriteSink begin(Segment segment) {
        running++;
        left = segment.length();
        var sink = new WriteSink(connection, segment.file(), segment.offset(), this::written);
        current = sink;
        return sink;
    }

    private void written(@Nullable FsError error) {
        if (failure == null) {
            failure = error;
        }
        running--;
        finishIfIdle();
    }

    @Override
    public void end() {
        ended = true;
        finishIfIdle();
    }

    @Override
    public void broken() {
        if (current != null) {
            current.broken();
        }
    }

    private void finishIfIdle() {
        if (ended && running == 0) {
            ended = false;
            done.accept(failure);
        }
    }
}
