package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.unix.UnixChannel;
import io.netty.util.ReferenceCounted;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.zip.CRC32C;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.port.DataFile;
import org.cepheus.domain.port.PipedBytes;
import org.cepheus.protocol.socket.PipedRegion;
import org.cepheus.protocol.xrootd.wire.PageLayout;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;

/** The kinds of read: plain bytes, pages with their checksums, and ranges of several files. */
final class ReadShapes {
    /** Pages of one piece: with checksums and header they fit {@link ReadPump#PIECE_BYTES}. */
    private static final int PIECE_PAGES = 127;

    private static final int SEGMENT_HEADER_BYTES = 16;

    private ReadShapes() {}

    /** A range of a file cut at page borders; at least one piece, as an empty answer is one too. */
    private static final class Cut {
        private long offset;
        private int left;
        private boolean begun;

        Cut(long offset, int length) {
            this.offset = offset;
            this.left = length;
        }

        boolean hasNext() {
            return !begun || left > 0;
        }

        int nextLength() {
            int most =
                    PageLayout.bytesToPageEnd(offset) + (PIECE_PAGES - 1) * PageLayout.PAGE_BYTES;
            return Math.min(left, most);
        }

        void advance(int bytes) {
            begun = true;
            offset += bytes;
            left -= bytes;
        }
    }

    /** The answer to read: data behind plain headers. */
    static ServedRead.Shape plain(
            int streamId, DataFile file, long offset, int length, Optional<UnixChannel> socket) {
        var cut = new Cut(offset, length);
        return new ServedRead.Shape() {
            @Override
            public boolean hasNext() {
                return cut.hasNext();
            }

            @Override
            public int nextBytes() {
                return ResponseCodec.HEADER_BYTES + cut.nextLength();
            }

            @Override
            public ServedRead.Piece next(ByteBufAllocator buffers) {
                int wanted = cut.nextLength();
                boolean isEnd = cut.left == wanted;
                ServedRead.Piece piece =
                        socket.isPresent() && wanted >= PipedRegion.WORTHWHILE_BYTES
                                ? new PipedPiece(
                                        streamId,
                                        file,
                                        buffers,
                                        cut.offset,
                                        wanted,
                                        isEnd,
                                        socket.get())
                                : new PlainPiece(
                                        streamId,
                                        file,
                                        exactly(ResponseCodec.HEADER_BYTES + wanted, buffers),
                                        cut.offset,
                                        wanted,
                                        isEnd);
                cut.advance(wanted);
                return piece;
            }
        };
    }

    private static ByteBuf exactly(int bytes, ByteBufAllocator buffers) {
        return buffers.directBuffer(bytes, bytes);
    }

    private record PlainPiece(
            int streamId, DataFile file, ByteBuf buffer, long offset, int wanted, boolean isEnd)
            implements ServedRead.Piece {
        @Override
        public CompletionStage<Integer> filled() {
            return wanted == 0
                    ? CompletableFuture.completedFuture(0)
                    : file.read(offset, buffer.nioBuffer(ResponseCodec.HEADER_BYTES, wanted));
        }

        @Override
        public boolean seal(int dataBytes) {
            boolean last = isEnd || dataBytes < wanted;
            plainHeader(buffer, streamId, last, dataBytes);
            buffer.writerIndex(ResponseCodec.HEADER_BYTES + dataBytes);
            return last;
        }

        @Override
        public List<ReferenceCounted> wire() {
            return List.of(buffer);
        }
    }

    private static void plainHeader(ByteBuf buffer, int streamId, boolean last, int dataBytes) {
        int status = last ? XrootdResponse.OK : XrootdResponse.OK_SO_FAR;
        ResponseCodec.header(buffer, streamId, status, dataBytes);
    }

    /** A header, and data that never come here; copied if the storage has no pipe for them. */
    private static final class PipedPiece implements ServedRead.Piece {
        private final int streamId;
        private final DataFile file;
        private final ByteBufAllocator buffers;
        private final long offset;
        private final int wanted;
        private final boolean isEnd;
        private final UnixChannel socket;
        private final ByteBuf header;
        private Optional<ReferenceCounted> data = Optional.empty();

        PipedPiece(
                int streamId,
                DataFile file,
                ByteBufAllocator buffers,
                long offset,
                int wanted,
                boolean isEnd,
                UnixChannel socket) {
            this.streamId = streamId;
            this.file = file;
            this.buffers = buffers;
            this.offset = offset;
            this.wanted = wanted;
            this.isEnd = isEnd;
            this.socket = socket;
            this.header = exactly(ResponseCodec.HEADER_BYTES, buffers);
        }

