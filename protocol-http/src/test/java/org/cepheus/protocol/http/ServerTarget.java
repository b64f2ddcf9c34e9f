package org.cepheus.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.Identity;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.fuzz.FuzzRun;
import org.cepheus.domain.fuzz.StillSite;
import org.cepheus.domain.port.Admission;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.Authenticator;
import org.cepheus.domain.port.Metrics;
import org.cepheus.protocol.socket.ClientFaults;
import org.cepheus.protocol.socket.ReceiveSlab;

/**
 * A server's connection without a socket, and what must hold of it whatever it is told: no fault of
 * ours, all memory given back and never much of it, it goes on reading, and the next client is
 * served.
 */
final class ServerTarget implements FuzzRun.Target {
    private static final InetSocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 8443);
    private static final long MAX_MEMORY_BYTES = 12L * 1024 * 1024;
    private static final int INPUTS_PER_CHECK = 256;
    private static final int MAX_PIECE_BYTES = 16 * 1024;

    private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(true, true);
    private final Deque<CompletableFuture<Void>> late = new ArrayDeque<>();
    private final HttpListener listener;
    private RandomGenerator random = new SplittableRandom(0);
    private boolean prompt = true;
    private String fault = "";
    private int inputs;

    private ServerTarget(boolean isManager) {
        var site = new StillSite(new FstAddress(1, "127.0.0.1", 1095, 8444), this::work);
        var services =
                new HttpServices(
                        new Anybody(),
                        new FaultWatch(),
                        Audit.NONE,
                        Admission.ALWAYS,
                        new SplittableRandom(1),
                        InstantSource.system());
        Endpoint endpoint =
                isManager
                        ? new ManagerEndpoint(
                                new HttpRole.Manager(
                                        site,
                                        () ->
                                                Optional.of(
                                                        new FstAddress(
                                                                1, "127.0.0.1", 1095, 8444))))
                        : new DataEndpoint(
                                new HttpRole.DataServer(
                                        site,
                                        site,
                                        1,
                                        () -> Optional.of(new MgmAddress("127.0.0.1", 1, 2, 0, 0))),
                                services.clock());
        var patience = Duration.ofMinutes(5);
        listener =
                new HttpListener(
                        new HttpServerConfig("127.0.0.1", 0, 100, patience, Duration.ZERO),
                        services,
                        endpoint,
                        new AtomicInteger(),
                        ClientFaults.logged());
    }

    static ServerTarget manager() {
        return new ServerTarget(true);
    }

    static ServerTarget dataServer() {
        return new ServerTarget(false);
    }

    /** The site is sometimes slow, and sometimes fails. */
    private CompletionStage<Void> work() {
        if (prompt || random.nextInt(4) > 0) {
            return StillSite.atOnce();
        }
        if (random.nextInt(8) == 0) {
            return CompletableFuture.failedFuture(
                    new FsException(new FsError.IoFailure("the disk is gone")));
        }
        var later = new CompletableFuture<Void>();
        late.add(later);
        return later;
    }

    @Override
    public void take(byte[] input, RandomGenerator chance) {
        random = chance;
        prompt = random.nextInt(3) == 0;
        talk(input);
        if (++inputs % INPUTS_PER_CHECK == 0) {
            serveTheNext();
        }
    }

    private void serveTheNext() {
        prompt = true;
        byte[] answer =
                talk("HEAD /a.txt HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(new String(answer, StandardCharsets.ISO_8859_1))
                .as("what the next client is answered")
                .startsWith("HTTP/1.1 200 ");
    }

    /** Says it all on one connection and returns what was answered. */
    private byte[] talk(byte[] input) {
        fault = "";
        var decoder = new EmbeddedChannel(new HttpRequestDecoder(decoding()));
        decoder.config().setAllocator(memory);
        var channel = new Wire(memory);
        var slab = new ReceiveSlab(HttpConnection.READS_IN_TURN);
        var connection = new HttpConnection(listener, slab);
        channel.pipeline().addLast(new HttpResponseEncoder(), connection);
        ChannelHandlerContext at = channel.pipeline().context(connection);
        boolean small = random.nextInt(3) == 0;
        for (int from = 0; from < input.length && channel.isActive(); ) {
            int most = Math.min(input.length - from, MAX_PIECE_BYTES);
            int length = small ? 1 + random.nextInt(Math.min(most, 900)) : most;
            decoder.writeInbound(memory.directBuffer(length).writeBytes(input, from, length));
            for (Object read = decoder.readInbound(); read != null; read = decoder.readInbound()) {
                if (channel.isActive()) {
                    connection.channelRead(at, read);
                } else {
                    ReferenceCountUtil.release(read);
                }
            }
            from += length;
            settle(channel, random.nextInt(late.size() + 1));
            while (channel.isActive() && !channel.config().isAutoRead() && !late.isEmpty()) {
                settle(channel, late.size());
            }
            assertThat(!channel.isActive() || channel.config().isAutoRead())
                    .as("reads on when nothing is to be done")
                    .isTrue();
        }
        channel.close();
        while (!late.isEmpty()) {
            settle(channel, late.size());
        }
        settle(channel, 0);
        decoder.finishAndReleaseAll();
        channel.checkException();
        assertThat(fault).as("faults of ours").isEmpty();
        assertThat(memory.metric().usedDirectMemory() + memory.metric().usedHeapMemory())
                .as("memory kept after the connection ended")
                .isZero();
        return ByteBufUtil.getBytes(channel.answers);
    }

    private static HttpDecoderConfig decoding() {
        return new HttpDecoderConfig()
                .setMaxInitialLineLength(HttpListener.MAX_LINE_BYTES)
                .setMaxHeaderSize(HttpListener.MAX_HEADER_BYTES)
                .setMaxChunkSize(ReceiveSlab.BULK_BYTES)
                .setStrictLineParsing(true);
    }

    private void settle(Wire channel, int completions) {
        for (int i = 0; i < completions && !late.isEmpty(); i++) {
            late.removeFirst().complete(null);
        }
        channel.turn();
        assertThat(memory.metric().usedDirectMemory())
                .as("memory in use")
                .isLessThan(MAX_MEMORY_BYTES);
    }

    private static final class Wire extends EmbeddedChannel {
        private final ByteBuf answers = Unpooled.buffer();

        Wire(UnpooledByteBufAllocator memory) {
            config().setAllocator(memory);
        }

        /** The client takes what it is sent. */
        @Override
        protected void handleOutboundMessage(Object message) {
            ByteBuf out = (ByteBuf) message;
            if (answers.writerIndex() < MAX_MEMORY_BYTES) {
                answers.writeBytes(out);
            }
            out.release();
        }

        /** One turn of the event loop. */
        void turn() {
            super.runPendingTasks();
        }

        /** A real event loop runs no task in the midst of another, as this channel would. */
        @Override
        public void runPendingTasks() {
            // Only turn() does.
        }

        @Override
        protected SocketAddress localAddress0() {
            return ADDRESS;
        }

        @Override
        protected SocketAddress remoteAddress0() {
            return ADDRESS;
        }
    }

    private static final class Anybody implements Authenticator {
        @Override
        public List<String> offers() {
            return List.of();
        }

        @Override
        public Identity authenticate(Credential credential, boolean loopback) {
            return Identity.NOBODY;
        }
    }

    /** Answers that say it was our fault. */
    private final class FaultWatch implements Metrics {
        @Override
        public void operation(String protocol, String operation, String result, long nanos) {
            if (result.contains("Internal")) {
                fault = operation + " was answered " + result;
            }
        }

        @Override
        public void bytes(String protocol, boolean received, long bytes) {}

        @Override
        public void gauge(String name, String help, LongSupplier value) {}
    }
}
