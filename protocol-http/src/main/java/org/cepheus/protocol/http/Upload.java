package org.cepheus.protocol.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.port.DataFile;

/**
 * Receives the body of a PUT into a file. What arrives is handed to the file without copying, one
 * write at a time and the next one gathered meanwhile; the client is held back while too much is
 * unwritten. Ends in exactly one commit or abort. Confined to the event loop.
 */
final class Upload implements BodyReader {
    /** The client is held back above this, and let on again below the half. */
    private static final long MAX_UNWRITTEN_BYTES = 1024 * 1024;

    /** Less than this is not worth a write while more is coming. */
    private static final int LEAST_WRITE_BYTES = 256 * 1024;

    /** More pieces than this are copied together: they are the packets of a slow client. */
    private static final int MAX_PIECES = 32;

    private final Exchange exchange;
    private final DataFile file;
    private final List<Checksum> expected;
    private final ArrayDeque<ByteBuf> arrived = new ArrayDeque<>();
    private long arrivedBytes;
    private long writingBytes;
    private long offset;
    private boolean held;
    private boolean ended;
    private boolean stopped;

    private Upload(Exchange exchange, DataFile file, List<Checksum> expected) {
        this.exchange = exchange;
        this.file = file;
        this.expected = new ArrayList<>(expected);
    }

    /** Takes the body of the request into the file, then answers. */
    static void receive(Exchange exchange, DataFile file, List<Checksum> expected) {
        var upload = new Upload(exchange, file, expected);
        if (exchange.isOver()) {
            upload.stop("the connection was lost");
            return;
        }
        Set<ChecksumType> digests = Digests.ofUpload(exchange.headers(), expected);
        if (!digests.isEmpty()) {
            file.wantChecksums(digests);
        }
        exchange.when(file.lost(), _ -> {}, upload::failed);
        exchange.readBody(upload);
        exchange.letBodyCome();
    }

    @Override
    public void content(ByteBuf bytes) {
        if (stopped) {
            bytes.release();
            return;
        }
        arrived.add(bytes);
        arrivedBytes += bytes.readableBytes();
        if (arrived.size() > MAX_PIECES && writingBytes > 0) {
            mergePieces();
        }
        write();
        holdBack();
    }

    private void mergePieces() {
        ByteBuf merged = exchange.allocator().directBuffer((int) arrivedBytes);
        for (ByteBuf piece : arrived) {
            merged.writeBytes(piece);
            piece.release();
        }
        arrived.clear();
        arrived.add(merged);
    }

    /** What is declared behind the body counts as if it stood before it. */
    @Override
    public void end(HttpHeaders trailers) {
        ended = true;
        if (!stopped && !trailers.isEmpty()) {
            try {
                expected.addAll(Digests.declared(trailers));
            } catch (FsException e) {
                failed(e.error());
            }
        }
        write();
    }

    @Override
    public void broken(FsError error) {
        stop("%s after %d bytes".formatted(error.message(), offset + writingBytes + arrivedBytes));
    }

    private void holdBack() {
        long unwritten = arrivedBytes + writingBytes;
        boolean hold = unwritten > (held ? MAX_UNWRITTEN_BYTES / 2 : MAX_UNWRITTEN_BYTES);
        if (hold != held && !stopped) {
            held = hold;
            exchange.pauseBody(hold);
        }
    }

    private void write() {
        if (stopped || writingBytes > 0) {
            return;
        }
        if (arrivedBytes >= LEAST_WRITE_BYTES || (ended && arrivedBytes > 0)) {
            writeArrived();
        } else if (ended) {
            commit();
        }
    }

    private void writeArrived() {
        var pieces = new ArrayList<>(arrived);
        arrived.clear();
        writingBytes = arrivedBytes;
        arrivedBytes = 0;
        var views = new ByteBuffer[pieces.size()];
        for (int i = 0; i < views.length; i++) {
            views[i] = pieces.get(i).nioBuffer();
        }
        exchange.when(
                file.write(offset, views),
                _ -> {
                    pieces.forEach(ByteBuf::release);
                    written();
                },
                error -> {
                    pieces.forEach(ByteBuf::release);
                    failed(error);
                });
    }

    private void written() {
        exchange.countBytes(true, writingBytes);
        offset += writingBytes;
        writingBytes = 0;
        holdBack();
        write();
    }

    private void failed(FsError error) {
        if (!stopped) {
            stop(error.message());
            exchange.fail(error);
        }
    }

    private void stop(String reason) {
        if (stopped) {
            return;
        }
        stopped = true;
        arrived.forEach(ByteBuf::release);
        arrived.clear();
        arrivedBytes = 0;
        exchange.when(file.abort(reason), _ -> {}, _ -> {});
    }

    /** From here on the client's leaving changes nothing any more. */
    private void commit() {
        stopped = true;
        exchange.when(
                file.commit(
                        List.copyOf(expected), Preconditions.versionToReplace(exchange.headers())),
                this::answer);
    }

    private void answer(FileStatus status) {
        exchange.allowed();
        var headers = new DefaultHttpHeaders();
        Entities.addTag(status, headers);
        Digests.add(exchange.headers(), status.checksums(), headers);
        exchange.answer(
                isNew(status) ? HttpResponseStatus.CREATED : HttpResponseStatus.NO_CONTENT,
                headers,
                "");
    }

    /** Whoever replaces a content leaves the time at which the file was made. */
    private static boolean isNew(FileStatus status) {
        return status.born().equals(status.changed());
    }
}
