package org.cepheus.protocol.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import org.cepheus.domain.FsError;

/** Collects a request body that has to be small. */
final class SmallBody implements BodyReader {
    private static final int CONTENT_TOO_LARGE = 413;

    private final Exchange exchange;
    private final int maxBytes;
    private final Consumer<byte[]> taker;
    private final ByteArrayOutputStream collected = new ByteArrayOutputStream(512);
    private boolean refused;

    private SmallBody(Exchange exchange, int maxBytes, Consumer<byte[]> taker) {
        this.exchange = exchange;
        this.maxBytes = maxBytes;
        this.taker = taker;
    }

    /** Calls the taker with the whole body (empty if there is none), or answers 413. */
    static void read(Exchange exchange, int maxBytes, Consumer<byte[]> taker) {
        if (!exchange.hasBody()) {
            taker.accept(new byte[0]);
            return;
        }
        exchange.readBody(new SmallBody(exchange, maxBytes, taker));
        exchange.letBodyCome();
    }

    @Override
    public void content(ByteBuf bytes) {
        int count = bytes.readableBytes();
        if (!refused && collected.size() + count > maxBytes) {
            refused = true;
            exchange.fail(
                    new FsError.TooLong(
                            "the body of this request may have %d bytes".formatted(maxBytes)),
                    CONTENT_TOO_LARGE);
        }
        if (!refused) {
            byte[] part = new byte[count];
            bytes.readBytes(part);
            collected.writeBytes(part);
        }
        bytes.release();
    }

    @Override
    public void end(HttpHeaders trailers) {
        if (!refused) {
            taker.accept(collected.toByteArray());
        }
    }

    @Override
    public void broken(FsError error) {
        refused = true;
    }
}
