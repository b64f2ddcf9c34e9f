package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.cepheus.protocol.xrootd.wire.RequestCodec;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a client sends into handshake, requests and file data. Lengths are checked before
 * anything is kept: at most one argument of {@link RequestCodec#MAX_ARGUMENT_BYTES} is gathered,
 * file data passes through.
 */
final class FrameReader {
    /** What a client says first: 0, 0, 0, 4, 2012. */
    static final int HANDSHAKE_BYTES = 20;

    /** An argument that is too long is skipped up to this size; beyond it the connection ends. */
    static final int MAX_SKIPPED_BYTES = 16 * 1024 * 1024;

    private static final int HANDSHAKE_VERSION = 2012;

    /** Who hears what was read. */
    interface Listener {
        void handshake();

        void request(int streamId, XrootdRequest request);

        /** The data follows; it goes to the sink that this returns. */
        BulkSink bulk(int streamId, XrootdRequest request);

        /** The request is wrong; the connection lives on. */
        void refused(int streamId, int code, String message);

        /** Nothing more can be understood: the connection has to end. */
        void broken(String reason);

        /** True once the connection has ended: nothing more is wanted. */
        boolean isOver();
    }

    private final Listener listener;
    private final ByteBufAllocator allocator;
    private boolean greeted;
    private boolean lost;
    private long begun;
    private int need = HANDSHAKE_BYTES;
    private @Nullable ByteBuf partial;
    private @Nullable BulkSink sink;
    private long bulkLeft;

    FrameReader(Listener listener, ByteBufAllocator allocator) {
        this.listener = listener;
        this.allocator = allocator;
    }

    boolean isInBulk() {
        return sink != null;
    }

    /** File data that belongs to the request that has begun and did not come yet. */
    long bulkLeft() {
        return sink == null ? 0 : bulkLeft;
    }

    /** The number of the request that has begun and is not complete, or -1. */
    long unfinished() {
        return partial == null ? -1 : begun;
    }

    /** Reads all of the buffer; does not release it. */
    void read(ByteBuf in) {
        while (in.isReadable() && !lost && !listener.isOver()) {
            if (sink != null) {
                passBulk(in, sink);
            } else {
                gather(in);
            }
        }
    }

    /** The connection is gone. */
    void close() {
        if (partial != null) {
            partial.release();
            partial = null;
        }
        if (sink != null) {
            sink.broken();
            sink = null;
        }
    }

    private void passBulk(ByteBuf in, BulkSink to) {
        int bytes = (int) Math.min(bulkLeft, in.readableBytes());
        bulkLeft -= bytes;
        to.data(in.readRetainedSlice(bytes));
        endBulkIfAllCame(to);
    }

    private void endBulkIfAllCame(BulkSink to) {
        if (bulkLeft == 0) {
            sink = null;
            to.end();
        }
    }

    /** Takes a whole frame in place when it is there, else collects its pieces. */
    private void gather(ByteBuf in) {
        ByteBuf collected = partial;
        if (collected == null && in.readableBytes() >= need) {
            int at = in.readerIndex();
            int consumed = frame(in, at);
            if (consumed > 0) {
                in.skipBytes(consumed);
            }
            return;
        }
        if (collected == null) {
            begun++;
            collected = allocator.buffer(need);
            partial = collected;
        }
        collected.writeBytes(in, Math.min(need - collected.readableBytes(), in.readableBytes()));
        if (collected.readableBytes() >= need && frame(collected, 0) > 0 && partial != null) {
            partial = null;
            collected.release();
        }
    }

    /** Understands the {@code need} bytes at {@code at}; returns 0 if it now needs more of them. */
    private int frame(ByteBuf in, int at) {
        if (!greeted) {
            greet(in, at);
            return HANDSHAKE_BYTES;
        }
        int streamId = RequestCodec.streamId(in, at);
        int requestId = RequestCodec.requestId(in, at);
        int dataLength = RequestCodec.dataLength(in, at);
        if (dataLength < 0) {
            lose("negative data length " + dataLength);
            return RequestCodec.HEADER_BYTES;
        }
        if (RequestCodec.isBulk(requestId)) {
            bulk(in, at, streamId, dataLength);
            return RequestCodec.HEADER_BYTES;
        }
        int maxLength = RequestCodec.maxArgumentBytes(requestId);
        if (dataLength > maxLength) {
            tooLong(streamId, dataLength, maxLength);
            return RequestCodec.HEADER_BYTES;
        }
        int whole = RequestCodec.HEADER_BYTES + dataLength;
        if (need < whole) {
            need = whole;
            return 0;
        }
        need = RequestCodec.HEADER_BYTES;
        request(in, at, whole, streamId);
        return whole;
    }

    /** What follows is not looked at, however long the connection takes to end. */
    private void lose(String reason) {
        lost = true;
        listener.broken(reason);
    }

    private void greet(ByteBuf in, int at) {
        boolean zeros = in.getLong(at) == 0 && in.getInt(at + 8) == 0;
        if (!zeros || in.getInt(at + 12) != 4 || in.getInt(at + 16) != HANDSHAKE_VERSION) {
            lose("not an XRootD handshake");
            return;
        }
        greeted = true;
        need = RequestCodec.HEADER_BYTES;
        listener.handshake();
    }

    private void bulk(ByteBuf in, int at, int streamId, int dataLength) {
        BulkSink to;
        try {
            to = listener.bulk(streamId, RequestCodec.decode(in, at, RequestCodec.HEADER_BYTES));
        } catch (FsException e) {
            if (RequestCodec.pathId(in, at) != 0) {
                listener.broken("the data of a refused request is on another stream");
                return;
            }
            to = refusing(streamId, e.error());
        }
        startBulk(to, to.isElsewhere() ? 0 : dataLength);
    }

    private void startBulk(BulkSink to, long bytes) {
        sink = to;
        bulkLeft = bytes;
        endBulkIfAllCame(to);
    }

    private BulkSink refusing(int streamId, FsError error) {
        return BulkSink.dropping(
                () -> listener.refused(streamId, XrootdErrors.code(error), error.message()));
    }

    private void tooLong(int streamId, int dataLength, int maxLength) {
        String message =
                "request argument of %d bytes, the limit is %d".formatted(dataLength, maxLength);
        if (dataLength > MAX_SKIPPED_BYTES) {
            lose(message);
            return;
        }
        startBulk(
                BulkSink.dropping(
                        () -> listener.refused(streamId, ErrorCode.ARG_TOO_LONG, message)),
                dataLength);
    }

    private void request(ByteBuf in, int at, int length, int streamId) {
        XrootdRequest request;
        try {
            request = RequestCodec.decode(in, at, length);
        } catch (FsException e) {
            long dataBytes = RequestCodec.dataOfRefused(in, at, length);
            startBulk(refusing(streamId, e.error()), dataBytes);
            return;
        }
        if (request instanceof XrootdRequest.WriteMany many) {
            startBulk(listener.bulk(streamId, many), many.totalBytes());
        } else if (request instanceof XrootdRequest.NotServed(_, long bytes) && bytes != 0) {
            if (bytes < 0) {
                listener.request(streamId, request);
                lose("data of unknown length follows a refused request");
            } else {
                startBulk(BulkSink.dropping(() -> listener.request(streamId, request)), bytes);
            }
        } else {
            listener.request(streamId, request);
        }
    }
}
