package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Identity;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.port.Authenticator;
import org.cepheus.domain.port.DataFile;
import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.cepheus.protocol.xrootd.wire.PageLayout;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.StatText;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;

/**
 * What a data server does with requests: opens what a ticket allows, moves the bytes of open files,
 * and sends everything about names to the manager.
 */
final class DataRequests implements RoleRequests {
    /** Server, and pgread and pgwrite are served. */
    private static final int FLAGS = 0x1 | 0x20_0000;

    private static final int NO_MANAGER_WAIT_SECONDS = 2;

    private final XrootdRole.DataServer role;
    private final XrootdConnection connection;
    private final HandleTable handles = new HandleTable();
    private final ReadPump reads;
    private final Map<String, Deque<Runnable>> opensByTicket = new HashMap<>();
    private int opening;

    DataRequests(XrootdRole.DataServer role, XrootdConnection connection) {
        this.role = role;
        this.connection = connection;
        this.reads = new ReadPump(connection);
    }

    @Override
    public int protocolFlags() {
        return FLAGS;
    }

    @Override
    public int handshakeType() {
        return 1;
    }

    /** The ticket is the authority. */
    @Override
    public String securityOffer() {
        return "";
    }

    @Override
    public Identity authenticate(Authenticator.Credential credential, boolean loopback) {
        return Identity.NOBODY;
    }

    @Override
    public void endSession() {
        reads.close();
        handles.removeAll().forEach(OpenFile::release);
    }

    @Override
    public void serve(Exchange exchange, XrootdRequest request) {
        switch (request) {
            case XrootdRequest.Open r -> open(exchange, r);
            case XrootdRequest.Read r ->
                    withFile(exchange, r.handle(), file -> read(exchange, file, r));
            case XrootdRequest.PageRead r ->
                    withFile(exchange, r.handle(), file -> pageRead(exchange, file, r));
            case XrootdRequest.ReadMany r -> readMany(exchange, r);
            case XrootdRequest.Sync r ->
                    withFile(exchange, r.handle(), file -> sync(exchange, file));
            case XrootdRequest.Close r ->
                    withFile(exchange, r.handle(), file -> close(exchange, file));
            case XrootdRequest.Stat r when r.target().isEmpty() ->
                    withFile(exchange, r.handle(), file -> stat(exchange, file));
            case XrootdRequest.Truncate r when r.target().isEmpty() ->
                    withFile(exchange, r.handle(), file -> truncate(exchange, file, r.size()));
            case XrootdRequest.Query r -> query(exchange, r);
            case XrootdRequest.SetInfo _, XrootdRequest.Ping _ -> exchange.ok();
            case XrootdRequest.Stat _,
                    XrootdRequest.StatMany _,
                    XrootdRequest.Locate _,
                    XrootdRequest.DirList _,
                    XrootdRequest.MakeDirectory _,
                    XrootdRequest.Remove _,
                    XrootdRequest.RemoveDirectory _,
                    XrootdRequest.Move _,
                    XrootdRequest.Chmod _,
                    XrootdRequest.Truncate _,
                    XrootdRequest.Prepare _ ->
                    toManager(exchange);
            case XrootdRequest.NotServed _ ->
                    exchange.fail(
                            new FsError.Unsupported("this kind of request is not served here"));
            case XrootdRequest.Write _,
                    XrootdRequest.PageWrite _,
                    XrootdRequest.Login _,
                    XrootdRequest.Auth _,
                    XrootdRequest.Bind _,
                    XrootdRequest.Protocol _,
                    XrootdRequest.EndSession _,
                    XrootdRequest.Unknown _ ->
                    exchange.fail(
                            ErrorCode.INVALID_REQUEST,
                            request.operation() + " does not belong after the login");
        }
    }

    /** Names are the manager's business. */
    private void toManager(Exchange exchange) {
        role.manager()
                .get()
                .ifPresentOrElse(
                        at -> exchange.redirect(at.host(), at.xrootdPort(), ""),
                        () ->
                                exchange.await(
                                        NO_MANAGER_WAIT_SECONDS,
                                        "this FST does not know yet where its MGM is"));
    }

