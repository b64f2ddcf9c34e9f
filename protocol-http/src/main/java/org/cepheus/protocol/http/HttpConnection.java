package org.cepheus.protocol.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.cepheus.domain.FsError;
import org.cepheus.domain.Identity;
import org.cepheus.domain.port.Admission;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.Authenticator;
import org.cepheus.protocol.socket.ReceiveSlab;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: takes its requests in order, one at a time. Confined to its event loop. While a
 * request is answered, what the client sends ahead waits here and then in the socket.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(HttpConnection.class);

    /**
     * A client that sends more parts of requests ahead than this is cut off. More do not fit into
     * what is read before reading stops.
     */
    private static final int MAX_WAITING = 4096;

    /** How often a socket is read before others have their turn. */
    static final int READS_IN_TURN = 4;

    /** What is read from a client that has its final answer but goes on sending. */
    private static final long MAX_DRAINED_BYTES = 16 * 1024 * 1024;

    private static final long DRAIN_MILLIS = 2000;

    private final HttpListener listener;
    private final ReceiveSlab slab;
    private final ArrayDeque<HttpObject> waiting = new ArrayDeque<>(4);
    private @Nullable ChannelHandlerContext context;
    private @Nullable Exchange current;
    private @Nullable Identity identity;
    private @Nullable ScheduledFuture<?> watch;
    private boolean working;
    private boolean paused;
    private boolean draining;
    private long drainedBytes;
    private long progressNanos = System.nanoTime();
    private int sendingParts;

    HttpConnection(HttpListener listener, ReceiveSlab slab) {
        this.listener = listener;
        this.slab = slab;
    }

    ChannelHandlerContext context() {
        if (context == null) {
            throw new IllegalStateException("not connected yet");
        }
        return context;
    }

    // ---- events of the channel

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        long pause = Math.max(20, listener.config().patience().toMillis() / 4);
        watch =
                added.executor()
                        .scheduleWithFixedDelay(this::watch, pause, pause, TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        if (draining) {
            drain(message);
            return;
        }
        waiting.add((HttpObject) message);
        if (waiting.size() > MAX_WAITING) {
            say("closed: it sent more than %d requests ahead".formatted(MAX_WAITING));
            from.close();
            return;
        }
        work();
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) {
        if (watch != null) {
            watch.cancel(false);
        }
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
        expectHeads();
        Exchange lost = current;
        current = null;
        draining = true;
        if (lost != null && !lost.isOver()) {
            log.atInfo()
                    .addKeyValue("trace", lost.caller().trace())
                    .log("{} {} was given up by {}", lost.verb(), lost.object(), peer());
            lost.broken(new FsError.InvalidArgument("the connection was lost"));
            lost.breakOff();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext from) {
        progressNanos = System.nanoTime();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        if (cause instanceof IOException) {
            log.debug("connection of {} broke: {}", peer(), cause.getMessage());
        } else {
            log.error("connection of {} failed", peer(), cause);
        }
        from.close();
    }

    // ---- requests in order

    private void work() {
        if (working) {
            return;
        }
        working = true;
        while (!waiting.isEmpty() && !draining && (current == null || !current.isReceived())) {
            take(waiting.poll());
        }
        working = false;
        updateReading();
    }

    private void take(HttpObject message) {
        progressNanos = System.nanoTime();
        if (message.decoderResult().isFailure()) {
            misunderstood(message);
            return;
        }
        if (message instanceof HttpRequest request) {
            current = new Exchange(this, request, listener.nextTrace());
            current.run(listener.endpoint());
        }
        if (message instanceof HttpContent content) {
            if (current == null) {
                content.release();
                return;
            }
            Exchange taker = current;
            if (content.content().isReadable()) {
                taker.content(content.content());
            } else {
                content.release();
            }
            if (message instanceof LastHttpContent last) {
                expectHeads();
                taker.received(last.trailingHeaders());
            }
        }
    }

    private void misunderstood(HttpObject message) {
        Throwable cause = message.decoderResult().cause();
        ReferenceCountUtil.release(message);
        say("it sent what is no HTTP: " + cause.getMessage());
        FsError error = new FsError.InvalidArgument("this is no HTTP/1.1: " + cause.getMessage());
        int status = 400;
        if (cause instanceof TooLongHttpLineException) {
            error =
                    new FsError.TooLong(
                            "the request line is longer than %d bytes"
                                    .formatted(HttpListener.MAX_LINE_BYTES));
            status = 414;
        } else if (cause instanceof TooLongHttpHeaderException) {
            error =
                    new FsError.TooLong(
                            "the headers are longer than %d bytes; send fewer or shorter ones"
                                    .formatted(HttpListener.MAX_HEADER_BYTES));
            status = 431;
        }
        if (current == null && message instanceof HttpRequest request) {
            current = new Exchange(this, request, listener.nextTrace());
        }
        if (current == null) {
            context().close();
            return;
        }
        current.endConnection();
        current.broken(error);
        current.fail(error, status);
    }

    /** An idle connection keeps no memory for bodies. */
    private void expectHeads() {
        slab.expectBulk(false);
        slab.free();
    }

    private void say(String fault) {
        listener.faults().of(peer()).say(listener.nextTrace(), fault);
    }

    /** The last byte of an answer was written. */
    void answered(Exchange exchange, boolean keepAlive) {
        if (exchange != current) {
            return;
        }
        progressNanos = System.nanoTime();
        paused = false;
        if (keepAlive) {
            current = null;
            work();
        } else if (exchange.isReceived()) {
            context().close();
        } else {
            closeAfterDraining();
        }
    }

    /**
     * A client that still sends would see a reset instead of the answer if the socket were closed
     * now (RFC 9112 section 9.6).
     */
    private void closeAfterDraining() {
        draining = true;
        current = null;
        expectHeads();
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
        updateReading();
        if (context().channel() instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
        }
        context().executor().schedule(() -> context().close(), DRAIN_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void drain(Object message) {
        if (message instanceof HttpContent content) {
            drainedBytes += content.content().readableBytes();
        }
        boolean last = message instanceof LastHttpContent;
        ReferenceCountUtil.release(message);
        if (last || drainedBytes > MAX_DRAINED_BYTES) {
            context().close();
        }
    }

    // ---- reading from the client

    void expectBody() {
        if (!admission().isShort()) {
            slab.expectBulk(true);
        }
    }

    Admission admission() {
        return listener.services().admission();
    }

    void pause(boolean pause) {
        paused = pause;
        updateReading();
    }

    private void updateReading() {
        boolean read = draining || (waiting.isEmpty() && !paused);
        if (context().channel().config().isAutoRead() != read) {
            progressNanos = System.nanoTime();
            context().channel().config().setAutoRead(read);
        }
    }

    /** Closes when the client is the one who keeps us waiting, and for too long. */
    private void watch() {
        Exchange running = current;
        boolean onClient =
                running == null
                        || (!running.isReceived() && !paused && running.isBodyWelcome())
                        || running.isOver()
                        || sendingParts > 0;
        if (onClient
                && System.nanoTime() - progressNanos > listener.config().patience().toNanos()) {
            log.debug("{} did nothing for {}: closed", peer(), listener.config().patience());
            context().close();
        }
    }

    void sendingPart() {
        sendingParts++;
    }

    void sentPart() {
        sendingParts--;
        progressNanos = System.nanoTime();
    }

    // ---- what an exchange needs of the listener

    Identity identify() {
        if (identity == null) {
            identity =
                    listener.services()
                            .authenticator()
                            .authenticate(
                                    new Authenticator.Credential.Anonymous(), isFromLoopback());
        }
        return identity;
    }

    private boolean isFromLoopback() {
        return context().channel().remoteAddress() instanceof InetSocketAddress address
                && address.getAddress() != null
                && address.getAddress().isLoopbackAddress();
    }

    /** The address of the client. */
    String peer() {
        SocketAddress remote = context().channel().remoteAddress();
        return remote instanceof InetSocketAddress address && address.getAddress() != null
                ? address.getAddress().getHostAddress()
                : "-";
    }

    String date() {
        return HttpDates.format(listener.services().clock().instant());
    }

    LeaderWait leaderWait(Exchange exchange) {
        return new LeaderWait(
                context().executor(), listener.config().hold(), () -> exchange != current);
    }

    Optional<String> elsewhere(Exchange exchange, FsError error) {
        return listener.endpoint().elsewhere(exchange, error);
    }

    void count(Verb verb, String result, long nanos) {
        listener.services().metrics().operation("http", verb.name(), result, nanos);
    }

    /** Log and audit, each as far as it is concerned. */
    void tell(Exchange exchange, FsError error) {
        if (error instanceof FsError.Internal || error instanceof FsError.IoFailure) {
            log.atError()
                    .addKeyValue("trace", exchange.caller().trace())
                    .log("{} {} failed: {}", exchange.verb(), exchange.object(), error.message());
        }
        if (Audit.isToldOf(error, exchange.changesOrOpens())) {
            listener.services()
                    .audit()
                    .refused(exchange.caller(), exchange.verb().name(), exchange.object(), error);
        }
    }

    void bytes(boolean received, long bytes) {
        listener.services().metrics().bytes("http", received, bytes);
    }

    void allowed(Exchange exchange) {
        listener.services()
                .audit()
                .allowed(exchange.caller(), exchange.verb().name(), exchange.object());
    }
}
