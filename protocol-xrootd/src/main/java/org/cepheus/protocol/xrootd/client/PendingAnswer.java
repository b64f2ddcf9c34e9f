package org.cepheus.protocol.xrootd.client;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;
import org.jspecify.annotations.Nullable;

/**
 * A request that was sent, and what has come of its answer. Owned by the connection's event loop.
 */
final class PendingAnswer {
    private final CompletableFuture<XrootdResponse> result = new CompletableFuture<>();
    private final long deadlineNanos;
    private final @Nullable ByteBuffer into;
    private @Nullable ByteArrayOutputStream parts;

    /**
     * @param into takes file data from its position on; null for requests that bring none
     */
    PendingAnswer(long deadlineNanos, @Nullable ByteBuffer into) {
        this.deadlineNanos = deadlineNanos;
        this.into = into;
    }

    CompletableFuture<XrootdResponse> result() {
        return result;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    /** Where file data goes, if this request brings any. */
    @Nullable ByteBuffer into() {
        return into;
    }

    void add(Bytes part) {
        if (parts == null) {
            parts = new ByteArrayOutputStream();
        }
        if (parts.size() + part.size() > ResponseCodec.MAX_BODY_BYTES) {
            throw new FsException(
                    new FsError.TooLong(
                            "answer of more than %d bytes"
                                    .formatted(ResponseCodec.MAX_BODY_BYTES)));
        }
        parts.writeBytes(part.toArray());
    }

    void complete(XrootdResponse last) {
        if (parts != null && last instanceof XrootdResponse.Ok(Bytes body)) {
            add(body);
            result.complete(new XrootdResponse.Ok(Bytes.copyOf(parts.toByteArray())));
        } else {
            result.complete(last);
        }
    }

    void fail(FsError error) {
        result.completeExceptionally(new FsException(error));
    }
}