    private void withFile(Exchange exchange, int handle, Consumer<OpenFile> action) {
        Optional<OpenFile> file = handles.find(handle);
        if (file.isEmpty()) {
            notOpen(exchange, handle);
            return;
        }
        exchange.onBehalfOf(file.get().file().ticket().caller());
        action.accept(file.get());
    }

    private static void notOpen(Exchange exchange, int handle) {
        exchange.fail(
                ErrorCode.FILE_NOT_OPEN,
                "handle %08x is not open in this session".formatted(handle));
    }

    // ---- Open and close

    private void open(Exchange exchange, XrootdRequest.Open request) {
        RequestTarget target = RequestTarget.parse(request.target());
        exchange.concerns(target.path().value(), false);
        Optional<String> ticket = target.ticket();
        if (ticket.isEmpty()) {
            toManager(exchange);
            return;
        }
        handles.checkRoom(opening);
        opening++;
        Runnable start = () -> open(exchange, request, ticket.get());
        Deque<Runnable> before = opensByTicket.get(ticket.get());
        if (before == null) {
            opensByTicket.put(ticket.get(), new ArrayDeque<>());
            start.run();
        } else {
            before.add(start);
        }
    }

    /**
     * After a lost connection XrdCl sends one open for each write that was under way, and uses the
     * handles of all: they have to be one upload, not each a takeover of the one before.
     */
    private void open(Exchange exchange, XrootdRequest.Open request, String sealedTicket) {
        Optional<OpenFile> mine = handles.upload(sealedTicket);
        if (mine.isPresent()) {
            opened(exchange, request, mine.get());
            openEnded(sealedTicket);
            return;
        }
        exchange.whenDone(
                () -> role.data().open(sealedTicket),
                file -> {
                    opened(exchange, request, new OpenFile(sealedTicket, file));
                    openEnded(sealedTicket);
                },
                error -> {
                    if (error instanceof FsError.TicketExpired) {
                        toManager(exchange);
                    } else {
                        exchange.fail(error);
                    }
                    openEnded(sealedTicket);
                });
    }

    private void openEnded(String sealedTicket) {
        opening--;
        Deque<Runnable> others = opensByTicket.getOrDefault(sealedTicket, new ArrayDeque<>());
        Runnable next = others.poll();
        if (next == null) {
            opensByTicket.remove(sealedTicket);
        } else {
            next.run();
        }
    }

    private void opened(Exchange exchange, XrootdRequest.Open request, OpenFile open) {
        DataFile file = open.file();
        exchange.onBehalfOf(file.ticket().caller());
        exchange.concerns(file.ticket().path().value(), true);
        if (!connection.isAlive()) {
            open.release();
            exchange.fail(new FsError.IoFailure("the connection was lost during open"));
            return;
        }
        int handle = handles.add(open);
        Optional<StatText> stat =
                request.has(XrootdRequest.Open.RETURN_STAT)
                        ? Optional.of(statText(file))
                        : Optional.empty();
        ByteBuf body = exchange.begin(120);
        ResponseCodec.encode(
                new XrootdResponse.Opened(handle, stat), request.wantsCompression(), body);
        exchange.ok(body);
    }

    /** What a handle shows: the ticket knows the name's part, the file its size now. */
    private static StatText statText(DataFile file) {
        Ticket ticket = file.ticket();
        long modified = ticket.modified().getEpochSecond();
        int flags = StatText.READABLE | (ticket.isForWriting() ? StatText.WRITABLE : 0);
        return new StatText(
                ticket.inode(),
                file.sizeBytes(),
                flags,
                modified,
                modified,
                modified,
                ticket.isForWriting() ? 0644 : 0444,
                ticket.caller().identity().user(),
                ticket.caller().identity().primaryGroup());
    }

