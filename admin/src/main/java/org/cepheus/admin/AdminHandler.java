package org.cepheus.admin;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.cepheus.domain.Caller;
import org.cepheus.domain.ErrorKind;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Identity;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.port.Audit;
import org.cepheus.runtime.HealthRegistry;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The protocol edge: who may ask, how much may be sent, and every failure as problem+json. */
final class AdminHandler extends Handler.Abstract {
    /** The most bytes of a request's body. */
    static final int MAX_BODY_BYTES = 64 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(AdminHandler.class);
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final AdminServer.Watched watched;
    private final Optional<AdminServer.Operated> operated;
    private final AdminServer.Books books;
    private final RandomGenerator traces;

    AdminHandler(
            AdminServer.Watched watched,
            Optional<AdminServer.Operated> operated,
            AdminServer.Books books,
            RandomGenerator traces) {
        this.watched = watched;
        this.operated = operated;
        this.books = books;
        this.traces = traces;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        long begin = System.nanoTime();
        var trace = new TraceId(traces.nextLong());
        Answer answer = answer(request, trace);
        String result = answer.status() < 400 ? "ok" : Integer.toString(answer.status());
        books.metrics().operation("admin", request.getMethod(), result, System.nanoTime() - begin);
        send(answer, trace, response, callback);
        return true;
    }

    private Answer answer(Request request, TraceId trace) {
        try {
            return route(request, trace);
        } catch (Refusal e) {
            return refused(request, trace, e);
        } catch (FsException e) {
            return refused(request, trace, unnamed(request, e.error()));
        } catch (EventRoutes.Gone e) {
            return e.problem().answer(trace);
        } catch (IOException e) {
            LOG.atInfo()
                    .addKeyValue("trace", trace)
                    .log("the client's request ended early: {}", e.getMessage());
            return Problem.of(400, "InvalidArgument", "the request ended early", "send it again")
                    .answer(trace);
        } catch (RuntimeException e) {
            LOG.atError()
                    .addKeyValue("trace", trace)
                    .setCause(e)
                    .log("{} {} failed", request.getMethod(), request.getHttpURI());
            return Problem.of(new FsError.Internal("an unexpected failure"), "").answer(trace);
        }
    }

    private Answer refused(Request request, TraceId trace, Refusal refusal) {
        tell(request, trace, refusal);
        return Problem.of(refusal.error(), request.getHttpURI().getPathQuery()).answer(trace);
    }

    private void tell(Request request, TraceId trace, Refusal refusal) {
        boolean changes = !isLooking(request.getMethod());
        if (Audit.isToldOf(refusal.error(), changes)) {
            Identity who =
                    operated.filter(_ -> hasToken(request))
                            .map(each -> each.api().operator())
                            .orElse(Identity.NOBODY);
            books.audit()
                    .refused(
                            new Caller(who, Request.getRemoteAddr(request), trace),
                            refusal.operation(),
                            refusal.object(),
                            refusal.error());
        }
    }

    private static boolean isLooking(String method) {
        return method.equals("GET") || method.equals("HEAD");
    }

    /** By its path alone: a query may hold what belongs in no file. */
    private static Refusal unnamed(Request request, FsError error) {
        return new Refusal(request.getMethod(), Request.getPathInContext(request), error);
    }

    private Answer route(Request request, TraceId trace) throws IOException {
        String path = Request.getPathInContext(request);
        String method = request.getMethod();
        return switch (path) {
            case "/health" -> onlyGet(method, trace, this::health);
            case "/metrics" ->
                    isLoopback(request) || hasToken(request)
                            ? onlyGet(method, trace, this::metricsText)
                            : unauthorized(request, trace);
            default ->
                    hasToken(request)
                            ? operate(request, method, path, trace)
                            : unauthorized(request, trace);
        };
    }

    private static Answer onlyGet(String method, TraceId trace, Supplier<Answer> answer) {
        return method.equals("GET") ? answer.get() : wrongMethod("GET").answer(trace);
    }

    private Answer metricsText() {
        return Answer.text(PROMETHEUS, watched.prometheusText().get());
    }

