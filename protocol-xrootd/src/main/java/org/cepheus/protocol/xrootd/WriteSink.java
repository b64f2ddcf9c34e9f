package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.cepheus.domain.FsError;
import org.jspecify.annotations.Nullable;

/**
 * The data of one write on its way into the file: received slices are gathered to larger writes and
 * handed over as they are, without a copy. After the first error the rest is dropped.
 */
final class WriteSink implements BulkSink {
    /** Data that makes one write to the file. */
    static final int BATCH_BYTES = 512 * 1024;

    /** Who hears when everything is in the file. */
    interface Done {
        void written(@Nullable FsError failure);
    }

    private final XrootdConnection connection;
    private final OpenFile file;
    private final Done done;
    private long offset;
    private List<ByteBuf> held = new ArrayList<>();
    private List<ByteBuffer> views = new ArrayList<>();
    private int batchBytes;
    private int running;
    private boolean ended;
    private @Nullable FsError failure;

    WriteSink(XrootdConnection connection, OpenFile file, long offset, Done done) {
        this.connection = connection;
        this.file = file;
        this.offset = offset;
        this.done = done;
        file.enter();
    }

    @Override
    public void data(ByteBuf piece) {
        add(piece.nioBuffer());
        hold(piece);
    }

    /** Appends bytes of a piece, which is to be held. */
    void add(ByteBuffer view) {
        batchBytes += view.remaining();
        views.add(view);
    }

    /** Takes over the piece until what was added of it is written. */
    void hold(ByteBuf piece) {
        connection.unwritten(piece.readableBytes());
        held.add(piece);
        if (batchBytes >= BATCH_BYTES || failure != null) {
            flush();
        }
    }

    void fail(FsError error) {
        if (failure == null) {
            failure = error;
        }
    }

    @Override
    public void end() {
        flush();
        ended = true;
        finishIfIdle();
    }

    @Override
    public void broken() {
        List<ByteBuf> dropped = held;
        held = new ArrayList<>();
        views = new ArrayList<>();
        release(dropped);
        file.leave();
    }

    private void flush() {
        List<ByteBuf> buffers = held;
        ByteBuffer[] from = views.toArray(ByteBuffer[]::new);
        long at = offset;
        offset += batchBytes;
        batchBytes = 0;
        views = new ArrayList<>();
        held = new ArrayList<>();
        if (failure != null || from.length == 0) {
            release(buffers);
            return;
        }
        running++;
        connection.whenDone(
                () -> file.file().write(at, from),
                _ -> finished(buffers),
                error -> {
                    fail(error);
                    finished(buffers);
                });
    }

    private void finished(List<ByteBuf> buffers) {
        release(buffers);
        running--;
        finishIfIdle();
    }

    private void release(List<ByteBuf> buffers) {
        long bytes = 0;
        for (ByteBuf buffer : buffers) {
            bytes += buffer.readableBytes();
            buffer.release();
        }
        connection.unwritten(-bytes);
    }

    private void finishIfIdle() {
        if (ended && running == 0) {
            ended = false;
            done.written(failure);
            file.leave(); // A close that waits comes after this answer.
        }
    }
}
