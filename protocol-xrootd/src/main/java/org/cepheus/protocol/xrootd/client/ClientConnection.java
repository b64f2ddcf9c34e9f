package org.cepheus.protocol.xrootd.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.protocol.xrootd.wire.RequestCodec;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;
import org.jspecify.annotations.Nullable;

/**
 * A logged-in connection to one server. Requests may be sent from any thread; everything else is
 * owned by its event loop. A request without an answer at its deadline ends the connection.
 */
final class ClientConnection extends ChannelInboundHandlerAdapter
        implements AnswerReader.Listener, AutoCloseable {
    /** Requests without an answer at once; one more is refused. */
    static final int MAX_PENDING = 4096;

    private static final int PROTOCOL_VERSION = 0x511;
    private static final int EXPECT_LOGIN = 3;
    private static final int ABILITY = 0x01 | 0x10; // full URLs in redirects, read redirects
    private static final int CAPABILITY = 5;
    private static final int SWEEP_MILLIS = 250;

    private final Channel channel;
    private final XrootdClientSettings settings;
    private final XrootdEndpoint endpoint;
    private final AnswerReader answers = new AnswerReader(this);
    private final Map<Integer, PendingAnswer> pending = new HashMap<>();
    private final ScheduledFuture<?> sweep;
    private int nextStream = 1;
    private boolean greeted;
    private boolean reading;
    private boolean flushPlanned;
    private @Nullable FsError over;

    private ClientConnection(
            Channel channel, XrootdEndpoint endpoint, XrootdClientSettings settings) {
        this.channel = channel;
        this.endpoint = endpoint;
        this.settings = settings;
        this.sweep =
                channel.eventLoop()
                        .scheduleWithFixedDelay(
                                this::failLate, SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Connects and logs in. */
    static CompletionStage<ClientConnection> open(
            EventLoopGroup loops, XrootdEndpoint endpoint, XrootdClientSettings settings) {
        var opened = new CompletableFuture<ClientConnection>();
        new Bootstrap()
                .group(loops)
                .channel(EpollSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .handler(new ChannelInboundHandlerAdapter())
                .connect(endpoint.bareHost(), endpoint.port())
                .addListener((ChannelFuture done) -> {
                    if (done.isSuccess()) {
                        begin(done.channel(), endpoint, settings, opened);
                    } else {
                        opened.completeExceptionally(
                                lost(
                                        "cannot connect to %s: %s"
                                                .formatted(endpoint, done.cause().getMessage())));
                    }
                });
        long millis = settings.connectDeadline().toMillis();
        return opened.orTimeout(millis, TimeUnit.MILLISECONDS)
                .exceptionallyCompose(failure ->
                        CompletableFuture.failedFuture(
                                failure instanceof TimeoutException
                                        ? lost(
                                                "no login at %s in %d ms"
                                                        .formatted(endpoint, millis))
                                        : failure));
    }

    private static void begin(
            Channel channel,
            XrootdEndpoint endpoint,
            XrootdClientSettings settings,
            CompletableFuture<ClientConnection> opened) {
        var connection = new ClientConnection(channel, endpoint, settings);
        channel.pipeline().addLast(connection);
        connection
                .greet()
                .whenComplete((_, failure) -> {
                    if (failure != null) {
                        opened.completeExceptionally(failure);
                    }
                    if (failure != null || !opened.complete(connection)) {
                        connection.close();
                    }
                });
    }

    /** Handshake, protocol and login go out in one piece. */
    private CompletionStage<XrootdResponse> greet() {
        ByteBuf hello = channel.alloc().buffer(20);
        hello.writeZero(12).writeInt(4).writeInt(2012);
        channel.write(hello);
        pending.put(0, new PendingAnswer(deadline(), null));
        CompletionStage<XrootdResponse> protocol =
                send(new XrootdRequest.Protocol(PROTOCOL_VERSION, 0, EXPECT_LOGIN));
        int pid = (int) ProcessHandle.current().pid();
        CompletionStage<XrootdResponse> login =
                send(new XrootdRequest.Login(pid, settings.user(), 0, ABILITY, CAPABILITY, ""));
        return protocol.thenCompose(_ -> login).thenCompose(this::authenticate);
    }

    private CompletionStage<XrootdResponse> authenticate(XrootdResponse login) {
        String security = ResponseCodec.loggedIn(ok(login)).security();
        if (security.isEmpty()) {
            return CompletableFuture.completedFuture(login);
        }
        if (!List.of(security.split("&", -1)).contains("P=unix")) {
            throw new FsException(
                    new FsError.PermissionDenied(
                            "%s wants one of '%s', only unix is known here"
                                    .formatted(endpoint, security)));
        }
        String credential = "unix\0" + settings.user() + " " + String.join(" ", settings.groups());
        return send(new XrootdRequest.Auth(
                        "unix", Bytes.copyOf((credential + "\0").getBytes(StandardCharsets.UTF_8))))
                .thenApply(answer -> {
                    ok(answer);
                    return answer;
                });
    }

    /** The body of an ok, else the failure. */
    static Bytes ok(XrootdResponse response) {
        if (response instanceof XrootdResponse.Ok(Bytes body)) {
            return body;
        }
        throw response instanceof XrootdResponse.Failed failed
                ? RemoteErrors.of(failed)
                : RemoteErrors.unexpected(response);
    }

    long deadline() {
        return System.nanoTime() + settings.requestDeadline().toNanos();
    }

    boolean isOpen() {
        return channel.isActive();
    }

    CompletionStage<XrootdResponse> send(XrootdRequest request) {
        return send(request, null, null, deadline());
    }

    /**
     * Sends the request; waits that the server asks for are kept, until the deadline.
     *
     * @param data follows the header of a write; taken over
     * @param into takes the data of a read from its position on; untouched by the caller until done
     */
    CompletionStage<XrootdResponse> send(
            XrootdRequest request,
            @Nullable ByteBuf data,
            @Nullable ByteBuffer into,
            long deadlineNanos) {
        var answer = new PendingAnswer(deadlineNanos, into);
        if (channel.eventLoop().inEventLoop()) {
            write(request, data, answer);
        } else {
            channel.eventLoop().execute(() -> write(request, data, answer));
        }
        return answer.result().thenCompose(afterWaiting(request, data, into, deadlineNanos));
    }

    private Function<XrootdResponse, CompletionStage<XrootdResponse>> afterWaiting(
            XrootdRequest request,
            @Nullable ByteBuf data,
            @Nullable ByteBuffer into,
            long deadlineNanos) {
        return response -> {
            if (!(response instanceof XrootdResponse.Wait(int seconds, var why)) || data != null) {
                return CompletableFuture.completedFuture(response);
            }
            if (System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds) > deadlineNanos) {
                return CompletableFuture.failedFuture(
                        new FsException(new FsError.Unavailable(why, seconds)));
            }
            var later = new CompletableFuture<XrootdResponse>();
            channel.eventLoop()
                    .schedule(
                            () ->
                                    send(request, null, into, deadlineNanos)
                                            .whenComplete((again, failure) -> {
                                                if (failure == null) {
                                                    later.complete(again);
                                                } else {
                                                    later.completeExceptionally(failure);
                                                }
                                            }),
                            seconds,
                            TimeUnit.SECONDS);
            return later;
        };
    }

    private void write(XrootdRequest request, @Nullable ByteBuf data, PendingAnswer answer) {
        FsError refusal = over;
        if (refusal == null && pending.size() >= MAX_PENDING) {
            refusal =
                    new FsError.Overloaded(
                            "%d requests to %s have no answer yet"
                                    .formatted(pending.size(), endpoint),
                            1);
        }
        if (refusal != null) {
            if (data != null) {
                data.release();
            }
            answer.fail(refusal);
            return;
        }
        int streamId = freeStream();
        pending.put(streamId, answer);
        ByteBuf out = channel.alloc().directBuffer(256);
        RequestCodec.encode(streamId, request, out);
        channel.write(out, channel.voidPromise());
        if (data != null) {
            channel.write(data, channel.voidPromise());
        }
        planFlush();
    }

    private int freeStream() {
        while (pending.containsKey(nextStream)) {
            nextStream = nextStream % 0xfff0 + 1;
        }
        int free = nextStream;
        nextStream = nextStream % 0xfff0 + 1;
        return free;
    }

    private void planFlush() {
        if (!reading && !flushPlanned) {
            flushPlanned = true;
            channel.eventLoop().execute(this::flush);
        }
    }

    private void flush() {
        flushPlanned = false;
        channel.flush();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        reading = true;
        try {
            answers.read(in);
        } catch (FsException e) {
            end(e.error());
        } finally {
            in.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reading = false;
        flush();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end(lost("the connection to " + endpoint + " was lost").error());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        end(lost("the connection to " + endpoint + " failed: " + cause.getMessage()).error());
    }

    private static FsException lost(String message) {
        return new FsException(new FsError.IoFailure(message));
    }

    private void failLate() {
        long now = System.nanoTime();
        if (pending.values().stream().anyMatch(answer -> answer.deadlineNanos() - now < 0)) {
            end(
                    new FsError.Unavailable(
                            "%s did not answer in %s"
                                    .formatted(endpoint, settings.requestDeadline()),
                            1));
        }
    }

    private void end(FsError why) {
        if (over != null) {
            return;
        }
        over = why;
        sweep.cancel(false);
        channel.close();
        List<PendingAnswer> unanswered = List.copyOf(pending.values());
        pending.clear();
        unanswered.forEach(answer -> answer.fail(why));
    }

    @Override
    public @Nullable ByteBuffer destination(int streamId) {
        PendingAnswer answer = pending.get(streamId);
        return answer == null ? null : answer.into();
    }

    @Override
    public void data(int streamId, boolean isLast) {
        PendingAnswer answer = isLast ? pending.remove(streamId) : null;
        if (answer != null) {
            answer.complete(new XrootdResponse.Ok(Bytes.copyOf(new byte[0])));
        }
    }

    @Override
    public void answer(int streamId, XrootdResponse response) {
        if (streamId == 0 && !greeted) {
            greeted = true;
            pending.remove(0);
            return;
        }
        switch (response) {
            case XrootdResponse.OkSoFar(Bytes part) -> {
                PendingAnswer answer = pending.get(streamId);
                if (answer != null) {
                    answer.add(part);
                }
            }
            case XrootdResponse.Late(int late, XrootdResponse inner) -> complete(late, inner);
            case XrootdResponse.WaitForResponse _, XrootdResponse.Attention _ -> {}
            case XrootdResponse.Ok _,
                    XrootdResponse.AuthMore _,
                    XrootdResponse.Failed _,
                    XrootdResponse.Redirect _,
                    XrootdResponse.Wait _,
                    XrootdResponse.PagesWritten _,
                    XrootdResponse.Pages _ ->
                    complete(streamId, response);
        }
    }

    private void complete(int streamId, XrootdResponse response) {
        PendingAnswer answer = pending.remove(streamId);
        if (answer != null) {
            answer.complete(response);
        }
    }

    /** Requests without an answer fail. */
    @Override
    public void close() {
        if (channel.isRegistered()) {
            channel.eventLoop()
                    .execute(() -> end(new FsError.IoFailure("the connection was closed by us")));
        }
    }
}
