package org.cepheus.protocol.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.port.DataFile;
import org.cepheus.domain.port.OpenRequest;

/**
 * HTTP at an FST. A request with a ticket is served from local data, and nothing else in it says
 * who asks. Without one this is a door: the FST opens the file at the MGM itself.
 */
final class DataEndpoint implements Endpoint {
    /** A client that was sent back so short ago came straight back: that is a circle. */
    private static final long CIRCLE_SECONDS = 60;

    private final HttpRole.DataServer server;
    private final NamespaceMethods methods;
    private final CopyMethod copies;
    private final InstantSource clock;

    DataEndpoint(HttpRole.DataServer server, InstantSource clock) {
        this.server = server;
        var changes = new Changes(server.namespace());
        this.methods = new NamespaceMethods(changes);
        this.copies =
                new CopyMethod(
                        changes,
                        new FileCopy.Place(server.namespace(), server.data(), server.fstId()));
        this.clock = clock;
    }

    @Override
    public void handle(Exchange exchange) {
        switch (exchange.verb()) {
            case GET, HEAD -> read(exchange);
            case PUT -> {
                if (!WriteRequest.isRefused(exchange, false)) {
                    write(exchange);
                }
            }
            case COPY -> methods.ifWanted(exchange, () -> copies.handle(exchange));
            case DELETE, MKCOL, MOVE, PROPFIND, PROPPATCH, OPTIONS, REFUSED, UNKNOWN ->
                    methods.handle(exchange);
        }
    }

    /** A door answers whatever it can itself. */
    @Override
    public Optional<String> elsewhere(Exchange exchange, FsError error) {
        return Optional.empty();
    }

    // ---- reading

    private void read(Exchange exchange) {
        Optional<String> ticket = exchange.target().query(RequestTarget.TICKET);
        if (ticket.isPresent()) {
            openTicket(exchange, ticket.get(), false);
        } else if (exchange.verb() == Verb.HEAD) {
            methods.head(exchange, () -> readThroughDoor(exchange));
        } else {
            readThroughDoor(exchange);
        }
    }

    private void readThroughDoor(Exchange exchange) {
        var request = OpenRequest.reading(exchange.target().path()).at(server.fstId());
        exchange.when(
                exchange.held(() -> server.namespace().open(exchange.caller(), request)),
                grant ->
                        exchange.when(
                                server.data().open(grant.sealedTicket()),
                                file -> {
                                    exchange.allowed();
                                    serveWithDigest(exchange, file, grant.status());
                                }),
                error -> {
                    if (error instanceof FsError.IsDirectory) {
                        methods.listing(exchange);
                    } else {
                        exchange.fail(error);
                    }
                });
    }

    /**
     * Checksums are not in the ticket: the namespace is asked for them, if it is the same content.
     */
    private void serveWithDigest(Exchange exchange, DataFile file) {
        Ticket ticket = file.ticket();
        exchange.when(
                server.namespace().stat(ticket.caller(), ticket.path()),
                status ->
                        serveWithDigest(
                                exchange, file, Optional.of(status).filter(s -> isOf(s, ticket))),
                _ -> serve(exchange, file, List.of()));
    }

    /** A digest that is asked for and not known is taken by reading the file first. */
    private void serveWithDigest(Exchange exchange, DataFile file, Optional<FileStatus> status) {
        if (!Digests.areWanted(exchange.headers())
                || status.filter(s -> !s.underUpdate()).isEmpty()) {
            serve(exchange, file, List.of());
            return;
        }
        List<Checksum> known = status.get().checksums();
        Set<ChecksumType> missing = Digests.missing(exchange.headers(), known);
        if (missing.isEmpty()) {
            serve(exchange, file, known);
            return;
        }
        exchange.when(
                file.checksums(missing),
                taken -> {
                    var all = new ArrayList<>(known);
                    all.addAll(taken);
                    serve(exchange, file, all);
                },
                error -> {
                    file.close();
                    exchange.fail(error);
                });
    }

    private static boolean isOf(FileStatus status, Ticket ticket) {
        return status.inode() == ticket.inode()
                && status.contentVersion() == ticket.contentVersion();
    }

