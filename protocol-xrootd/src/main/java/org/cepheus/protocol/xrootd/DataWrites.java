package org.cepheus.protocol.xrootd;

import java.util.Optional;
import java.util.function.Function;
import org.cepheus.domain.FsError;
import org.cepheus.protocol.xrootd.wire.PageLayout;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;

/** Takes the data of write, pgwrite and writev into the open files of one session. */
final class DataWrites {
    private final XrootdConnection connection;
    private final HandleTable handles;

    DataWrites(XrootdConnection connection, HandleTable handles) {
        this.connection = connection;
        this.handles = handles;
    }

    /** Where the data behind the request goes. */
    BulkSink sink(Exchange exchange, XrootdRequest request) {
        if (request instanceof XrootdRequest.Write r) {
            return sinkFor(exchange, r.handle(), file -> write(exchange, file, r));
        }
        if (request instanceof XrootdRequest.PageWrite r) {
            return sinkFor(exchange, r.handle(), file -> pageWrite(exchange, file, r));
        }
        throw new IllegalStateException(request.operation() + " has no bulk data");
    }

    private BulkSink sinkFor(Exchange exchange, int handle, Function<OpenFile, BulkSink> sink) {
        Optional<OpenFile> file = handles.find(handle);
        if (file.isEmpty()) {
            return BulkSink.dropping(() -> DataRequests.notOpen(exchange, handle));
        }
        exchange.onBehalfOf(file.get().file().ticket().caller());
        if (!file.get().isForWriting()) {
            return BulkSink.dropping(() ->
                    exchange.fail(new FsError.PermissionDenied("the file is open for reading")));
        }
        return sink.apply(file.get());
    }

    private BulkSink write(Exchange exchange, OpenFile file, XrootdRequest.Write request) {
        return new WriteSink(
                connection,
                file,
                request.offset(),
                failure -> {
                    if (failure != null) {
                        exchange.fail(failure);
                    } else {
                        countReceived(request.length());
                        exchange.ok();
                    }
                });
    }

    private BulkSink pageWrite(Exchange exchange, OpenFile file, XrootdRequest.PageWrite request) {
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
                connection,
                file,
                request.offset(),
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

    private void countReceived(long bytes) {
        connection.context().metrics().bytes("xrootd", true, bytes);
    }
}
