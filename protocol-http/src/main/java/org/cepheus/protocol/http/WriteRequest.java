package org.cepheus.protocol.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.OptionalLong;
import org.cepheus.domain.FsError;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.port.OpenRequest;

/** What a PUT asks of the namespace. */
final class WriteRequest {
    private static final int FILE_MODE = 0644;
    private static final int LENGTH_REQUIRED = 411;

    private WriteRequest() {}

    /** Answers a PUT that cannot be taken as it was sent. True if it did. */
    static boolean isRefused(Exchange exchange, boolean redirecting) {
        if (exchange.headers().contains(HttpHeaderNames.CONTENT_RANGE)) {
            exchange.fail(
                    new FsError.InvalidArgument(
                            "parts of a file cannot be replaced by PUT; send it whole without Content-Range"));
            return true;
        }
        if (exchange.isChunked() && redirecting && !exchange.expectsContinue()) {
            // Some clients follow a redirect with an empty body then, and store an empty file.
            exchange.fail(
                    new FsError.InvalidArgument(
                            "this server redirects uploads: send a Content-Length or 'Expect: 100-continue', or use the URL of an FST, which takes chunked bodies directly"),
                    LENGTH_REQUIRED);
            return true;
        }
        if (!exchange.isChunked() && exchange.declaredBytes() < 0) {
            exchange.fail(
                    new FsError.InvalidArgument(
                            "an upload needs a Content-Length or 'Transfer-Encoding: chunked'"),
                    LENGTH_REQUIRED);
            return true;
        }
        return false;
    }

    static OpenRequest of(Exchange exchange) {
        boolean onlyNew = exchange.header(HttpHeaderNames.IF_NONE_MATCH).strip().equals("*");
        long declared = exchange.declaredBytes();
        return OpenRequest.writing(
                exchange.target().path(),
                onlyNew ? LeaseCommand.Intent.NEW : LeaseCommand.Intent.REPLACE,
                FILE_MODE,
                exchange.isChunked() ? OptionalLong.empty() : OptionalLong.of(declared));
    }
}