    /** Waits for what is running on the handle; the end of a writer is its commit. */
    private void close(Exchange exchange, OpenFile file) {
        exchange.concerns(file.file().ticket().path().value(), file.isForWriting());
        exchange.mayBeLate();
        file.closeAfterRunning(() -> {
            if (file.isForWriting()) {
                commit(exchange, file);
            } else {
                handles.remove(file);
                file.file().close();
                exchange.ok();
            }
        });
    }

    private void commit(Exchange exchange, OpenFile file) {
        exchange.whenDone(
                () -> file.file().commit(List.of()),
                _ -> {
                    handles.remove(file);
                    exchange.ok();
                },
                error -> {
                    if (error instanceof FsError.Unavailable
                            || error instanceof FsError.Overloaded) {
                        file.keepOpen(); // The client repeats the close of the same handle.
                    } else {
                        handles.remove(file);
                    }
                    exchange.fail(error);
                });
    }

    private static void sync(Exchange exchange, OpenFile file) {
        inFile(exchange, file, file.file()::sync);
    }

    private static void truncate(Exchange exchange, OpenFile file, long size) {
        inFile(exchange, file, () -> file.file().truncate(size));
    }

    private static void inFile(
            Exchange exchange, OpenFile file, Supplier<CompletionStage<Void>> call) {
        exchange.mayBeLate();
        file.enter();
        exchange.whenDone(
                call,
                _ -> {
                    exchange.ok();
                    file.leave();
                },
                error -> {
                    exchange.fail(error);
                    file.leave();
                });
    }

    private static void stat(Exchange exchange, OpenFile file) {
        ByteBuf body = exchange.begin(120);
        statText(file.file()).write(body);
        exchange.ok(body.writeByte(0));
    }

    // ---- Read

    private void read(Exchange exchange, OpenFile file, XrootdRequest.Read request) {
        int length = upToEnd(file.file(), request.offset(), request.length());
        serveRead(
                exchange,
                List.of(file),
                ReadShapes.plain(exchange.streamId(), file.file(), request.offset(), length));
    }

    private void pageRead(Exchange exchange, OpenFile file, XrootdRequest.PageRead request) {
        int length = upToEnd(file.file(), request.offset(), request.length());
        serveRead(
                exchange,
                List.of(file),
                ReadShapes.pages(exchange.streamId(), file.file(), request.offset(), length));
    }

    private static int upToEnd(DataFile file, long offset, int length) {
        return (int) Math.max(0, Math.min(length, file.sizeBytes() - offset));
    }

    private void readMany(Exchange exchange, XrootdRequest.ReadMany request) {
        var files = new ArrayList<OpenFile>();
        var ranges = new ArrayList<ReadShapes.Range>(request.segments().size());
        for (XrootdRequest.ReadMany.Segment segment : request.segments()) {
            Optional<OpenFile> file = handles.find(segment.handle());
            if (file.isEmpty()) {
                notOpen(exchange, segment.handle());
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
        reads.add(new ServedRead(exchange, reads, shape, () -> files.forEach(OpenFile::leave)));
    }

    // ---- Write

    @Override
    public BulkSink bulk(Exchange exchange, XrootdRequest request) {
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
            return BulkSink.dropping(() -> notOpen(exchange, handle));
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

    // ---- Query

    /** About this server it answers itself; checksums and space belong to names. */
    private void query(Exchange exchange, XrootdRequest.Query request) {
        if (request.type() == XrootdRequest.Query.CONFIG) {
            String text =
                    ConfigAnswers.answer(
                            connection.context().config(), "server", request.argument());
            ByteBuf body = exchange.begin(text.length() + 1);
            body.writeCharSequence(text, StandardCharsets.UTF_8);
            exchange.ok(body.writeByte(0));
        } else if (!request.argument().isEmpty()) {
            toManager(exchange);
        } else {
            throw new FsException(
                    new FsError.Unsupported(
                            "query type %d of an open file is not served"
                                    .formatted(request.type())));
        }
    }
}
