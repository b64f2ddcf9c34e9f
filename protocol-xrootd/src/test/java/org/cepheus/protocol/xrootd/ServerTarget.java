package org.cepheus.protocol.xrootd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.fuzz.FuzzRun;
import org.cepheus.domain.fuzz.StillSite;
import org.cepheus.domain.port.Admission;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.Metrics;
import org.cepheus.protocol.socket.ClientFaults;
import org.cepheus.protocol.socket.ReceiveSlab;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;

/**
 * A server's connection without a socket, and what must hold of it whatever it is told: no fault of
 * ours, answers that are answers, all memory given back and never much of it, and the next client
 * is served.
 */
final class ServerTarget implements FuzzRun.Target {
    private static final InetSocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1094);
    private static final long MAX_MEMORY_BYTES = 12L * 1024 * 1024;
    private static final int MAX_ANSWER_BYTES = 17 * 1024 * 1024;
    private static final int INPUTS_PER_CHECK = 256;

    private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(true, true);
    private final Deque<CompletableFuture<Void>> late = new ArrayDeque<>();
    private final Function<XrootdConnection, RoleRequests> role;
    private final ServerContext context;
    private RandomGenerator random = new SplittableRandom(0);
    private boolean prompt = true;
    private String fault = "";
    private int inputs;

    private ServerTarget(boolean isManager) {
        var site = new StillSite(new FstAddress(1, "127.0.0.1", 1095, 8444), this::work);
        role =
                isManager
                        ? connection ->
                                new NamespaceRequests(
                                        new XrootdRole.Manager(
                                                site, new FakeLogin(List.of("unix"))),
                                        connection)
                        : connection ->
                                new DataRequests(
                                        new XrootdRole.DataServer(
                                                site,
                                                site,
                                                () ->
                                                        Optional.of(
                                                                new MgmAddress(
                                                                        "127.0.0.1",
                                                                        1094,
                                                                        0,
                                                                        0,
                                                                        0))),
                                        connection);
        context =
                new ServerContext(
                        new XrootdServerConfig("127.0.0.1", 0, "localhost", "fuzz"),
                        new FaultWatch(),
                        Audit.NONE,
                        new Sessions(new SplittableRandom(1)),
                        Duration.ZERO,
                        Patience.USUAL,
                        Admission.ALWAYS,
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

    /** Says it all on one connection and returns what was answered. */
    private byte[] talk(byte[] input) {
        fault = "";
        var channel = new Wire(memory);
        var connection =
                new XrootdConnection(
                        channel, context, new ReceiveSlab(XrootdServer.READS_IN_TURN), role);
        channel.pipeline().addLast(connection);
        ChannelHandlerContext at = channel.pipeline().context(connection);
        boolean inPieces = random.nextInt(3) == 0;
        for (int from = 0; from < input.length && channel.isActive(); ) {
            int most = input.length - from;
            int length = inPieces ? 1 + random.nextInt(Math.min(most, 4096)) : most;
            connection.channelRead(at, memory.directBuffer(length).writeBytes(input, from, length));
            connection.channelReadComplete(at);
            from += length;
            settle(channel, random.nextInt(late.size() + 1));
            while (channel.isActive() && !channel.config().isAutoRead() && !late.isEmpty()) {
                settle(channel, late.size());
            }
            assertThat(!channel.isActive() || channel.config().isAutoRead())
                    .as("reads on when nothing is to be done")
                    .isTrue();
        }
        if (random.nextBoolean()) {
            settle(channel, late.size());
        }
        channel.close();
        settle(channel, late.size());
        settle(channel, late.size());
        channel.checkException();
        assertThat(fault).as("faults of ours").isEmpty();
        assertThat(memory.metric().usedDirectMemory() + memory.metric().usedHeapMemory())
                .as("memory kept after the connection ended")
                .isZero();
        byte[] said = ByteBufUtil.getBytes(channel.answers);
        checkFrames(channel.answers);
        return said;
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

    /** Every answer has a known status and the length it says. */
    private static void checkFrames(ByteBuf answers) {
        while (answers.readableBytes() >= 8 && answers.writerIndex() < MAX_MEMORY_BYTES) {
            int begin = answers.readerIndex();
            answers.skipBytes(2);
            int status = answers.readUnsignedShort();
            int length = answers.readInt();
            boolean isKnown = status == 0 || (status >= 4000 && status <= 4007);
            if (!isKnown || length < 0 || length > MAX_ANSWER_BYTES) {
                throw new AssertionError(
                        "status %d and length %d at %d, behind %s"
                                .formatted(
                                        status,
                                        length,
                                        begin,
                                        ByteBufUtil.hexDump(
                                                answers,
                                                Math.max(0, begin - 60),
                                                Math.min(60, begin))));
            }
            int more =
                    status == XrootdResponse.STATUS
                            ? answers.getInt(answers.readerIndex() + 12)
                            : 0;
            answers.skipBytes(Math.min(answers.readableBytes(), length + more));
        }
    }

    private void serveTheNext() {
        prompt = true;
        ByteBuf hello = Unpooled.buffer().writeBytes(RawConnection.hello());
        hello.writeBytes(RawConnection.bytes(1, new XrootdRequest.Login(1, "me", 0, 0, 5, "")));
        hello.writeBytes(
                RawConnection.bytes(
                        2,
                        new XrootdRequest.Auth(
                                "unix",
                                org.cepheus.domain.codec.Bytes.copyOf(
                                        "unix\0me users"
                                                .getBytes(
                                                        java.nio.charset.StandardCharsets
                                                                .UTF_8)))));
        hello.writeBytes(RawConnection.bytes(3, new XrootdRequest.Ping()));
        byte[] answers = talk(ByteBufUtil.getBytes(hello));
        byte[] pong = {0, 3, 0, 0, 0, 0, 0, 0};
        assertThat(answers).as("what the next client is answered").endsWith(pong);
    }

    /** A channel that believes to have addresses. */
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
