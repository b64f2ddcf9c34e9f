package org.cepheus.protocol.xrootd;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.protocol.xrootd.wire.PageLayout;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;

/** Takes the data of write, pgwrite and writev into the open files of one session. */
final class DataWrites {
    private final XrootdConnection connection;
    private final HandleTable handles;
    private final Substreams streams;

    DataWrites(XrootdConnection connection, HandleTable handles, Substreams streams) {
        this.connection = connection;
        this.handles = handles;
        this.streams = streams;
    }

    /** Where the data behind the request goes; elsewhere if it comes on another stream. */
    BulkSink sink(Exchange exchange, XrootdRequest request) {
        if (request instanceof XrootdRequest.Write r) {
            return r.pathId() == 0
                    ? write(exchange, connection, r)
                    : onStream(
                            exchange, r.pathId(), r.length(), source -> write(exchange, source, r));
        }
        if (request instanceof XrootdRequest.PageWrite r) {
            return r.pathId() == 0
                    ? pageWrite(exchange, connection, r)
                    : onStream(
                            exchange,
                            r.pathId(),
                            r.length(),
                            source -> pageWrite(exchange, source, r));
        }
        if (request instanceof XrootdRequest.WriteMany r) {
            return writeMany(exchange, r);
        }
        throw new IllegalStateException(request.operation() + " has no bulk data");
    }

    private BulkSink onStream(
            Exchange exchange, int pathId, long length, Function<XrootdConnection, BulkSink> sink) {
        try {
            Substream stream = streams.get(pathId);
            exchange.answerOn(stream);
            stream.expect(sink.apply(stream.connection()), length);
        } catch (FsException e) {
            exchange.fail(e.error());
        }
        return BulkSink.ELSEWHERE;
    }

    private BulkSink write(
            Exchange exchange, XrootdConnection source, XrootdRequest.Write request) {
        return sinkFor(exchange, request.handle(), file -> write(exchange, source, file, request));
    }

    private BulkSink pageWrite(
            Exchange exchange, XrootdConnection source, XrootdRequest.PageWrite request) {
        return sinkFor(
                exchange, request.handle(), file -> pageWrite(exchange, source, file, request));
    }

    private BulkSink sinkFor(Exchange exchange, int handle, Function<OpenFile, BulkSink> sink) {
        Optional<OpenFile> file = handles.find(handle);
        if (file.isEmpty()) {
            return BulkSink.dropping(() -> DataRequests.notOpen(exchange, handle));
        }
        exchange.concerns(file.get().file().ticket(), Exchange.Told.REFUSED);
        if (!file.get().isForWriting()) {
            return BulkSink.dropping(() -> exchange.fail(readOnly()));
        }
        return sink.apply(file.get());
    }

    private static FsError readOnly() {
        return new FsError.PermissionDenied("the file is open for reading");
    }

    private BulkSink write(
            Exchange exchange,
            XrootdConnection source,
            OpenFile file,
            XrootdRequest.Write request) {
        return new WriteSink(
                source,
                file,
                file.placeOf(request.offset(), request.length()),
                failure -> {
                    if (failure != null) {
                        exchange.fail(failure);
                    } else {
                        countReceived(request.length());
                        exchange.ok();
                    }
                });
    }

    private BulkSink pageWrite(
            Exchange exchange,
            XrootdConnection source,
            OpenFile file,
            XrootdRequest.PageWrite request) {
        int dataBytes = PageLayout.dataBytes(request.offset(), request.length());
        boolean crossesPage = dataBytes > PageLayout.bytesToPageEnd(request.offset());
        if (dataBytes < 0 || (request.isRetry() && crossesPage)) {
            return BulkSink.dropping(() ->
                    exchange.fail(
                            new FsError.InvalidArgument(
                                    "pgwrite of %d bytes at %d does not consist of pages"
                                            .formatted(request.length(), request.offset()))));
        }
        return new PageWriteSink(
                source,
                file,
                request.offset(),
                request.isRetry()
                        ? file.placeOfDamaged(request.offset())
                        : file.placeOf(request.offset(), dataBytes),
                dataBytes,
                request.isRetry(),
                (failure, damaged) -> {
                    if (failure != null) {
                        exchange.fail(failure);
                    } else {
                        countReceived(dataBytes);
                        exchange.answer(new XrootdResponse.PagesWritten(request.offset(), damaged));
                    }
                });
    }

    private BulkSink writeMany(Exchange exchange, XrootdRequest.WriteMany request) {
        var segments = new ArrayList<WriteManySink.Segment>(request.segments().size());
        for (XrootdRequest.ReadMany.Segment segment : request.segments()) {
            Optional<OpenFile> file = handles.find(segment.handle());
            if (file.isEmpty()) {
                return BulkSink.dropping(() -> DataRequests.notOpen(exchange, segment.handle()));
            }
            if (!file.get().isForWriting()) {
                return BulkSink.dropping(() -> exchange.fail(readOnly()));
            }
            long place = file.get().placeOf(segment.offset(), segment.length());
            segments.add(new WriteManySink.Segment(file.get(), place, segment.length()));
        }
        exchange.concerns(segments.getFirst().file().file().ticket(), Exchange.Told.REFUSED);
        return new WriteManySink(
                connection,
                segments,
                failure -> {
                    if (failure != null) {
                        exchange.fail(failure);
                    } else {
                        countReceived(request.totalBytes());
                        sync(exchange, request.withSync() ? files(segments) : List.of());
                    }
                });
    }

    private static List<OpenFile> files(List<WriteManySink.Segment> segments) {
        return segments.stream().map(WriteManySink.Segment::file).distinct().toList();
    }

    /** One file after the other; then the answer. */
    private static void sync(Exchange exchange, List<OpenFile> files) {
        if (files.isEmpty()) {
            exchange.ok();
            return;
        }
        OpenFile file = files.getFirst();
        file.enter();
        exchange.whenDone(
                file.file()::sync,
                _ -> {
                    sync(exchange, files.subList(1, files.size()));
                    file.leave();
                },
                error -> {
                    exchange.fail(error);
                    file.leave();
                });
    }

    private void countReceived(long bytes) {
        connection.context().metrics().bytes("xrootd", true, bytes);
    }
}