    private void serve(Exchange exchange, DataFile file, List<Checksum> checksums) {
        Ticket ticket = file.ticket();
        long size = file.sizeBytes();
        String tag = Entities.tag(ticket);
        var headers = new DefaultHttpHeaders();
        Entities.describe(tag, ticket.modified(), headers);
        Digests.add(exchange.headers(), checksums, headers);
        Preconditions.Verdict verdict =
                Preconditions.of(exchange.headers(), true, tag, ticket.modified());
        if (verdict != Preconditions.Verdict.GO_ON) {
            file.close();
            Preconditions.answer(exchange, verdict, headers);
            return;
        }
        try {
            Optional<RangeSet> ranges = wantedParts(exchange, tag, ticket.modified(), size);
            BodyParts body =
                    ranges.isPresent()
                            ? BodyParts.of(ranges.get(), size, boundary(exchange), headers)
                            : BodyParts.one(new ByteRange(0, size));
            if (ranges.isPresent()) {
                Digests.removeOfContent(headers);
            }
            headers.set(HttpHeaderNames.CONTENT_LENGTH, body.lengthBytes());
            exchange.begin(
                    ranges.isPresent() ? HttpResponseStatus.PARTIAL_CONTENT : HttpResponseStatus.OK,
                    headers);
            Download.send(exchange, file, exchange.verb() == Verb.GET ? body : BodyParts.none());
        } catch (RangeSet.Unsatisfiable e) {
            file.close();
            headers.set(HttpHeaderNames.CONTENT_RANGE, "bytes */" + size);
            headers.remove(HttpHeaderNames.CONTENT_TYPE);
            exchange.answer(
                    HttpResponseStatus.REQUESTED_RANGE_NOT_SATISFIABLE,
                    headers,
                    e.getMessage() + "\n");
        }
    }

    /** Nobody who wrote the file could know it. */
    private static String boundary(Exchange exchange) {
        return "part-" + exchange.caller().trace();
    }

    /** Ranges are for GET alone (RFC 9110 section 14.2), but curl -I and davix ask HEAD too. */
    private static Optional<RangeSet> wantedParts(
            Exchange exchange, String tag, Instant modified, long size)
            throws RangeSet.Unsatisfiable {
        String header = exchange.header(HttpHeaderNames.RANGE);
        return header.isEmpty() || !Preconditions.allowRange(exchange.headers(), tag, modified)
                ? Optional.empty()
                : RangeSet.parse(header, size);
    }

    // ---- writing

    private void write(Exchange exchange) {
        List<Checksum> expected = Digests.declared(exchange.headers());
        Optional<String> ticket = exchange.target().query(RequestTarget.TICKET);
        if (ticket.isPresent()) {
            openTicket(exchange, ticket.get(), true);
            return;
        }
        methods.ifWanted(exchange, () -> writeThroughDoor(exchange, expected));
    }

    private void writeThroughDoor(Exchange exchange, List<Checksum> expected) {
        OpenRequest request = WriteRequest.of(exchange).at(server.fstId());
        exchange.when(
                exchange.held(() -> server.namespace().open(exchange.caller(), request)),
                grant ->
                        exchange.when(
                                server.data().open(grant.sealedTicket()),
                                file -> Upload.receive(exchange, file, expected)));
    }

    // ---- tickets

    private void openTicket(Exchange exchange, String sealed, boolean writing) {
        exchange.when(
                server.data().open(sealed),
                file -> {
                    exchange.actFor(file.ticket().caller());
                    serveTicket(exchange, file, writing);
                },
                error -> {
                    if (isStale(error)) {
                        sendBack(exchange, error);
                    } else {
                        exchange.fail(error);
                    }
                });
    }

    private void serveTicket(Exchange exchange, DataFile file, boolean writing) {
        Ticket ticket = file.ticket();
        if (ticket.isForWriting() != writing || !ticket.path().equals(exchange.target().path())) {
            // Clients keep redirects and use them for what they were not made for.
            file.close();
            sendBack(
                    exchange,
                    new FsError.TicketInvalid(
                            "this ticket is for %s %s; ask the MGM for the right one"
                                    .formatted(
                                            ticket.isForWriting() ? "writing" : "reading",
                                            ticket.path())));
        } else if (writing) {
            Upload.receive(exchange, file, Digests.declared(exchange.headers()));
        } else if (Digests.areWanted(exchange.headers())) {
            serveWithDigest(exchange, file);
        } else {
            serve(exchange, file, List.of());
        }
    }

    /** The content was replaced, the upload is over, or the ticket is too old. */
    private static boolean isStale(FsError error) {
        return error instanceof FsError.TicketExpired
                || error instanceof FsError.NotFound
                || error instanceof FsError.LeaseGone;
    }

    /**
     * Back to the MGM for a fresh ticket, by a URL that is never the one the client came with:
     * davix crashes on that.
     */
    private void sendBack(Exchange exchange, FsError error) {
        long now = clock.instant().getEpochSecond();
        Optional<MgmAddress> manager = server.manager().get();
        if (manager.isEmpty() || cameBackAtOnce(exchange, now)) {
            exchange.fail(error);
            return;
        }
        exchange.redirect(
                RequestTarget.url(
                        manager.get().host(),
                        manager.get().httpPort(),
                        exchange.target().path(),
                        RequestTarget.RETRY + "=" + Long.toHexString(now)));
    }

    private static boolean cameBackAtOnce(Exchange exchange, long now) {
        Optional<String> mark = exchange.target().query(RequestTarget.RETRY);
        try {
            return mark.isPresent()
                    && Math.abs(now - Long.parseLong(mark.get(), 16)) < CIRCLE_SECONDS;
        } catch (NumberFormatException e) {
            throw new FsException(
                    new FsError.InvalidArgument(
                            "the word %s of the URL is no number".formatted(RequestTarget.RETRY)));
        }
    }
}
