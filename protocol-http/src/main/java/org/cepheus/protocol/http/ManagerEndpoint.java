package org.cepheus.protocol.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.port.Grant;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.OpenRequest;

/** HTTP at an MGM: the namespace is answered here, bytes by redirect to an FST. */
final class ManagerEndpoint implements Endpoint {
    private final NamespaceService namespace;
    private final Supplier<Optional<FstAddress>> door;
    private final NamespaceMethods methods;

    ManagerEndpoint(HttpRole.Manager manager) {
        this.namespace = manager.namespace();
        this.door = manager.door();
        this.methods = new NamespaceMethods(new Changes(namespace));
    }

    @Override
    public void handle(Exchange exchange) {
        switch (exchange.verb()) {
            case GET -> read(exchange);
            case PUT -> {
                if (!WriteRequest.isRefused(exchange, true)) {
                    methods.ifWanted(
                            exchange,
                            () -> redirect(exchange, WriteRequest.of(exchange), exchange::fail));
                }
            }
            case HEAD -> methods.head(exchange, () -> read(exchange));
            case COPY -> methods.ifWanted(exchange, () -> sendToDoor(exchange));
            case DELETE, MKCOL, MOVE, PROPFIND, PROPPATCH, OPTIONS, REFUSED, UNKNOWN ->
                    methods.handle(exchange);
        }
    }

    private void read(Exchange exchange) {
        redirect(
                exchange,
                OpenRequest.reading(exchange.target().path()),
                error -> {
                    if (error instanceof FsError.IsDirectory) {
                        methods.listing(exchange);
                    } else {
                        exchange.fail(error);
                    }
                });
    }

    /** Bytes are copied by an FST: its door does what this MGM would only decide. */
    private void sendToDoor(Exchange exchange) {
        exchange.when(
                exchange.held(() -> namespace.stat(exchange.caller(), exchange.target().path())),
                _ ->
                        door.get()
                                .ifPresentOrElse(
                                        fst ->
                                                exchange.redirect(
                                                        sameRequestAt(
                                                                fst.host(),
                                                                fst.httpPort(),
                                                                exchange)),
                                        () ->
                                                exchange.fail(
                                                        new FsError.Unavailable(
                                                                "no FST is connected that could copy",
                                                                5))));
    }

    private void redirect(Exchange exchange, OpenRequest request, Consumer<FsError> failed) {
        exchange.when(
                exchange.held(() -> namespace.open(exchange.caller(), request)),
                grant -> {
                    exchange.allowed();
                    exchange.redirect(url(exchange, grant));
                },
                failed);
    }

    /** A mark of an FST that sent the client here goes along: it ends circles there. */
    private static String url(Exchange exchange, Grant grant) {
        RequestTarget target = exchange.target();
        String mark =
                target.query(RequestTarget.RETRY)
                        .filter(text -> text.length() <= 16)
                        .map(text -> "&" + RequestTarget.RETRY + "=" + PercentCoding.encode(text))
                        .orElse("");
        return RequestTarget.url(
                grant.fst().host(),
                grant.fst().httpPort(),
                target.path(),
                RequestTarget.TICKET + "=" + grant.sealedTicket() + mark);
    }

    /** The leader answers the same request. */
    @Override
    public Optional<String> elsewhere(Exchange exchange, FsError error) {
        if (!(error instanceof FsError.NotLeader(var leader)) || leader.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(sameRequestAt(leader.get().host(), leader.get().httpPort(), exchange));
    }

    /** The other server must know which host a Destination may name. */
    private static String sameRequestAt(String host, int port, Exchange exchange) {
        String query = exchange.target().rawQuery();
        boolean hasDestination = exchange.verb() == Verb.MOVE || exchange.verb() == Verb.COPY;
        if (hasDestination && exchange.target().query(RequestTarget.VIA).isEmpty()) {
            query +=
                    (query.isEmpty() ? "" : "&")
                            + RequestTarget.VIA
                            + "="
                            + PercentCoding.encode(exchange.header(HttpHeaderNames.HOST));
        }
        return RequestTarget.url(host, port, exchange.target().path(), query);
    }
}
