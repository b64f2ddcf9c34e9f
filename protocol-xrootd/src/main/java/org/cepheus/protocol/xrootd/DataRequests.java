package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.cepheus.domain.FsError;
import org.cepheus.domain.Identity;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.port.Authenticator;
import org.cepheus.domain.port.DataFile;
import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.cepheus.protocol.xrootd.wire.StatText;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;

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
    private final Substreams streams = new Substreams();
    private final ReadPump pump;
    private final TicketOpens opens;
    private final DataReads reads;
    private final DataWrites writes;

    DataRequests(XrootdRole.DataServer role, XrootdConnection connection) {
        this.role = role;
        this.connection = connection;
        this.pump = new ReadPump(connection);
        this.opens = new TicketOpens(role.data(), connection, handles, this::toManager);
        this.reads = new DataReads(handles, pump, streams);
        this.writes = new DataWrites(connection, handles, streams);
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
        pump.close();
        streams.closeAll();
        handles.removeAll().forEach(OpenFile::release);
    }

    @Override
    public Substream bind(XrootdConnection stream) {
        return streams.bind(stream, connection);
    }

    @Override
    public void serve(Exchange exchange, XrootdRequest request) {
        switch (request) {
            case XrootdRequest.Open r -> opens.open(exchange, r);
            case XrootdRequest.Read r ->
                    withFile(exchange, r.handle(), file -> reads.read(exchange, file, r));
            case XrootdRequest.PageRead r ->
                    withFile(exchange, r.handle(), file -> reads.pageRead(exchange, file, r));
            case XrootdRequest.ReadMany r -> reads.readMany(exchange, r);
            case XrootdRequest.Sync r ->
                    withFile(exchange, r.handle(), file -> sync(exchange, file));
            case XrootdRequest.Close r ->
                    withFile(exchange, r.handle(), file -> close(exchange, file));
            case XrootdRequest.Stat r when r.target().isEmpty() ->
                    withFile(exchange, r.handle(), file -> stat(exchange, file));
            case XrootdRequest.Truncate r when r.target().isEmpty() ->
                    withFile(exchange, r.handle(), file -> truncate(exchange, file, r.size()));
            case XrootdRequest.Truncate r -> opens.truncate(exchange, r);
            case XrootdRequest.Attributes r when r.target().isEmpty() ->
                    withFile(exchange, r.handle(), file -> attributes(exchange, file, r));
            case XrootdRequest.Query r -> query(exchange, r);
            case XrootdRequest.SetInfo r -> connection.notes().take(exchange, r.text());
            case XrootdRequest.Ping _ -> exchange.ok();
            case XrootdRequest.Stat _,
                    XrootdRequest.StatMany _,
                    XrootdRequest.Locate _,
                    XrootdRequest.DirList _,
                    XrootdRequest.MakeDirectory _,
                    XrootdRequest.Remove _,
                    XrootdRequest.RemoveDirectory _,
                    XrootdRequest.Move _,
                    XrootdRequest.Chmod _,
                    XrootdRequest.Attributes _,
                    XrootdRequest.Prepare _ ->
                    toManager(exchange);
            case XrootdRequest.NotServed r -> exchange.fail(new FsError.Unsupported(r.reason()));
            case XrootdRequest.Write _,
                    XrootdRequest.PageWrite _,
                    XrootdRequest.WriteMany _,
                    XrootdRequest.Signature _,
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
        exchange.concerns(file.get().file().ticket(), Exchange.Told.FORBIDDEN);
        action.accept(file.get());
    }

    static void notOpen(Exchange exchange, int handle) {
        exchange.fail(
                ErrorCode.FILE_NOT_OPEN,
                "handle %08x is not open in this session".formatted(handle));
    }

    // ---- Open files

    /** What a handle shows: the ticket knows the name's part, the file its size now. */
    static StatText statText(DataFile file) {
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
        if (file.isForWriting()) {
            exchange.concerns(file.file().ticket(), Exchange.Told.ALL);
        }
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
                () -> file.commit(role.namespace()).thenApply(_ -> file),
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
        if (file.isForWriting()) {
            exchange.concerns(file.file().ticket(), Exchange.Told.REFUSED);
        }
        inFile(exchange, file, file.file()::sync);
    }

    private static void truncate(Exchange exchange, OpenFile file, long size) {
        exchange.concerns(file.file().ticket(), Exchange.Told.REFUSED);
        file.cutAt(size);
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

    // ---- Write

    @Override
    public BulkSink bulk(Exchange exchange, XrootdRequest request) {
        return writes.sink(exchange, request);
    }

    // ---- Query

    /** About this server it answers itself; checksums and space belong to names. */
    private void query(Exchange exchange, XrootdRequest.Query request) {
        ServerContext context = connection.context();
        switch (request.type()) {
            case XrootdRequest.Query.CONFIG ->
                    exchange.bareText(
                            ConfigAnswers.answer(context.config(), true, request.argument()));
            case XrootdRequest.Query.STATS ->
                    exchange.bareText(ConfigAnswers.statistics(context, connection.notes()));
            case XrootdRequest.Query.FILE_INFO -> information(exchange, request);
            case XrootdRequest.Query.CHECKSUM,
                    XrootdRequest.Query.ATTRIBUTES,
                    XrootdRequest.Query.SPACE,
                    XrootdRequest.Query.FILESYSTEM_INFO,
                    XrootdRequest.Query.PREPARE,
                    XrootdRequest.Query.CHECKSUM_CANCEL ->
                    toManager(exchange);
            default -> exchange.fail(ConfigAnswers.notServed(request.type()));
        }
    }

    /** The name's part is the namespace's to tell; it is asked on behalf of who has the ticket. */
    private void information(Exchange exchange, XrootdRequest.Query request) {
        if (!request.argument().isEmpty()) {
            toManager(exchange);
            return;
        }
        withFile(
                exchange,
                request.handle(),
                file ->
                        exchange.whenDone(
                                () ->
                                        role.namespace()
                                                .stat(
                                                        exchange.caller(),
                                                        file.file().ticket().path()),
                                status -> exchange.text(NamespaceQueries.attributesText(status))));
    }

    private void attributes(Exchange exchange, OpenFile file, XrootdRequest.Attributes request) {
        AttributeStore store =
                file.isNewContent()
                        ? file.waitingAttributes()
                        : AttributeStore.of(role.namespace(), file.file().ticket().path());
        AttributeRequests.serve(store, exchange, request);
    }
}
