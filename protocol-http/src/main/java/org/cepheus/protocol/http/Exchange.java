package org.cepheus.protocol.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.unix.UnixChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.cepheus.domain.Caller;
import org.cepheus.domain.ErrorKind;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.TraceId;
import org.cepheus.protocol.socket.PipedRegion;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its answer. Confined to the event loop of its connection; {@link #when} brings
 * results from other threads back to it.
 */
final class Exchange {
    private static final Logger log = LoggerFactory.getLogger(Exchange.class);
    private static final HttpResponseStatus FOLLOW = HttpResponseStatus.TEMPORARY_REDIRECT;

    private final HttpConnection connection;
    private final ChannelHandlerContext context;
    private final HttpRequest request;
    private final Verb verb;
    private final boolean hasBody;
    private final long declaredBytes;
    private final long startedNanos = System.nanoTime();
    private @Nullable RequestTarget target;
    private Caller caller;
    private @Nullable BodyReader body;
    private final ArrayDeque<ByteBuf> early = new ArrayDeque<>(2);
    private boolean received;
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private boolean continueSent;
    private boolean lastOfConnection;
    private boolean keepAlive;
    private boolean answering;
    private boolean over;
    private String result = "ok";

    Exchange(HttpConnection connection, HttpRequest request, TraceId trace) {
        this.connection = connection;
        this.context = connection.context();
        this.request = request;
        this.verb = Verb.of(request.method().name());
        this.declaredBytes = declaredBytes(request);
        this.hasBody = declaredBytes > 0 || HttpUtil.isTransferEncodingChunked(request);
        this.caller = new Caller(Caller.SYSTEM.identity(), connection.peer(), trace);
    }

    private static long declaredBytes(HttpRequest request) {
        try {
            return HttpUtil.getContentLength(request, -1L);
        } catch (NumberFormatException e) {
            return -1; // The decoder has refused this head, and the client is told so.
        }
    }

    // ---- what was asked

    Verb verb() {
        return verb;
    }

    HttpHeaders headers() {
        return request.headers();
    }

    String header(CharSequence name) {
        return request.headers().get(name, "");
    }

    RequestTarget target() {
        if (target == null) {
            throw new IllegalStateException("the target was not read yet");
        }
        return target;
    }

    /** Who asks. */
    Caller caller() {
        return caller;
    }

    /** Known as soon as it is known what is to be changed or opened. */
    boolean changesOrOpens() {
        return target != null
                && switch (verb) {
                    case GET, PUT, DELETE, MKCOL, COPY, MOVE, PROPPATCH -> true;
                    case HEAD, PROPFIND, OPTIONS, REFUSED, UNKNOWN -> false;
                };
    }

    /** At an FST the ticket says who asks, and under which trace id. */
    void actFor(Caller granted) {
        caller = granted;
    }

    boolean isChunked() {
        return HttpUtil.isTransferEncodingChunked(request);
    }

    /** The Content-Length, or -1. */
    long declaredBytes() {
        return declaredBytes;
    }

    boolean hasBody() {
        return hasBody;
    }

    /** True if the client waits before it sends the body. */
    boolean expectsContinue() {
        return HttpUtil.is100ContinueExpected(request);
    }

    // ---- running

    /** Reads target and identity, and lets the endpoint answer. */
    void run(Endpoint endpoint) {
        guarded(() -> {
            RequestRules.check(request);
            target =
                    request.uri().equals("*") && verb == Verb.OPTIONS
                            ? RequestTarget.ANY
                            : RequestTarget.parse(request.uri());
            caller = new Caller(connection.identify(), caller.address(), caller.trace());
            Optional<FsError> refusal = refusal();
            if (refusal.isPresent()) {
                fail(refusal.get());
            } else {
                endpoint.handle(this);
            }
        });
    }

    /** What would take memory that is not there: bytes both ways, and listings. */
    private Optional<FsError> refusal() {
        return switch (verb) {
            case GET, PUT, COPY, PROPFIND -> connection.admission().refusal();
            case HEAD, DELETE, MKCOL, MOVE, PROPPATCH, OPTIONS, REFUSED, UNKNOWN ->
                    Optional.empty();
        };
    }

    /** Continues on the event loop when the stage is complete, even if the client is gone. */
    <T> void when(CompletionStage<T> stage, Consumer<T> done, Consumer<FsError> failed) {
        stage.whenComplete((value, failure) ->
                onLoop(() -> {
                    if (failure == null) {
                        done.accept(value);
                    } else {
                        failed.accept(FsException.errorOf(failure));
                    }
                }));
    }

    /** The same, answering the error if it fails. */
    <T> void when(CompletionStage<T> stage, Consumer<T> done) {
        when(stage, done, this::fail);
    }

    /** A call to the namespace, repeated while there is no leader. */
    <T> CompletionStage<T> held(Supplier<CompletionStage<T>> call) {
        return connection.leaderWait(this).call(call);
    }

    /** Runs it on the event loop, now if this is it. */
    void onLoop(Runnable task) {
        if (context.executor().inEventLoop()) {
            guarded(task);
        } else {
            context.executor().execute(() -> guarded(task));
        }
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (FsException e) {
            fail(e.error());
        } catch (RuntimeException e) {
            log.atError()
                    .addKeyValue("trace", caller.trace())
                    .setCause(e)
                    .log("{} {} failed", verb, request.uri());
            fail(new FsError.Internal("the server failed on this request; its log has more"));
        }
    }

    // ---- the body of the request

    /** Says who takes the body. With {@code Expect} call {@link #letBodyCome} when it may come. */
    void readBody(BodyReader reader) {
        body = reader;
        connection.pause(false);
        while (!early.isEmpty()) {
            reader.content(early.poll());
        }
        if (received) {
            reader.end(trailers);
        }
    }

    /** Sends 100 if the client waits for it. */
    void letBodyCome() {
        connection.expectBody();
        if (!continueSent && !received && expectsContinue()) {
            continueSent = true;
            context.writeAndFlush(
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1,
                            HttpResponseStatus.CONTINUE,
                            Unpooled.EMPTY_BUFFER));
        }
    }

    /** Stops or goes on reading from the client. */
    void pauseBody(boolean pause) {
        connection.pause(pause);
    }

    /** What comes before somebody takes it waits here, and the rest of it in the socket. */
    void content(ByteBuf bytes) {
        BodyReader reader = body;
        if (reader != null) {
            guarded(() -> reader.content(bytes));
        } else if (over) {
            bytes.release();
        } else {
            early.add(bytes);
            connection.pause(true);
        }
    }

    /** All of the request has come, with the fields behind its body. */
    void received(HttpHeaders behindBody) {
        received = true;
        trailers = behindBody;
        BodyReader reader = body;
        if (reader != null) {
            guarded(() -> reader.end(behindBody));
        }
    }

    boolean isReceived() {
        return received;
    }

    /** True if the client need not wait for us before it sends more of the body. */
    boolean isBodyWelcome() {
        return continueSent || !expectsContinue();
    }

    /** What follows on this connection cannot be understood: it ends with the answer. */
    void endConnection() {
        lastOfConnection = true;
    }

    /** File bytes were taken or sent. */
    void countBytes(boolean taken, long bytes) {
        connection.bytes(taken, bytes);
    }

    /** Something was done that the audit wants to know. */
    void allowed() {
        connection.allowed(this);
    }

    ByteBufAllocator allocator() {
        return context.alloc();
    }

    /** The connection is gone, or what comes is no HTTP any more. */
    void broken(FsError error) {
        received = true;
        BodyReader reader = body;
        body = null;
        releaseEarly();
        if (reader != null) {
            guarded(() -> reader.broken(error));
        }
    }

    private void releaseEarly() {
        early.forEach(ByteBuf::release);
        early.clear();
    }

    // ---- the answer

    boolean isOver() {
        return over;
    }

    boolean isAnswering() {
        return answering;
    }

    /** The body may still be unread: then the connection ends with this answer. */
    private boolean mayReuse() {
        return !lastOfConnection && HttpUtil.isKeepAlive(request) && (received || !hasBody);
    }

    /** Begins an answer; the headers say how long its body is. */
    void begin(HttpResponseStatus status, HttpHeaders headers) {
        if (over || answering) {
            return;
        }
        answering = true;
        keepAlive = mayReuse();
        var response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status, headers);
        headers.set(HttpHeaderNames.DATE, connection.date());
        headers.set("X-Trace-Id", caller.trace().toString());
        HttpUtil.setKeepAlive(headers, request.protocolVersion(), keepAlive);
        context.write(response);
    }

    /** Begins an answer of unknown length. */
    void beginStream(HttpResponseStatus status, HttpHeaders headers) {
        if (request.protocolVersion().isKeepAliveDefault()) {
            headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
            begin(status, headers);
        } else {
            // HTTP/1.0: the end of the connection is the end of the answer.
            begin(status, headers);
            keepAlive = false;
        }
    }

    /** Sends a part of the answer's body; the buffer is the connection's now. */
    ChannelFuture send(ByteBuf bytes) {
        connection.sendingPart();
        return context.writeAndFlush(new DefaultHttpContent(bytes))
                .addListener(_ -> connection.sentPart());
    }

    /** The same with bytes that go from a pipe to {@link #socket}. */
    ChannelFuture send(PipedRegion bytes) {
        connection.sendingPart();
        return context.writeAndFlush(bytes).addListener(_ -> connection.sentPart());
    }

    /** Where bytes can go from a pipe; empty if they have to pass through here. */
    Optional<UnixChannel> socket() {
        return PipedRegion.socketOf(context.channel());
    }

    /** Ends the answer. */
    void end() {
        if (over) {
            return;
        }
        over = true;
        releaseEarly();
        connection.count(verb, result, System.nanoTime() - startedNanos);
        context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
                .addListener(_ -> connection.answered(this, keepAlive));
    }

    /** The answer cannot be finished: the client must notice that it is not whole. */
    void breakOff() {
        if (!over) {
            over = true;
            releaseEarly();
            connection.count(verb, "aborted", System.nanoTime() - startedNanos);
            context.close();
        }
    }

    /** A whole answer of text; none for HEAD. */
    void answer(HttpResponseStatus status, HttpHeaders headers, String text) {
        if (over || answering) {
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (!status.equals(HttpResponseStatus.NO_CONTENT)) {
            headers.set(HttpHeaderNames.CONTENT_LENGTH, bytes.length);
            if (bytes.length > 0 && !headers.contains(HttpHeaderNames.CONTENT_TYPE)) {
                headers.set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8");
            }
        }
        begin(status, headers);
        if (verb != Verb.HEAD && bytes.length > 0) {
            context.write(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes)));
        }
        end();
    }

    void answer(HttpResponseStatus status) {
        answer(status, new DefaultHttpHeaders(), "");
    }

    /** Sends the client to another URL with the same method and body. */
    void redirect(String url) {
        result = "redirect";
        answer(
                FOLLOW,
                new DefaultHttpHeaders().set(HttpHeaderNames.LOCATION, url),
                "Follow the redirect (curl -L): nothing is read or stored here.\n");
    }

    /** Answers an error, or sends the client to where there is none. */
    void fail(FsError error) {
        if (over) {
            return;
        }
        Optional<String> elsewhere = connection.elsewhere(this, error);
        if (elsewhere.isPresent()) {
            redirect(elsewhere.get());
        } else {
            fail(error, HttpErrors.status(error, verb));
        }
    }

    /** Answers an error with a status of its own. */
    void fail(FsError error, int status) {
        if (over) {
            return;
        }
        result = error.getClass().getSimpleName();
        connection.tell(this, error);
        if (answering) {
            breakOff();
            return;
        }
        var headers = new DefaultHttpHeaders();
        HttpErrors.addHeaders(error, status, headers);
        answer(
                HttpResponseStatus.valueOf(status),
                headers,
                "%s\nnext: %s\ntrace: %s\n"
                        .formatted(error.message(), ErrorKind.of(error).advice(), caller.trace()));
    }

    /**
     * Answers that a method of several steps stopped at one of them (RFC 4918 section 13). What
     * ends the whole request, and what concerns its own target, is answered as ever.
     */
    void failPartly(Crowd.Failure failure) {
        FsError error = failure.error();
        if (failure.path().equals(target().path()) || HttpErrors.isPassing(error)) {
            fail(error);
            return;
        }
        result = error.getClass().getSimpleName();
        connection.tell(this, error);
        String reason =
                "%s; the steps before this one are done, repeating the request goes on; trace %s"
                        .formatted(error.message(), caller.trace());
        answer(
                HttpResponseStatus.MULTI_STATUS,
                new DefaultHttpHeaders().set(HttpHeaderNames.CONTENT_TYPE, MultiStatus.TYPE),
                MultiStatus.ofFailure(failure.path(), HttpErrors.status(error, verb), reason));
    }

    /** The path as far as it was understood, for logs; never the query, it may hold a ticket. */
    String object() {
        return target == null ? "-" : target.path().value();
    }
}
