package org.cepheus.protocol.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import org.cepheus.domain.FsError;

/** Takes the body of one request as it arrives, on the event loop. */
interface BodyReader {
    /** Some bytes; the reader owns the buffer now. */
    void content(ByteBuf bytes);

    /**
     * All has arrived.
     *
     * @param trailers the fields that came behind a chunked body; empty for most
     */
    void end(HttpHeaders trailers);

    /** The rest will never arrive: the connection is lost or the encoding is broken. */
    void broken(FsError error);
}
