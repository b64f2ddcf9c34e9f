package org.cepheus.protocol.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Optional;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.SpaceReport;

/** PROPFIND of depth 0 and 1 (RFC 4918 section 9.1). */
final class Propfind {
    private static final String XML = "application/xml; charset=utf-8";

    private final NamespaceService namespace;

    Propfind(NamespaceService namespace) {
        this.namespace = namespace;
    }

    void handle(Exchange exchange) {
        String depth = exchange.header("Depth").strip();
        if (!depth.equals("0") && !depth.equals("1")) {
            refuseDepth(exchange);
            return;
        }
        SmallBody.read(
                exchange,
                PropertyRequest.MAX_BODY_BYTES,
                body -> answer(exchange, PropertyRequest.parse(body), depth.equals("1")));
    }

    private static void refuseDepth(Exchange exchange) {
        String text =
                """
                <?xml version="1.0" encoding="utf-8"?>
                <D:error xmlns:D="DAV:"><D:propfind-finite-depth/></D:error>
                """;
        exchange.answer(
                HttpResponseStatus.FORBIDDEN,
                new DefaultHttpHeaders().set(HttpHeaderNames.CONTENT_TYPE, XML),
                text);
    }

    private void answer(Exchange exchange, PropertyRequest request, boolean entriesToo) {
        FsPath path = exchange.target().path();
        exchange.when(
                exchange.held(() -> namespace.stat(exchange.caller(), path)),
                status -> {
                    if (MultiStatus.asksForSpace(request)) {
                        exchange.when(
                                exchange.held(() -> namespace.space(exchange.caller(), path)),
                                space ->
                                        send(
                                                exchange,
                                                request,
                                                entriesToo,
                                                status,
                                                Optional.of(space)));
                    } else {
                        send(exchange, request, entriesToo, status, Optional.empty());
                    }
                });
    }

    private void send(
            Exchange exchange,
            PropertyRequest request,
            boolean entriesToo,
            FileStatus status,
            Optional<SpaceReport> space) {
        FsPath path = exchange.target().path();
        var format = new MultiStatus(path, status, request, space);
        if (entriesToo && status.isDirectory()) {
            EntryStream.open(
                    exchange,
                    namespace,
                    path,
                    entries -> {
                        exchange.beginStream(HttpResponseStatus.MULTI_STATUS, headers());
                        entries.send(format);
                    });
            return;
        }
        var text = new StringBuilder();
        format.begin(text);
        format.end(text);
        exchange.answer(HttpResponseStatus.MULTI_STATUS, headers(), text.toString());
    }

    private static HttpHeaders headers() {
        return new DefaultHttpHeaders().set(HttpHeaderNames.CONTENT_TYPE, XML);
    }
}
