package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.cepheus.domain.FsError;
import org.cepheus.protocol.xrootd.wire.PageLayout;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.XrootdResponse.PagesWritten.Damaged;
import org.jspecify.annotations.Nullable;

/**
 * The data of one pgwrite: checks each page's CRC32C as it passes and hands the pages on without
 * their checksums and without a copy. A damaged page is written too, as the client will send it
 * again; until then the file cannot be committed.
 */
final class PageWriteSink implements BulkSink {
    /** Who hears when everything is in the file. */
    interface Done {
        void written(@Nullable FsError failure, List<Damaged> damaged);
    }

    private final OpenFile file;
    private final WriteSink into;
    private final CRC32C crc = new CRC32C();
    private final List<Damaged> damaged = new ArrayList<>();
    private final long moved;
    private long pageStart;
    private int dataLeft;
    private int pageBytes;
    private int pageLeft;
    private int checksumLeft;
    private int expected;

    /**
     * @param offset where the client says that its pages are
     * @param place where they go
     * @param dataBytes without checksums; the units have been found to add up
     * @param isRetry the client corrects one page
     */
    PageWriteSink(
            XrootdConnection connection,
            OpenFile file,
            long offset,
            long place,
            int dataBytes,
            boolean isRetry,
            Done done) {
        this.file = file;
        this.into =
                new WriteSink(
                        connection,
                        file,
                        place,
                        failure -> {
                            if (isRetry && failure == null && damaged.isEmpty()) {
                                file.markMended(offset);
                            }
                            done.written(failure, damaged);
                        });
        this.dataLeft = dataBytes;
        this.moved = place - offset;
        beginPage(offset);
    }

    private void beginPage(long offset) {
        pageStart = offset;
        pageBytes = Math.min(dataLeft, PageLayout.bytesToPageEnd(offset));
        pageLeft = pageBytes;
        checksumLeft = PageLayout.CHECKSUM_BYTES;
        expected = 0;
        crc.reset();
    }

    @Override
    public void data(ByteBuf piece) {
        ByteBuffer all = piece.nioBuffer();
        int end = all.limit();
        int at = 0;
        while (at < end) {
            if (checksumLeft == PageLayout.CHECKSUM_BYTES && end - at >= checksumLeft) {
                expected = all.getInt(at);
                at += checksumLeft;
                checksumLeft = 0;
            } else if (checksumLeft > 0) {
                expected = expected << 8 | Byte.toUnsignedInt(all.get(at));
                at++;
                checksumLeft--;
            } else {
                int bytes = Math.min(pageLeft, end - at);
                pageData(all.slice(at, bytes));
                at += bytes;
            }
        }
        into.hold(piece);
    }

    private void pageData(ByteBuffer view) {
        int bytes = view.remaining();
        crc.update(view);
        into.add(view.flip());
        pageLeft -= bytes;
        dataLeft -= bytes;
        if (pageLeft == 0) {
            if ((int) crc.getValue() != expected) {
                damaged();
            }
            beginPage(pageStart + pageBytes);
        }
    }

    private void damaged() {
        damaged.add(new Damaged(pageStart, pageBytes));
        boolean bearable = file.markDamaged(pageStart, pageStart + moved, pageBytes);
        if (!bearable || damaged.size() > ResponseCodec.MAX_DAMAGED_PAGES) {
            into.fail(
                    new FsError.ChecksumMismatch(
                            "%d pages of one pgwrite arrived damaged, the limit is %d (%d for one file)"
                                    .formatted(
                                            damaged.size(),
                                            ResponseCodec.MAX_DAMAGED_PAGES,
                                            OpenFile.MAX_DAMAGED_PAGES)));
        }
    }

    @Override
    public void end() {
        into.end();
    }

    @Override
    public void broken() {
        into.broken();
    }
}
