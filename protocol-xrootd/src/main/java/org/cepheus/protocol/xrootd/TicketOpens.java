package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.port.DataFile;
import org.cepheus.domain.port.DataService;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.StatText;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;

/**
 * What a data server does for who has a ticket: opens a file, or cuts it without a handle. Whoever
 * has none is sent to the manager. Owned by the event loop.
 */
final class TicketOpens {
    private final DataService data;
    private final XrootdConnection connection;
    private final HandleTable handles;
    private final Consumer<Exchange> toManager;
    private final Map<String, Deque<Runnable>> opensByTicket = new HashMap<>();
    private int opening;

    TicketOpens(
            DataService data,
            XrootdConnection connection,
            HandleTable handles,
            Consumer<Exchange> toManager) {
        this.data = data;
        this.connection = connection;
        this.handles = handles;
        this.toManager = toManager;
    }

    void open(Exchange exchange, XrootdRequest.Open request) {
        RequestTarget target = RequestTarget.parse(request.target());
        exchange.concerns(target.path().value(), Exchange.Told.REFUSED);
        Optional<String> ticket = target.ticket();
        if (ticket.isEmpty()) {
            toManager.accept(exchange);
            return;
        }
        handles.checkRoom(opening);
        opening++;
        Runnable start = () -> open(exchange, request, target.path(), ticket.get());
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
    private void open(
            Exchange exchange, XrootdRequest.Open request, FsPath path, String sealedTicket) {
        Optional<OpenFile> mine = handles.upload(sealedTicket);
        if (mine.filter(open -> isFor(open.file(), path)).isPresent()) {
            opened(exchange, request, mine.get());
            openEnded(sealedTicket);
            return;
        }
        exchange.whenDone(
                () -> data.open(sealedTicket),
                file -> {
                    if (isFor(file, path)) {
                        boolean appends = request.has(XrootdRequest.Open.APPEND);
                        opened(exchange, request, new OpenFile(sealedTicket, file, appends));
                    } else {
                        foreign(exchange, file, path);
                    }
                    openEnded(sealedTicket);
                },
                error -> {
                    refused(exchange, error);
                    openEnded(sealedTicket);
                });
    }

    private static boolean isFor(DataFile file, FsPath path) {
        return file.ticket().path().equals(path);
    }

    /** Redirects are kept by clients, and used for what they were not made for. */
    private static void foreign(Exchange exchange, DataFile file, FsPath path) {
        file.close();
        exchange.fail(
                new FsError.TicketInvalid(
                        "the ticket is for %s, not for %s; open that at the MGM"
                                .formatted(file.ticket().path(), path)));
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
        exchange.concerns(file.ticket(), Exchange.Told.ALL);
        if (!connection.isAlive()) {
            open.release();
            exchange.fail(new FsError.IoFailure("the connection was lost during open"));
            return;
        }
        int handle = handles.add(open);
        Optional<StatText> stat =
                request.wantsStat() ? Optional.of(DataRequests.statText(file)) : Optional.empty();
        ByteBuf body = exchange.begin(120);
        ResponseCodec.encode(
                new XrootdResponse.Opened(handle, stat), request.wantsCompression(), body);
        exchange.ok(body);
    }

    private void refused(Exchange exchange, FsError error) {
        if (error instanceof FsError.TicketExpired) {
            toManager.accept(exchange);
        } else {
            exchange.fail(error);
        }
    }

    /** Opens, cuts and commits in one. */
    void truncate(Exchange exchange, XrootdRequest.Truncate request) {
        RequestTarget target = RequestTarget.parse(request.target());
        exchange.concerns(target.path().value(), Exchange.Told.REFUSED);
        Optional<String> ticket = target.ticket();
        if (ticket.isEmpty()) {
            toManager.accept(exchange);
            return;
        }
        exchange.mayBeLate();
        exchange.whenDone(
                () -> data.open(ticket.get()),
                file -> {
                    if (isFor(file, target.path())) {
                        exchange.concerns(file.ticket(), Exchange.Told.ALL);
                        exchange.whenDone(() -> cut(file, request.size()), _ -> exchange.ok());
                    } else {
                        foreign(exchange, file, target.path());
                    }
                },
                error -> refused(exchange, error));
    }

    private static CompletionStage<FileStatus> cut(DataFile file, long size) {
        return file.truncate(size)
                .thenCompose(_ -> file.commit(List.of()))
                .whenComplete((_, failure) -> {
                    if (failure != null) {
                        giveUp(file, FsException.errorOf(failure));
                    }
                });
    }

    /** What may have happened the client will repeat with the same ticket. */
    private static void giveUp(DataFile file, FsError error) {
        if (error instanceof FsError.Unavailable || error instanceof FsError.Overloaded) {
            file.detach();
        } else {
            file.abort(error.message());
        }
    }
}
