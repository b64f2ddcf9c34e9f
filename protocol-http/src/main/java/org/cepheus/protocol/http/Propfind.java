package org.cepheus.protocol.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Map;
import java.util.Optional;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.port.SpaceReport;

/** PROPFIND of depth 0 and 1 (RFC 4918 section 9.1). */
final class Propfind {
    private final Changes changes;

    Propfind(Changes changes) {
        this.changes = changes;
    }

    void handle(Exchange exchange) {
        String depth = exchange.header("Depth").strip();
        if (!depth.equals("0") && !depth.equals("1")) {
            refuseDepth(exchange);
            return;
        }
        SmallBody.read(
                exchange,
                XmlBody.MAX_BYTES,
                body -> ask(exchange, PropertyRequest.parse(body), depth.equals("1")));
    }

    private static void refuseDepth(Exchange exchange) {
        String text =
                """
                <?xml version="1.0" encoding="utf-8"?>
                <D:error xmlns:D="DAV:"><D:propfind-finite-depth/></D:error>
                """;
        exchange.answer(HttpResponseStatus.FORBIDDEN, headers(), text);
    }

    private void ask(Exchange exchange, PropertyRequest request, boolean entriesToo) {
        FsPath path = exchange.target().path();
        exchange.when(
                changes.stat(exchange, path),
                status -> {
                    if (PropertyAnswer.needsSpace(request)) {
                        exchange.when(
                                changes.space(exchange, path),
                                space ->
                                        askAttributes(
                                                exchange,
                                                request,
                                                entriesToo,
                                                status,
                                                Optional.of(space)));
                    } else {
                        askAttributes(exchange, request, entriesToo, status, Optional.empty());
                    }
                });
    }

    private void askAttributes(
            Exchange exchange,
            PropertyRequest request,
            boolean entriesToo,
            FileStatus status,
            Optional<SpaceReport> space) {
        FsPath path = exchange.target().path();
        if (PropertyAnswer.needsAttributes(request) && status.mayHaveAttributes()) {
            exchange.when(
                    changes.attributes(exchange, path),
                    attributes ->
                            answer(
                                    exchange,
                                    request,
                                    entriesToo,
                                    new PropertyAnswer.Of(status, attributes, space)));
        } else {
            Map<String, Bytes> none = Map.of();
            answer(exchange, request, entriesToo, new PropertyAnswer.Of(status, none, space));
        }
    }

    private void answer(
            Exchange exchange,
            PropertyRequest request,
            boolean entriesToo,
            PropertyAnswer.Of self) {
        FsPath path = exchange.target().path();
        var format = new PropertyAnswer(path, self, request);
        if (entriesToo && self.status().isDirectory()) {
            EntryStream.open(
                    exchange,
                    changes,
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
        return new DefaultHttpHeaders().set(HttpHeaderNames.CONTENT_TYPE, MultiStatus.TYPE);
    }
}