    private Answer health() {
        HealthRegistry.Report report = watched.health().report();
        int status =
                switch (report.worst()) {
                    case OK, WARN -> 200;
                    case ERROR -> 503;
                };
        return Answer.json(status, Documents.health(report));
    }

    private Answer operate(Request request, String method, String path, TraceId trace)
            throws IOException {
        if (operated.isEmpty() || operated.get().api().methodsOf(path).isEmpty()) {
            return Problem.of(404, "NotFound", "there is no " + path, "see openapi.yaml")
                    .answer(trace);
        }
        RestApi api = operated.get().api();
        byte[] body = Content.Source.asInputStream(request).readNBytes(MAX_BODY_BYTES + 1);
        if (body.length > MAX_BODY_BYTES) {
            return tooLarge(request, trace);
        }
        var caller = new Caller(api.operator(), Request.getRemoteAddr(request), trace);
        return api.answer(
                        method,
                        path,
                        new Route.Request(
                                query(request),
                                new String(body, StandardCharsets.UTF_8),
                                caller,
                                name -> Optional.ofNullable(request.getHeaders().get(name))))
                .orElseGet(() -> wrongMethod(String.join(", ", api.methodsOf(path))).answer(trace));
    }

    private static Query query(Request request) {
        var values = new HashMap<String, List<String>>();
        try {
            Request.extractQueryParameters(request)
                    .forEach(field -> values.put(field.getName(), field.getValues()));
        } catch (IllegalArgumentException e) {
            throw new FsException(
                    new FsError.InvalidArgument("the query is not encoded as UTF-8 in %XX"));
        }
        return new Query(values);
    }

    private boolean hasToken(Request request) {
        String authorization = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        return authorization != null
                && operated.map(AdminServer.Operated::token)
                        .map(token -> token.isIn(authorization))
                        .orElse(false);
    }

    private static boolean isLoopback(Request request) {
        return request.getConnectionMetaData().getRemoteSocketAddress()
                        instanceof InetSocketAddress from
                && from.getAddress() != null
                && from.getAddress().isLoopbackAddress();
    }

    private Answer unauthorized(Request request, TraceId trace) {
        var error = new FsError.PermissionDenied("the admin token is missing or wrong");
        tell(request, trace, unnamed(request, error));
        return new Problem(
                        401,
                        ErrorKind.of(error).word(),
                        error.message(),
                        "send 'Authorization: Bearer TOKEN' with the token from the server's token file",
                        Map.of("WWW-Authenticate", "Bearer realm=\"cepheus admin\""))
                .answer(trace);
    }

    private static Problem wrongMethod(String allowed) {
        return new Problem(
                405,
                "Unsupported",
                "this method is not for this path",
                "use " + allowed,
                Map.of("Allow", allowed));
    }

    private Answer tooLarge(Request request, TraceId trace) {
        var error =
                new FsError.TooLong(
                        "the body is longer than the limit of %d bytes".formatted(MAX_BODY_BYTES));
        tell(request, trace, unnamed(request, error));
        return new Problem(
                        413,
                        ErrorKind.of(error).word(),
                        error.message(),
                        "send less",
                        Map.of("Connection", "close"))
                .answer(trace);
    }

    private static void send(Answer answer, TraceId trace, Response response, Callback callback) {
        response.setStatus(answer.status());
        answer.headers().forEach(response.getHeaders()::put);
        response.getHeaders().put("X-Trace-Id", trace.toString());
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        if (!answer.type().isEmpty()) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.type());
        }
        if (answer.stream().isPresent()) {
            stream(answer.stream().get(), response, callback);
            return;
        }
        byte[] bytes = answer.bytes();
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
        response.write(true, ByteBuffer.wrap(bytes), callback);
    }

    // A client that has gone is how most streams end.
    private static void stream(Answer.Writer writer, Response response, Callback callback) {
        try (OutputStream out = Content.Sink.asOutputStream(response)) {
            writer.writeTo(out);
        } catch (IOException e) {
            callback.failed(e);
            return;
        }
        callback.succeeded();
    }
}
