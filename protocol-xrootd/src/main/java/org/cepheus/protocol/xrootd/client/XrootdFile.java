package org.cepheus.protocol.xrootd.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.zip.CRC32C;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.protocol.xrootd.wire.PageLayout;
import org.cepheus.protocol.xrootd.wire.StatText;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;
import org.jspecify.annotations.Nullable;

/**
 * A file open at a remote data server. Calls may overlap; buffers belong to it until the stage
 * completes. How much is in flight is the caller's choice.
 */
public final class XrootdFile {
    /** How often a page that arrives damaged is sent again. */
    private static final int MAX_CORRECTIONS = 3;

    private final ClientConnection connection;
    private final XrootdResponse.Opened opened;

    XrootdFile(ClientConnection connection, XrootdResponse.Opened opened) {
        this.connection = connection;
        this.opened = opened;
    }

    /** The stat that came with the open, if it was asked for. */
    public Optional<StatText> statAtOpen() {
        return opened.stat();
    }

    /**
     * Fills the buffer from its position on.
     *
     * @return bytes read, fewer than asked for only at the end of the file
     */
    public CompletionStage<Integer> read(long offset, ByteBuffer into) {
        return fill(new XrootdRequest.Read(opened.handle(), offset, into.remaining(), 0), into);
    }

    /** The same with the checksum of each page verified; a damaged page ends the connection. */
    public CompletionStage<Integer> readPages(long offset, ByteBuffer into) {
        return fill(
                new XrootdRequest.PageRead(opened.handle(), offset, into.remaining(), 0, 0), into);
    }

    private CompletionStage<Integer> fill(XrootdRequest request, ByteBuffer into) {
        int start = into.position();
        return connection
                .send(request, null, into, connection.deadline())
                .thenApply(response -> {
                    ClientConnection.ok(response);
                    return into.position() - start;
                });
    }

    public CompletionStage<Void> write(long offset, ByteBuffer from) {
        var request = new XrootdRequest.Write(opened.handle(), offset, from.remaining(), 0);
        return send(request, Unpooled.wrappedBuffer(from));
    }

    /** Writes with the checksum of each page; pages that arrive damaged are sent again. */
    public CompletionStage<Void> writePages(long offset, ByteBuffer from) {
        return writePages(offset, from.duplicate(), 0);
    }

    private CompletionStage<Void> writePages(long offset, ByteBuffer from, int correction) {
        ByteBuf units = units(offset, from.duplicate());
        var request =
                new XrootdRequest.PageWrite(
                        opened.handle(), offset, units.readableBytes(), 0, correction == 0 ? 0 : 1);
        return connection
                .send(request, units, null, connection.deadline())
                .thenCompose(response -> correct(offset, from, correction, response));
    }

    private CompletionStage<Void> correct(
            long offset, ByteBuffer from, int correction, XrootdResponse response) {
        if (!(response instanceof XrootdResponse.PagesWritten(_, var damaged))) {
            ClientConnection.ok(response);
            throw RemoteErrors.unexpected(response);
        }
        if (!damaged.isEmpty() && correction == MAX_CORRECTIONS) {
            throw new FsException(
                    new FsError.ChecksumMismatch(
                            "the page at %d arrived damaged %d times"
                                    .formatted(damaged.getFirst().offset(), MAX_CORRECTIONS + 1)));
        }
        CompletionStage<Void> all = CompletableFuture.completedFuture(null);
        for (XrootdResponse.PagesWritten.Damaged page : damaged) {
            int at = from.position() + (int) (page.offset() - offset);
            ByteBuffer again = from.slice(at, page.length());
            all = all.thenCompose(_ -> writePages(page.offset(), again, correction + 1));
        }
        return all;
    }

    private static ByteBuf units(long offset, ByteBuffer from) {
        int bytes = PageLayout.wireBytes(offset, from.remaining());
        ByteBuf units = PooledByteBufAllocator.DEFAULT.directBuffer(Math.max(1, bytes));
        var crc = new CRC32C();
        int page = PageLayout.bytesToPageEnd(offset);
        while (from.hasRemaining()) {
            ByteBuffer data = from.slice(from.position(), Math.min(page, from.remaining()));
            crc.reset();
            crc.update(data);
            units.writeInt((int) crc.getValue()).writeBytes(data.flip());
            from.position(from.position() + data.limit());
            page = PageLayout.PAGE_BYTES;
        }
        return units;
    }

    public CompletionStage<Void> sync() {
        return send(new XrootdRequest.Sync(opened.handle()), null);
    }

    public CompletionStage<Void> truncate(long sizeBytes) {
        return send(new XrootdRequest.Truncate(opened.handle(), sizeBytes, ""), null);
    }

    public CompletionStage<StatText> stat() {
        return connection
                .send(new XrootdRequest.Stat(0, opened.handle(), ""))
                .thenApply(response -> {
                    byte[] body = ClientConnection.ok(response).toArray();
                    String line = new String(body, StandardCharsets.UTF_8);
                    return StatText.parse(line.replace("\0", ""))
                            .orElseThrow(() -> RemoteErrors.unexpected(response));
                });
    }

    /** For a writer this is the commit: after a success the file is visible. */
    public CompletionStage<Void> close() {
        return send(new XrootdRequest.Close(opened.handle()), null);
    }

    private CompletionStage<Void> send(XrootdRequest request, @Nullable ByteBuf data) {
        return connection
                .send(request, data, null, connection.deadline())
                .thenApply(response -> {
                    ClientConnection.ok(response);
                    return null;
                });
    }
}
