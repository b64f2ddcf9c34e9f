package org.cepheus.protocol.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.Optional;
import java.util.function.Consumer;
import org.cepheus.domain.FsError;
import org.cepheus.domain.port.Grant;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.OpenRequest;

/** HTTP at an MGM: the namespace is answered here, bytes by redirect to an FST. */
final class ManagerEndpoint implements Endpoint {
    private final NamespaceService namespace;
    private final NamespaceMethods methods;

    ManagerEndpoint(NamespaceService namespace) {
        this.namespace = namespace;
        this.methods = new NamespaceMethods(namespace);
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
            case HEAD, DELETE, MKCOL, MOVE, PROPFIND, OPTIONS, REFUSED, UNKNOWN ->
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

    /** The leader answers the same request; it must know which host a Destination may name. */
    @Override
    public Optional<String> elsewhere(Exchange exchange, FsError error) {
        if (!(error instanceof FsError.NotLeader(var leader)) || leader.isEmpty()) {
            return Optional.empty();
        }
        String query = exchange.target().rawQuery();
        String host = PercentCoding.encode(exchange.header(HttpHeaderNames.HOST));
        String via =
                exchange.verb() == Verb.MOVE
                        ? (query.isEmpty() ? "" : "&") + RequestTarget.VIA + "=" + host
                        : "";
        return Optional.of(
                RequestTarget.url(
                        leader.get().host(),
                        leader.get().httpPort(),
                        exchange.target().path(),
                        query + via));
    }
}
