package org.cepheus.protocol.xrootd.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.protocol.xrootd.wire.PageLayout;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a server sends into answers. File data goes into the asker's buffer as it comes; other
 * answers are gathered, at most {@link ResponseCodec#MAX_BODY_BYTES} of each.
 */
final class AnswerReader {
    /** Who hears of answers. */
    interface Listener {
        /** Where the file data of that stream's request goes; null if it asked for none. */
        @Nullable ByteBuffer destination(int streamId);

        void answer(int streamId, XrootdResponse response);

        /** File data has all come; the status is ok or that more follows. */
        void data(int streamId, boolean isLast);
    }

    private final Listener listener;
    private final CRC32C crc = new CRC32C();
    private ByteBuf partial = Unpooled.buffer(64);
    private int need = ResponseCodec.HEADER_BYTES;
    private int bulkLeft;
    private int bulkStream;
    private boolean bulkIsLast;
    private boolean bulkHasChecksums;
    private long fileOffset;
    private int pageLeft;
    private int checksumLeft;
    private int expected;

    AnswerReader(Listener listener) {
        this.listener = listener;
    }

    /**
     * Reads all of the buffer; does not release it.
     *
     * @throws FsException when it is no answer or a page is damaged: the connection has to end
     */
    void read(ByteBuf in) {
        while (in.isReadable()) {
            if (bulkLeft > 0) {
                bulk(in);
            } else {
                gather(in);
            }
        }
    }

    private void gather(ByteBuf in) {
        int missing = need - partial.readableBytes();
        partial.writeBytes(in, Math.min(missing, in.readableBytes()));
        if (partial.readableBytes() == need) {
            frame();
        }
    }

    private void frame() {
        int status = ResponseCodec.status(partial, 0);
        int streamId = ResponseCodec.streamId(partial, 0);
        int length = ResponseCodec.dataLength(partial, 0);
        if (length < 0 || length > ResponseCodec.MAX_BODY_BYTES) {
            throw broken("answer of %d bytes".formatted(length));
        }
        boolean isData = status == XrootdResponse.OK || status == XrootdResponse.OK_SO_FAR;
        if (isData && listener.destination(streamId) != null) {
            start(streamId, length, status == XrootdResponse.OK, false);
            return;
        }
        int whole = ResponseCodec.HEADER_BYTES + length;
        if (need < whole) {
            need = whole;
            return;
        }
        if (status == XrootdResponse.STATUS) {
            status(streamId);
            return;
        }
        XrootdResponse response = ResponseCodec.decode(partial, 0, whole);
        next();
        listener.answer(streamId, response);
    }

    private void status(int streamId) {
        int more =
                need >= ResponseCodec.PAGES_HEADER_BYTES
                        ? ResponseCodec.statusDataLength(partial, 0)
                        : -1;
        if (more < 0 || more > ResponseCodec.MAX_BODY_BYTES) {
            throw broken("status answer with %d bytes of data".formatted(more));
        }
        boolean isPageWrite = ResponseCodec.isPageWrite(partial, 0);
        if (isPageWrite && need < ResponseCodec.PAGES_HEADER_BYTES + more) {
            need = ResponseCodec.PAGES_HEADER_BYTES + more;
            return;
        }
        XrootdResponse response = ResponseCodec.decode(partial, 0, need);
        if (response instanceof XrootdResponse.Pages(long offset, int bytes, boolean isLast)) {
            fileOffset = offset;
            beginPage();
            start(streamId, bytes, isLast, true);
        } else {
            next();
            listener.answer(streamId, response);
        }
    }

    private void next() {
        partial.clear();
        need = ResponseCodec.HEADER_BYTES;
        if (partial.capacity() > 64 * 1024) {
            partial = Unpooled.buffer(64);
        }
    }

    private void start(int streamId, int bytes, boolean isLast, boolean hasChecksums) {
        next();
        bulkStream = streamId;
        bulkLeft = bytes;
        bulkIsLast = isLast;
        bulkHasChecksums = hasChecksums;
        endIfAllCame();
    }

    private void beginPage() {
        pageLeft = PageLayout.bytesToPageEnd(fileOffset);
        checksumLeft = PageLayout.CHECKSUM_BYTES;
        expected = 0;
        crc.reset();
    }

    private void bulk(ByteBuf in) {
        if (bulkHasChecksums && checksumLeft > 0) {
            expected = expected << 8 | in.readUnsignedByte();
            checksumLeft--;
            bulkLeft--;
        } else {
            int most = bulkHasChecksums ? Math.min(bulkLeft, pageLeft) : bulkLeft;
            store(in, Math.min(most, in.readableBytes()));
        }
        endIfAllCame();
    }

    private void store(ByteBuf in, int bytes) {
        ByteBuffer into = listener.destination(bulkStream);
        if (into == null || into.remaining() < bytes) {
            throw broken("file data that nobody asked for");
        }
        int limit = into.limit();
        into.limit(into.position() + bytes);
        if (bulkHasChecksums) {
            crc.update(in.nioBuffer(in.readerIndex(), bytes));
        }
        in.readBytes(into);
        into.limit(limit);
        bulkLeft -= bytes;
        if (bulkHasChecksums) {
            pageData(bytes);
        }
    }

    private void pageData(int bytes) {
        fileOffset += bytes;
        pageLeft -= bytes;
        if (pageLeft == 0 || bulkLeft == 0) {
            if ((int) crc.getValue() != expected) {
                throw new FsException(
                        new FsError.ChecksumMismatch(
                                "the page before offset %d arrived damaged".formatted(fileOffset)));
            }
            beginPage();
        }
    }

    private void endIfAllCame() {
        if (bulkLeft == 0) {
            listener.data(bulkStream, bulkIsLast);
        }
    }

    private static FsException broken(String what) {
        return new FsException(new FsError.IoFailure("the server sent " + what));
    }
}