        @Override
        public CompletionStage<Integer> filled() {
            return file.pipe(offset, wanted)
                    .thenCompose(piped -> piped.isPresent() ? take(piped.get()) : copy());
        }

        private CompletionStage<Integer> take(PipedBytes piped) {
            data = Optional.of(new PipedRegion(socket, piped));
            return CompletableFuture.completedFuture(piped.left());
        }

        private CompletionStage<Integer> copy() {
            ByteBuf copied = exactly(wanted, buffers);
            data = Optional.of(copied);
            return file.read(offset, copied.nioBuffer(0, wanted))
                    .thenApply(bytes -> {
                        copied.writerIndex(bytes);
                        return bytes;
                    });
        }

        @Override
        public boolean seal(int dataBytes) {
            boolean last = isEnd || dataBytes < wanted;
            plainHeader(header, streamId, last, dataBytes);
            header.writerIndex(ResponseCodec.HEADER_BYTES);
            return last;
        }

        @Override
        public List<ReferenceCounted> wire() {
            return data.map(bytes -> List.of(header, bytes)).orElse(List.of(header));
        }
    }

    /** The answer to pgread: storage fills the pages in place, checksums go into the gaps. */
    static ServedRead.Shape pages(int streamId, DataFile file, long offset, int length) {
        var cut = new Cut(offset, length);
        return new ServedRead.Shape() {
            @Override
            public boolean hasNext() {
                return cut.hasNext();
            }

            @Override
            public int nextBytes() {
                return ResponseCodec.PAGES_HEADER_BYTES
                        + PageLayout.wireBytes(cut.offset, cut.nextLength());
            }

            @Override
            public ServedRead.Piece next(ByteBufAllocator buffers) {
                int wanted = cut.nextLength();
                ByteBuf buffer = exactly(nextBytes(), buffers);
                var piece =
                        new PagePiece(
                                streamId, file, buffer, cut.offset, wanted, cut.left == wanted);
                cut.advance(wanted);
                return piece;
            }
        };
    }

    private record PagePiece(
            int streamId, DataFile file, ByteBuf buffer, long offset, int wanted, boolean isEnd)
            implements ServedRead.Piece {
        @Override
        public CompletionStage<Integer> filled() {
            return wanted == 0
                    ? CompletableFuture.completedFuture(0)
                    : file.read(offset, pageViews()).thenApply(this::addChecksums);
        }

        private ByteBuffer[] pageViews() {
            var views = new ByteBuffer[PageLayout.pages(offset, wanted)];
            ByteBuffer all = buffer.nioBuffer(0, buffer.capacity());
            int at = ResponseCodec.PAGES_HEADER_BYTES;
            int left = wanted;
            int page = PageLayout.bytesToPageEnd(offset);
            for (int i = 0; i < views.length; i++) {
                int bytes = Math.min(page, left);
                views[i] = all.slice(at + PageLayout.CHECKSUM_BYTES, bytes);
                at += PageLayout.CHECKSUM_BYTES + bytes;
                left -= bytes;
                page = PageLayout.PAGE_BYTES;
            }
            return views;
        }

        /** Runs on the thread that read, while the pages are in its cache. */
        private int addChecksums(int dataBytes) {
            var crc = new CRC32C();
            ByteBuffer all = buffer.nioBuffer(0, buffer.capacity());
            int at = ResponseCodec.PAGES_HEADER_BYTES;
            int left = dataBytes;
            int page = PageLayout.bytesToPageEnd(offset);
            while (left > 0) {
                int bytes = Math.min(page, left);
                int data = at + PageLayout.CHECKSUM_BYTES;
                crc.reset();
                crc.update(all.limit(data + bytes).position(data));
                all.putInt(at, (int) crc.getValue());
                at = data + bytes;
                left -= bytes;
                page = PageLayout.PAGE_BYTES;
            }
            return dataBytes;
        }

        @Override
        public boolean seal(int dataBytes) {
            boolean last = isEnd || dataBytes < wanted;
            int wireBytes = PageLayout.wireBytes(offset, dataBytes);
            ResponseCodec.encode(
                    streamId, new XrootdResponse.Pages(offset, wireBytes, last), buffer);
            buffer.writerIndex(ResponseCodec.PAGES_HEADER_BYTES + wireBytes);
            return last;
        }

        @Override
        public List<ReferenceCounted> wire() {
            return List.of(buffer);
        }
    }

