package org.cepheus.protocol.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.cepheus.protocol.socket.ClientFaults;
import org.cepheus.protocol.socket.ReceiveSlab;

/** One listener for HTTP and WebDAV in clear, as a part of an MGM or of an FST. */
public final class HttpServer implements AutoCloseable {
    private static final byte[] FULL =
            """
            HTTP/1.1 503 Service Unavailable\r
            Retry-After: 5\r
            Content-Length: 0\r
            Connection: close\r
            \r
            """
                    .getBytes(StandardCharsets.US_ASCII);

    private final Channel acceptor;
    private final ChannelGroup channels;
    private final HttpListener listener;

    private HttpServer(Channel acceptor, ChannelGroup channels, HttpListener listener) {
        this.acceptor = acceptor;
        this.channels = channels;
        this.listener = listener;
    }

    /**
     * Binds and serves on event loops of the caller, which must be native epoll.
     *
     * @throws IOException if the address cannot be bound
     */
    public static HttpServer start(
            HttpServerConfig config,
            EventLoopGroup boss,
            EventLoopGroup workers,
            HttpRole role,
            HttpServices services)
            throws IOException {
        return start(config, boss, workers, role, services, ClientFaults.logged());
    }

    static HttpServer start(
            HttpServerConfig config,
            EventLoopGroup boss,
            EventLoopGroup workers,
            HttpRole role,
            HttpServices services,
            ClientFaults faults)
            throws IOException {
        Endpoint endpoint =
                switch (role) {
                    case HttpRole.Manager manager -> new ManagerEndpoint(manager);
                    case HttpRole.DataServer server -> new DataEndpoint(server, services.clock());
                };
        var listener = new HttpListener(config, services, endpoint, new AtomicInteger(), faults);
        var channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
        var bootstrap =
                new ServerBootstrap()
                        .group(boss, workers)
                        .channel(EpollServerSocketChannel.class)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .option(ChannelOption.SO_BACKLOG, 1024)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                        .childHandler(new Initializer(listener, channels));
        var bound = bootstrap.bind(config.host(), config.port()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen for HTTP at %s:%d: %s"
                            .formatted(config.host(), config.port(), bound.cause().getMessage()),
                    bound.cause());
        }
        return new HttpServer(bound.channel(), channels, listener);
    }

    /** The port that is bound. */
    public int port() {
        return ((InetSocketAddress) acceptor.localAddress()).getPort();
    }

    /** Open connections as of now, for a gauge. */
    public int connections() {
        return listener.connections().get();
    }

    /** Accepts nobody any more and cuts every connection; unfinished uploads abort. */
    @Override
    public void close() {
        acceptor.close().awaitUninterruptibly(5, TimeUnit.SECONDS);
        channels.close().awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    private static final class Initializer extends ChannelInitializer<SocketChannel> {
        private final HttpListener listener;
        private final ChannelGroup channels;

        Initializer(HttpListener listener, ChannelGroup channels) {
            this.listener = listener;
            this.channels = channels;
        }

        @Override
        protected void initChannel(SocketChannel channel) {
            channels.add(channel);
            int open = listener.connections().incrementAndGet();
            channel.closeFuture().addListener(_ -> listener.connections().decrementAndGet());
            if (open > listener.config().maxConnections()) {
                channel.writeAndFlush(channel.alloc().buffer(FULL.length).writeBytes(FULL))
                        .addListener(_ -> channel.close());
                return;
            }
            var slab = new ReceiveSlab(HttpConnection.READS_IN_TURN);
            channel.config().setRecvByteBufAllocator(slab);
            channel.pipeline()
                    .addLast(new HttpRequestDecoder(decoding()))
                    .addLast(new HttpResponseEncoder())
                    .addLast(new HttpConnection(listener, slab));
        }

        private static HttpDecoderConfig decoding() {
            return new HttpDecoderConfig()
                    .setMaxInitialLineLength(HttpListener.MAX_LINE_BYTES)
                    .setMaxHeaderSize(HttpListener.MAX_HEADER_BYTES)
                    .setMaxChunkSize(ReceiveSlab.BULK_BYTES)
                    .setStrictLineParsing(true);
        }
    }
}
