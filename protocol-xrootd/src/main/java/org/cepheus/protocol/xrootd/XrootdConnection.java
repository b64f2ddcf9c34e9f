package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Identity;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.port.Authenticator.Credential;
import org.cepheus.protocol.socket.ClientFaults;
import org.cepheus.protocol.socket.ReceiveSlab;
import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: handshake, login, and then requests that are answered in any order.
 * Owned by its event loop. It stops reading while too many requests are unanswered, too much
 * received data is unwritten, or the client does not take its answers.
 */
final class XrootdConnection extends ChannelInboundHandlerAdapter
        implements FrameReader.Listener, ClientWatch.Client {
    /** Requests without an answer at which reading stops; one received buffer may add some more. */
    static final int MAX_UNANSWERED = 128;

    /** Received file data that is not stored yet at which reading stops. */
    static final int MAX_UNWRITTEN_BYTES = 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(XrootdConnection.class);

    /** 5.1.1: with pgread and pgwrite. */
    private static final int PROTOCOL_VERSION = 0x511;

    private enum Phase {
        CONNECTED,
        LOGGED_IN,
        READY
    }

    private final ServerContext context;
    private final ReceiveSlab slab;
    private final WakeUps wakeUps;
    private final Channel channel;
    private final FrameReader frames;
    private final RoleRequests requests;
    private final RandomGenerator traces;
    private final String address;
    private final boolean loopback;

    private Phase phase = Phase.CONNECTED;
    private Identity identity = Identity.NOBODY;
    private @Nullable Bytes session;
    private @Nullable ClientWatch watch;
    private final SignatureOrder signatures = new SignatureOrder();
    private @Nullable Substream stream;
    private final ClientNotes notes = new ClientNotes();
    private final ClientFaults.OfClient faults;
    private boolean over;
    private boolean paused;
    private boolean reading;
    private boolean unflushed;
    private boolean flushPlanned;
    private int unanswered;
    private long unwrittenBytes;

    XrootdConnection(
            Channel channel,
            ServerContext context,
            ReceiveSlab slab,
            Function<XrootdConnection, RoleRequests> role) {
        this.channel = channel;
        this.context = context;
        this.slab = slab;
        this.wakeUps = new WakeUps(channel);
        this.frames = new FrameReader(this, channel.alloc());
        this.traces = context.sessions().traces();
        if (channel.remoteAddress() instanceof InetSocketAddress remote) {
            this.address = remote.getAddress().getHostAddress();
            this.loopback = remote.getAddress().isLoopbackAddress();
        } else {
            this.address = "-";
            this.loopback = false;
        }
        this.faults = context.faults().of(address);
        this.requests = role.apply(this);
    }

    ServerContext context() {
        return context;
    }

    EventLoop eventLoop() {
        return channel.eventLoop();
    }

    Channel channel() {
        return channel;
    }

    InetSocketAddress localAddress() {
        return (InetSocketAddress) channel.localAddress();
    }

    boolean isAlive() {
        return !over;
    }

    @Override
    public boolean isOver() {
        return over;
    }

    // ---- What the network says

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        watch = ClientWatch.start(channel, context.patience(), this, this::say);
    }

    @Override
    public boolean isLoggedIn() {
        return phase == Phase.READY || stream != null;
    }

    @Override
    public long unfinishedRequest() {
        return frames.unfinished();
    }

    @Override
    public boolean owesData() {
        return stream == null ? frames.isInBulk() : stream.isInBulk();
    }

    @Override
    public void takeLittle() {
        wakeUps.atAnything();
    }

    @Override
    public boolean isWaiting() {
        return unanswered > 0;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        reading = true;
        if (watch != null) {
            watch.heard();
        }
        if (stream != null) {
            stream.data(in);
            expectWhatComes();
            return;
        }
        try {
            frames.read(in);
        } finally {
            in.release();
        }
        expectWhatComes();
    }

    private void expectWhatComes() {
        slab.expectBulk(isInBulk() && !context.admission().isShort());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reading = false;
        flushNow();
        adjustReading();
        wakeUps.expect(frames.bulkLeft());
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        adjustReading();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        end();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("connection from {} lost: {}", address, cause.getMessage());
        } else {
            LOG.error("connection from {} ends by a fault of ours", address, cause);
        }
        ctx.close();
    }

    private void end() {
        if (over) {
            return;
        }
        over = true;
        if (watch != null) {
            watch.stop();
        }
        frames.close();
        if (stream != null) {
            stream.lost();
        }
        endSession();
        slab.free();
    }

    /** Everything open ends as if the connection were lost; the connection itself may go on. */
    private void endSession() {
        if (session != null) {
            context.sessions().end(session);
            session = null;
        }
        requests.endSession();
    }

    // ---- What the client says

    @Override
    public void handshake() {
        ByteBuf out = channel.alloc().directBuffer(ResponseCodec.HEADER_BYTES + 8);
        ResponseCodec.header(out, 0, XrootdResponse.OK, 8);
        write(out.writeInt(PROTOCOL_VERSION).writeInt(requests.handshakeType()));
    }

    @Override
    public void request(int streamId, XrootdRequest request) {
        if (request instanceof XrootdRequest.Signature signature && phase == Phase.READY) {
            signature(streamId, signature);
            return;
        }
        Exchange exchange = begin(streamId, request);
        try {
            dispatch(exchange, request);
        } catch (FsException e) {
            exchange.fail(e.error());
        }
    }

    @Override
    public BulkSink bulk(int streamId, XrootdRequest request) {
        Exchange exchange = begin(streamId, request);
        if (phase != Phase.READY) {
            return BulkSink.dropping(() -> tooEarly(exchange, request));
        }
        Optional<FsError> refusal = MemoryGate.refusal(context.admission(), request);
        return refusal.isPresent()
                ? BulkSink.dropping(() -> exchange.fail(refusal.get()))
                : requests.bulk(exchange, request);
    }

    @Override
    public void refused(int streamId, int code, String message) {
        Caller caller = newCaller();
        faults.say(caller.trace(), message);
        unanswered++;
        new Exchange(this, streamId, "malformed", caller).fail(code, message);
    }

    @Override
    public void broken(String reason) {
        say("closed: " + reason);
        context.metrics().operation("xrootd", "malformed", "aborted", 0);
        channel.close();
    }

    private void say(String fault) {
        faults.say(newCaller().trace(), fault);
    }

    private Exchange begin(int streamId, XrootdRequest request) {
        unanswered++;
        return new Exchange(this, streamId, request.operation(), newCaller());
    }

    private Caller newCaller() {
        return new Caller(identity, address, new TraceId(traces.nextLong()));
    }

    private void dispatch(Exchange exchange, XrootdRequest request) {
        if (request instanceof XrootdRequest.Protocol) {
            ByteBuf body = exchange.begin(8).writeInt(PROTOCOL_VERSION);
            exchange.ok(body.writeInt(requests.protocolFlags()));
        } else if (request instanceof XrootdRequest.Unknown(int id)) {
            exchange.fail(ErrorCode.INVALID_REQUEST, "unknown request id " + id);
        } else {
            switch (phase) {
                case CONNECTED -> beforeLogin(exchange, request);
                case LOGGED_IN -> beforeAuth(exchange, request);
                case READY -> ready(exchange, request);
            }
        }
    }

    private void beforeLogin(Exchange exchange, XrootdRequest request) {
        if (request instanceof XrootdRequest.Login login) {
            login(exchange, login);
        } else if (request instanceof XrootdRequest.Bind(Bytes id)) {
            bind(exchange, id);
        } else {
            tooEarly(exchange, request);
        }
    }

    private void beforeAuth(Exchange exchange, XrootdRequest request) {
        if (request instanceof XrootdRequest.Auth auth) {
            auth(exchange, auth);
        } else if (request instanceof XrootdRequest.Ping) {
            exchange.ok();
        } else {
            tooEarly(exchange, request);
        }
    }

    private void ready(Exchange exchange, XrootdRequest request) {
        if (request instanceof XrootdRequest.EndSession(Bytes id)) {
            endSession(exchange, id);
            return;
        }
        Optional<FsError> refusal = MemoryGate.refusal(context.admission(), request);
        if (refusal.isPresent()) {
            exchange.fail(refusal.get());
        } else {
            requests.serve(exchange, request);
        }
    }

    private static void tooEarly(Exchange exchange, XrootdRequest request) {
        exchange.fail(
                ErrorCode.INVALID_REQUEST,
                request.operation() + " came before the login was complete");
    }

    private void login(Exchange exchange, XrootdRequest.Login login) {
        String offer = requests.securityOffer();
        if (offer.isEmpty()) {
            identity = requests.authenticate(new Credential.Anonymous(), loopback);
            phase = Phase.READY;
        } else {
            phase = Phase.LOGGED_IN;
        }
        LOG.debug("login of {} from {}", login.user(), address);
        Bytes id = context.sessions().begin(this, channel, address, () -> identity.user());
        session = id;
        ByteBuf body = exchange.begin(64);
        ResponseCodec.encode(new XrootdResponse.LoggedIn(id, offer), body);
        exchange.ok(body);
    }

    /** Becomes one more stream of a session, and moves to where that one is served. */
    private void bind(Exchange exchange, Bytes id) {
        XrootdConnection other = context.sessions().find(id).orElse(null);
        if (other == null) {
            exchange.fail(ErrorCode.NOT_FOUND, "there is no such session to bind to");
        } else if (!other.address.equals(address)) {
            exchange.fail(ErrorCode.NOT_AUTHORIZED, "a stream comes from the host of its session");
        } else {
            pauseReading(true);
            StreamBinding.move(channel, other.eventLoop(), () -> bound(exchange, other), this::end);
        }
    }

    private void bound(Exchange exchange, XrootdConnection other) {
        try {
            if (other.over || other.phase != Phase.READY) {
                throw new FsException(
                        new FsError.InvalidArgument("the session to bind to is not logged in"));
            }
            Substream made = other.requests.bind(this);
            stream = made;
            exchange.ok(exchange.begin(1).writeByte(made.pathId()));
        } catch (FsException e) {
            exchange.fail(e.error());
        }
        pauseReading(false);
    }

    /** The unix protocol's credential: its name, NUL, user, space, group. */
    private void auth(Exchange exchange, XrootdRequest.Auth auth) {
        String text = new String(auth.credential().toArray(), StandardCharsets.UTF_8);
        String[] words = text.substring(text.indexOf('\0') + 1).replace("\0", "").split(" ", -1);
        if (!auth.type().equals("unix") || words[0].isBlank()) {
            exchange.fail(
                    ErrorCode.AUTH_FAILED,
                    "credential of type '%s' is not one of: %s"
                            .formatted(auth.type(), requests.securityOffer()));
            return;
        }
        List<String> groups =
                words.length > 1 ? List.of(words).subList(1, words.length) : List.of();
        identity = requests.authenticate(new Credential.Unix(words[0], groups), loopback);
        phase = Phase.READY;
        exchange.ok();
    }

    private void signature(int streamId, XrootdRequest.Signature signature) {
        signatures
                .refusal(signature)
                .ifPresent(why -> begin(streamId, signature).fail(ErrorCode.SIGNATURE_ERROR, why));
    }

    /** A client that lost its connection ends the old session from a new one. */
    private void endSession(Exchange exchange, Bytes id) {
        XrootdConnection other = context.sessions().find(id).orElse(null);
        if (other == null) {
            exchange.ok();
            return;
        }
        exchange.whenDone(
                () ->
                        CompletableFuture.runAsync(
                                () -> other.supersededBy(this), other.channel.eventLoop()),
                _ -> exchange.ok());
    }

    private void supersededBy(XrootdConnection newer) {
        endSession();
        if (newer != this) {
            channel.close();
        }
    }

    // ---- What the requests say

    ClientNotes notes() {
        return notes;
    }

    /**
     * Calls {@code done} or {@code failed} on the event loop: at once when the stage is complete,
     * else when it is, even if the connection is over by then.
     */
    <T> void whenDone(
            Supplier<CompletionStage<T>> call, Consumer<T> done, Consumer<FsError> failed) {
        CompletableFuture<T> future;
        try {
            future = call.get().toCompletableFuture();
        } catch (FsException e) {
            failed.accept(e.error());
            return;
        }
        if (future.isDone()) {
            settle(future, done, failed);
            return;
        }
        future.whenComplete((_, _) -> {
            try {
                eventLoop().execute(() -> settle(future, done, failed));
            } catch (RejectedExecutionException e) {
                LOG.debug("answer dropped, the server has stopped", e);
            }
        });
    }

    private <T> void settle(
            CompletableFuture<T> future, Consumer<T> done, Consumer<FsError> failed) {
        FsError error;
        if (future.isCompletedExceptionally()) {
            error = FsException.errorOf(future.exceptionNow());
        } else {
            try {
                done.accept(future.resultNow());
                return;
            } catch (FsException e) {
                error = e.error();
            }
        }
        failed.accept(error);
    }

    void answered() {
        unanswered--;
        adjustReading();
    }

    /** Received data is being held; negative when it was let go. */
    void unwritten(long bytes) {
        unwrittenBytes += bytes;
        if (unwrittenBytes == 0 && !isInBulk()) {
            slab.free(); // Not only at the next request, which may be hours away.
        }
        adjustReading();
    }

    private boolean isInBulk() {
        return stream == null ? frames.isInBulk() : stream.isInBulk();
    }

    /** Reads nothing until told otherwise. */
    void pauseReading(boolean pause) {
        paused = pause;
        adjustReading();
    }

    void closeChannel() {
        channel.close();
    }

    private void adjustReading() {
        boolean wanted =
                !paused
                        && unanswered < MAX_UNANSWERED
                        && unwrittenBytes < MAX_UNWRITTEN_BYTES
                        && channel.isWritable();
        if (channel.config().isAutoRead() != wanted) {
            channel.config().setAutoRead(wanted);
        }
    }

    void send(int streamId, XrootdResponse response) {
        ByteBuf out = channel.alloc().directBuffer(256);
        ResponseCodec.encode(streamId, response, out);
        write(out);
    }

    /** Sends an answer with its header as the late answer that was announced. */
    void sendLate(ByteBuf answer) {
        ByteBuf out = channel.alloc().directBuffer(2 * ResponseCodec.HEADER_BYTES);
        ResponseCodec.header(
                out,
                0,
                XrootdResponse.ATTENTION,
                ResponseCodec.HEADER_BYTES + answer.readableBytes());
        write(out.writeInt(XrootdResponse.ASYNC_RESPONSE).writeInt(0));
        write(answer);
    }

    /** Takes over the buffer. */
    void write(ByteBuf out) {
        channel.write(out, channel.voidPromise());
        planFlush();
    }

    /** The same for file data, whose leaving is told. */
    ChannelFuture writeData(ReferenceCounted out) {
        ChannelFuture written = channel.write(out);
        planFlush();
        return written;
    }

    /** One flush for all answers of one turn of the event loop. */
    private void planFlush() {
        unflushed = true;
        if (!reading && !flushPlanned) {
            flushPlanned = true;
            eventLoop().execute(this::flushNow);
        }
    }

    private void flushNow() {
        flushPlanned = false;
        if (unflushed) {
            unflushed = false;
            channel.flush();
        }
    }

    void logInternal(String operation, Caller caller, FsError error) {
        LOG.atError()
                .addKeyValue("trace", caller.trace())
                .log("{} failed by a fault of ours: {}", operation, error.message());
    }
}
