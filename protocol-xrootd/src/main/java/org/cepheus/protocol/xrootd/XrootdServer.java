package org.cepheus.protocol.xrootd;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.cepheus.domain.port.Admission;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.Metrics;
import org.cepheus.domain.port.SessionService;
import org.cepheus.protocol.socket.ClientFaults;
import org.cepheus.protocol.socket.ReceiveSlab;

/**
 * An XRootD server on one port, as manager or as data server. Closing it closes its connections.
 */
public final class XrootdServer implements SessionService, AutoCloseable {
    /** How often a socket is read before others have their turn. */
    static final int READS_IN_TURN = 1;

    private static final int BACKLOG = 1024;

    /** Well below the minute after which clients give up a silent stream. */
    private static final Duration LATE_AFTER = Duration.ofSeconds(10);

    /** Above it a connection that does not take its answers is not read any more. */
    private static final WriteBufferWaterMark UNSENT =
            new WriteBufferWaterMark(512 * 1024, 2 * 1024 * 1024);

    private final Channel listener;
    private final ChannelGroup connections;
    private final Sessions sessions;

    private XrootdServer(Channel listener, ChannelGroup connections, Sessions sessions) {
        this.listener = listener;
        this.connections = connections;
        this.sessions = sessions;
    }

    /**
     * Listens when it returns.
     *
     * @param acceptors epoll event loops that accept
     * @param workers epoll event loops that serve; may be the same
     * @param random makes session and trace ids; used under a lock
     * @param admission asked before a request takes memory
     * @throws IOException if the port cannot be had
     */
    public static XrootdServer start(
            XrootdServerConfig config,
            EventLoopGroup acceptors,
            EventLoopGroup workers,
            XrootdRole role,
            Metrics metrics,
            Audit audit,
            RandomGenerator random,
            Admission admission)
            throws IOException {
        var context =
                new ServerContext(
                        config,
                        metrics,
                        audit,
                        new Sessions(random),
                        LATE_AFTER,
                        Patience.USUAL,
                        admission,
                        ClientFaults.logged());
        return start(context, acceptors, workers, role);
    }

    static XrootdServer start(
            ServerContext context,
            EventLoopGroup acceptors,
            EventLoopGroup workers,
            XrootdRole role)
            throws IOException {
        XrootdServerConfig config = context.config();
        var connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        Function<XrootdConnection, RoleRequests> requests =
                connection -> requests(role, connection);
        var bootstrap =
                new ServerBootstrap()
                        .group(acceptors, workers)
                        .channel(EpollServerSocketChannel.class)
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true)
                        .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNSENT)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        accept(channel, context, connections, requests);
                                    }
                                });
        var bound =
                bootstrap
                        .bind(new InetSocketAddress(config.host(), config.port()))
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen on %s port %d: %s"
                            .formatted(config.host(), config.port(), bound.cause().getMessage()),
                    bound.cause());
        }
        context.metrics()
                .gauge("xrootd_connections", "XRootD connections open now", connections::size);
        return new XrootdServer(bound.channel(), connections, context.sessions());
    }

    private static void accept(
            SocketChannel channel,
            ServerContext context,
            ChannelGroup connections,
            Function<XrootdConnection, RoleRequests> requests) {
        if (connections.size() >= Sessions.MAX_CONNECTIONS) {
            channel.close();
            return;
        }
        connections.add(channel);
        var slab = new ReceiveSlab(READS_IN_TURN);
        channel.config().setRecvByteBufAllocator(slab);
        channel.pipeline().addLast(new XrootdConnection(channel, context, slab, requests));
    }

    private static RoleRequests requests(XrootdRole role, XrootdConnection connection) {
        return switch (role) {
            case XrootdRole.Manager manager -> new NamespaceRequests(manager, connection);
            case XrootdRole.DataServer server -> new DataRequests(server, connection);
        };
    }

    @Override
    public List<Session> sessions() {
        return sessions.shown();
    }

    @Override
    public boolean end(long number) {
        return sessions.cut(number);
    }

    /** The port it listens on. */
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** Accepts no more and closes every connection; uploads that run are held. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        connections.close().awaitUninterruptibly();
    }
}
