package org.cepheus.protocol.xrootd;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cepheus.domain.port.DataFile;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;

/** Answers read, pgread and readv of the open files of one session. Owned by the event loop. */
final class DataReads {
    private final HandleTable handles;
    private final ReadPump pump;

    DataReads(HandleTable handles, ReadPump pump) {
        this.handles = handles;
        this.pump = pump;
    }

    void read(Exchange exchange, OpenFile file, XrootdRequest.Read request) {
        int length = upToEnd(file.file(), request.offset(), request.length());
        serveRead(
                exchange,
                List.of(file),
                ReadShapes.plain(exchange.streamId(), file.file(), request.offset(), length));
    }

    void pageRead(Exchange exchange, OpenFile file, XrootdRequest.PageRead request) {
        int length = upToEnd(file.file(), request.offset(), request.length());
        serveRead(
                exchange,
                List.of(file),
                ReadShapes.pages(exchange.streamId(), file.file(), request.offset(), length));
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
        exchange.onBehalfOf(files.getFirst().file().ticket().caller());
        serveRead(exchange, files, ReadShapes.ranges(exchange.streamId(), ranges));
    }

    private void serveRead(Exchange exchange, List<OpenFile> files, ServedRead.Shape shape) {
        files.forEach(OpenFile::enter);
        pump.add(new ServedRead(exchange, pump, shape, () -> files.forEach(OpenFile::leave)));
    }
}
