package org.cepheus.protocol.xrootd;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.cepheus.domain.port.DataFile;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;

/** Answers read, pgread and readv of the open files of one session. Owned by the event loop. */
final class DataReads {
    private final HandleTable handles;
    private final ReadPump pump;
    private final Substreams streams;

    /**
     * @param pump of the session's first connection
     */
    DataReads(HandleTable handles, ReadPump pump, Substreams streams) {
        this.handles = handles;
        this.pump = pump;
        this.streams = streams;
    }

    void read(Exchange exchange, OpenFile file, XrootdRequest.Read request) {
        int length = upToEnd(file.file(), request.offset(), request.length());
        serveRead(
                exchange,
                request.pathId(),
                List.of(file),
                on ->
                        ReadShapes.plain(
                                exchange.streamId(),
                                file.file(),
                                request.offset(),
                                length,
                                on.socket()));
    }

    void pageRead(Exchange exchange, OpenFile file, XrootdRequest.PageRead request) {
        int length = upToEnd(file.file(), request.offset(), request.length());
        serveRead(
                exchange,
                request.pathId(),
                List.of(file),
                _ -> ReadShapes.pages(exchange.streamId(), file.file(), request.offset(), length));
    }

    private static int upToEnd(DataFile file, long offset, int length) {
        return (int) Math.max(0, Math.min(length, file.sizeBytes() - offset));
    }

    void readMany(Exchange exchange, XrootdRequest.ReadMany request) {
        var files = new ArrayList<OpenFile>();
        var ranges = new ArrayList<ReadShapes.Range>(request.segments().size());
        for (XrootdRequest.ReadMany.Segment segment : request.segments()) {
            Optional<OpenFile> file = handles.find(segment.handle());
            if (file.isEmpty()) {
                DataRequests.notOpen(exchange, segment.handle());
                return;
            }
            if (!files.contains(file.get())) {
                files.add(file.get());
            }
            ranges.add(
                    new ReadShapes.Range(
                            segment.handle(),
                            file.get().file(),
                            segment.offset(),
                            segment.length()));
        }
        exchange.concerns(files.getFirst().file().ticket(), Exchange.Told.FORBIDDEN);
        serveRead(
                exchange,
                request.pathId(),
                files,
                _ -> ReadShapes.ranges(exchange.streamId(), ranges));
    }

    private void serveRead(
            Exchange exchange,
            int pathId,
            List<OpenFile> files,
            Function<ReadPump, ServedRead.Shape> shape) {
        ReadPump on = pump;
        if (pathId != 0) {
            Substream stream = streams.get(pathId);
            exchange.answerOn(stream);
            on = stream.pump();
        }
        files.forEach(OpenFile::enter);
        on.add(new ServedRead(exchange, on, shape.apply(on), () -> files.forEach(OpenFile::leave)));
    }
}
