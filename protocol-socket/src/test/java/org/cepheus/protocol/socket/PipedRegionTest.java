package org.cepheus.protocol.socket;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cepheus.domain.port.PipedBytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Regions on the way to real sockets. */
final class PipedRegionTest {
    private static final int SECONDS = 20;

    private final EventLoopGroup loops =
            new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final CompletableFuture<Channel> accepted = new CompletableFuture<>();
    private Socket client = new Socket();

    @BeforeEach
    void connect() throws Exception {
        var initializer =
                new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new ChannelInboundHandlerAdapter());
                        accepted.complete(channel);
                    }
                };
        Channel server =
                new ServerBootstrap()
                        .group(loops)
                        .channel(EpollServerSocketChannel.class)
                        .childHandler(initializer)
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .sync()
                        .channel();
        int port = ((InetSocketAddress) server.localAddress()).getPort();
        client = new Socket(InetAddress.getLoopbackAddress(), port);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(SECONDS, TimeUnit.SECONDS);
    }

    /** Stands for a pipe: writes to the descriptor that it is given, at most so much at once. */
    private static final class Bytes implements PipedBytes {
        private final ByteBuffer rest;
        private final int most;
        private volatile boolean closed;

        Bytes(byte[] all, int most) {
            this.rest = ByteBuffer.allocateDirect(all.length).put(all).flip();
            this.most = most;
        }

        @Override
        public int left() {
            return rest.remaining();
        }

        @Override
        public int moveTo(int socket) throws IOException {
            int from = rest.position();
            int moved =
                    new FileDescriptor(socket)
                            .write(rest, from, Math.min(rest.limit(), from + most));
            rest.position(from + moved);
            return moved;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private UnixChannel socket() throws Exception {
        Channel channel = accepted.get(SECONDS, TimeUnit.SECONDS);
        return PipedRegion.socketOf(channel).orElseThrow();
    }

    private static byte[] random(int length) {
        var bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    @Test
    void itsBytesArriveBetweenWhatIsWrittenAroundIt() throws Exception {
        UnixChannel socket = socket();
        byte[] data = random(3_000_000);
        var bytes = new Bytes(data, 100_000);

        socket.write(Unpooled.copiedBuffer("head", US_ASCII));
        socket.write(new PipedRegion(socket, bytes));
        ChannelFuture last = socket.writeAndFlush(Unpooled.copiedBuffer("tail", US_ASCII));

        InputStream in = client.getInputStream();
        assertThat(in.readNBytes(4)).isEqualTo("head".getBytes(US_ASCII));
        assertThat(in.readNBytes(data.length)).isEqualTo(data);
        assertThat(in.readNBytes(4)).isEqualTo("tail".getBytes(US_ASCII));
        assertThat(last.await(SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(last.isSuccess()).isTrue();
        assertThat(bytes.closed).isTrue();
    }

    @Test
    void aRegionThatCannotLeaveIsClosedWithTheConnection() throws Exception {
        UnixChannel socket = socket();
        var stuck = new Bytes(random(30_000_000), Integer.MAX_VALUE / 2);
        var behind = new Bytes(random(10), 10);
        ChannelFuture first = socket.writeAndFlush(new PipedRegion(socket, stuck));
        ChannelFuture second = socket.writeAndFlush(new PipedRegion(socket, behind));

        client.setSoLinger(true, 0);
        client.close();

        assertThat(first.await(SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(second.await(SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(first.isSuccess()).isFalse();
        assertThat(second.isSuccess()).isFalse();
        assertThat(stuck.closed).isTrue();
        assertThat(behind.closed).isTrue();
    }

    @Test
    void itSaysHowMuchHasLeft() throws Exception {
        UnixChannel socket = socket();
        var region = new PipedRegion(socket, new Bytes(random(10), 4));

        assertThat(region.count()).isEqualTo(10);
        assertThat(region.transferTo(new Nowhere(), 0)).isEqualTo(4);
        assertThat(region.transferred()).isEqualTo(4);
        region.transferTo(new Nowhere(), 4);
        region.transferTo(new Nowhere(), 8);
        assertThat(region.transferred()).isEqualTo(10);
        assertThat(region.transferTo(new Nowhere(), 10)).isZero();
        region.release();
        assertThatThrownBy(region::retain).isInstanceOf(IllegalStateException.class);
    }

    /** The channel's own way to the socket, which is not used. */
    private static final class Nowhere implements WritableByteChannel {
        @Override
        public int write(ByteBuffer bytes) {
            throw new IllegalStateException("the bytes go past the channel");
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    @Test
    void onlySocketsThatTakeBytesAsTheyAreCanHaveThem() {
        assertThat(PipedRegion.socketOf(new EmbeddedChannel())).isEmpty();
    }
}
