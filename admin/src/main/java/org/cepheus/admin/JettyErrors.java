package org.cepheus.admin;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.cepheus.domain.ErrorKind;
import org.cepheus.domain.TraceId;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * What Jetty itself refuses, such as an URL that may mean two things, in the form of the others.
 */
final class JettyErrors extends ErrorHandler {
    private final RandomGenerator traces;

    JettyErrors(RandomGenerator traces) {
        this.traces = traces;
        setShowStacks(false);
        setShowCauses(false);
    }

    @Override
    public boolean errorPageForMethod(String method) {
        return true;
    }

    @Override
    protected void generateResponse(
            Request request,
            Response response,
            int status,
            @Nullable String message,
            @Nullable Throwable cause,
            Callback callback) {
        var trace = new TraceId(traces.nextLong());
        Answer answer = problem(status, message).answer(trace);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.type());
        response.getHeaders().put("X-Trace-Id", trace.toString());
        response.write(true, ByteBuffer.wrap(answer.bytes()), callback);
    }

    private static Problem problem(int status, @Nullable String message) {
        ErrorKind kind =
                switch (status) {
                    case 413, 414, 431 -> ErrorKind.TOO_LONG;
                    case 503 -> ErrorKind.OVERLOADED;
                    default -> status < 500 ? ErrorKind.INVALID_ARGUMENT : ErrorKind.INTERNAL;
                };
        String said = message == null || message.isBlank() ? kind.meaning() : message;
        return new Problem(status, kind.word(), said, kind.advice(), Map.of());
    }
}