    /** One range of a readv and the file it is of. */
    record Range(int handle, DataFile file, long offset, int length) {}

    /** The answer to readv: each range with a header of its own, in the request's order, uncut. */
    static ServedRead.Shape ranges(int streamId, List<Range> ranges) {
        return new ServedRead.Shape() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < ranges.size();
            }

            @Override
            public int nextBytes() {
                int bytes = ResponseCodec.HEADER_BYTES;
                for (Range range : group()) {
                    bytes += SEGMENT_HEADER_BYTES + range.length();
                }
                return bytes;
            }

            @Override
            public ServedRead.Piece next(ByteBufAllocator buffers) {
                ByteBuf buffer = exactly(nextBytes(), buffers);
                List<Range> group = group();
                next += group.size();
                return new RangesPiece(streamId, buffer, group, next == ranges.size());
            }

            // At least one range, and more while they fit a piece.
            private List<Range> group() {
                int end = next;
                int bytes = ResponseCodec.HEADER_BYTES;
                while (end < ranges.size()) {
                    bytes += SEGMENT_HEADER_BYTES + ranges.get(end).length();
                    if (end > next && bytes > ReadPump.PIECE_BYTES) {
                        break;
                    }
                    end++;
                }
                return ranges.subList(next, end);
            }
        };
    }

    /** A range that is not empty, and where in the answer its bytes go. */
    private record Placed(Range range, int at) {
        private static final Comparator<Placed> BY_FILE_AND_OFFSET =
                Comparator.comparingInt((Placed placed) -> placed.range.handle())
                        .thenComparingLong(placed -> placed.range.offset());

        boolean follows(Placed before) {
            return range.handle() == before.range.handle()
                    && range.offset() == before.range.offset() + before.range.length();
        }
    }

    private record RangesPiece(int streamId, ByteBuf buffer, List<Range> group, boolean isEnd)
            implements ServedRead.Piece {
        /** Neighbours in a file are one call to its storage, wherever the answer has them. */
        @Override
        public CompletionStage<Integer> filled() {
            List<Placed> sorted = placed();
            sorted.sort(Placed.BY_FILE_AND_OFFSET);
            CompletionStage<Integer> all = CompletableFuture.completedFuture(0);
            int first = 0;
            for (int next = 1; next <= sorted.size(); next++) {
                if (next == sorted.size() || !sorted.get(next).follows(sorted.get(next - 1))) {
                    all = all.thenCombine(read(sorted.subList(first, next)), Integer::sum);
                    first = next;
                }
            }
            return all;
        }

        /** Writes the ranges' headers. */
        private List<Placed> placed() {
            var placed = new ArrayList<Placed>(group.size());
            int at = ResponseCodec.HEADER_BYTES;
            for (Range range : group) {
                buffer.setInt(at, range.handle()).setInt(at + 4, range.length());
                buffer.setLong(at + 8, range.offset());
                int data = at + SEGMENT_HEADER_BYTES;
                if (range.length() > 0) {
                    placed.add(new Placed(range, data));
                }
                at = data + range.length();
            }
            return placed;
        }

        private CompletionStage<Integer> read(List<Placed> neighbours) {
            var views = new ByteBuffer[neighbours.size()];
            for (int i = 0; i < views.length; i++) {
                Placed each = neighbours.get(i);
                views[i] = buffer.nioBuffer(each.at(), each.range().length());
            }
            Range first = neighbours.getFirst().range();
            return first.file()
                    .read(first.offset(), views)
                    .thenApply(bytes -> whole(neighbours, bytes));
        }

        private static int whole(List<Placed> neighbours, int bytes) {
            long end = neighbours.getFirst().range().offset() + bytes;
            for (Placed each : neighbours) {
                Range range = each.range();
                if (range.offset() + range.length() > end) {
                    throw new FsException(
                            new FsError.InvalidArgument(
                                    "readv of %d bytes at %d goes beyond the end of the file at %d"
                                            .formatted(range.length(), range.offset(), end)));
                }
            }
            return bytes;
        }

        @Override
        public boolean seal(int dataBytes) {
            int body = dataBytes + group.size() * SEGMENT_HEADER_BYTES;
            ResponseCodec.header(
                    buffer, streamId, isEnd ? XrootdResponse.OK : XrootdResponse.OK_SO_FAR, body);
            buffer.writerIndex(ResponseCodec.HEADER_BYTES + body);
            return isEnd;
        }

        @Override
        public List<ReferenceCounted> wire() {
            return List.of(buffer);
        }
    }
}
