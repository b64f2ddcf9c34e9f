package org.cepheus.protocol.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/** What every request must keep to, whatever its method (RFC 9110, RFC 9112). */
final class RequestRules {
    private RequestRules() {}

    /**
     * Checks one head.
     *
     * @throws FsException InvalidArgument or Unsupported
     */
    static void check(HttpRequest request) {
        HttpHeaders headers = request.headers();
        boolean modern = request.protocolVersion().equals(HttpVersion.HTTP_1_1);
        if (!modern && !request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
            throw refused(
                    "HTTP/1.0 and HTTP/1.1 are spoken here, not " + request.protocolVersion());
        }
        int hosts = headers.getAll(HttpHeaderNames.HOST).size();
        if (hosts > 1 || (modern && hosts == 0)) {
            throw refused("an HTTP/1.1 request needs exactly one Host header, has " + hosts);
        }
        List<String> encodings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (!encodings.isEmpty()) {
            if (encodings.size() > 1
                    || !HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(encodings.getFirst())) {
                throw new FsException(
                        new FsError.Unsupported(
                                "only the transfer encoding chunked is known, not " + encodings));
            }
            if (!modern || headers.contains(HttpHeaderNames.CONTENT_LENGTH)) {
                // Two readers could see two different ends of this body (RFC 9112 section 6.1).
                throw refused("a chunked body needs HTTP/1.1 and no Content-Length");
            }
        }
    }

    private static FsException refused(String why) {
        return new FsException(new FsError.InvalidArgument(why));
    }
}
