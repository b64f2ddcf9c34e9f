package org.cepheus.protocol.control;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.codec.ByteReader;
import org.cepheus.domain.codec.DecodeException;
import org.cepheus.protocol.control.ControlMessage.Answer;
import org.cepheus.protocol.control.ControlMessage.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One control connection, the same at both ends: requests go out under numbers and their answers
 * come back in any order; what was handed over by many threads in one burst leaves in one write.
 */
final class ControlLink extends SimpleChannelInboundHandler<ByteBuf> {
    /** The most requests that may wait for an answer on one connection. */
    static final int MAX_PENDING = 16_384;

    /** The most bytes that may wait for a slow peer before the connection is given up. */
    static final long MAX_QUEUED_BYTES = 64L << 20;

    private static final Duration SWEEP_PERIOD = Duration.ofMillis(500);

    private static final Logger LOG = LoggerFactory.getLogger(ControlLink.class);

    /** What the owner of a link does with what comes in; called on the event loop. */
    interface Listener {
        /** The connection is up. */
        void opened();

        CompletionStage<Answer> requested(Request request);

        void closed();
    }

    /** A request without its answer yet. */
    private record Waiting(CompletableFuture<Answer> answer, long deadlineNanos) {}

    private final Channel channel;
    private final ConcurrentMap<Long, Waiting> pending = new ConcurrentHashMap<>();
    private final AtomicLong lastNumber = new AtomicLong();
    private final Queue<byte[]> outbox = new ConcurrentLinkedQueue<>();
    private final AtomicLong queuedBytes = new AtomicLong();
    private final AtomicBoolean flushing = new AtomicBoolean();
    private volatile boolean closed;
    private @Nullable Listener listener;

    private ControlLink(Channel channel) {
        this.channel = channel;
    }

    /** Puts a link on each channel and hands it to whoever makes its listener. */
    static ChannelInitializer<Channel> initializer(LinkOwner owner) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                var link = new ControlLink(channel);
                link.listener = owner.linked(link);
                channel.closeFuture().addListener(_ -> link.ended());
                channel.pipeline()
                        .addLast(
                                new LengthFieldBasedFrameDecoder(
                                        ControlCodec.MAX_FRAME_BYTES + 4, 0, 4, 0, 4))
                        .addLast(link);
            }
        };
    }

    /** Makes the listener of a new link. */
    interface LinkOwner {
        Listener linked(ControlLink link);
    }

    /** The address of the other end, for messages. */
    String peer() {
        return String.valueOf(channel.remoteAddress());
    }

    boolean isOpen() {
        return !closed;
    }

    void close() {
        channel.close();
    }

    /** Runs something later on this link's event loop. */
    void after(Duration delay, Runnable task) {
        channel.eventLoop().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Sends a request. The stage fails with the error the other end answers, or with Unavailable if
     * the connection is lost or the time is over (then it may have happened).
     */
    <A extends Answer> CompletionStage<A> ask(Request request, Class<A> kind, Duration timeout) {
        if (pending.size() >= MAX_PENDING) {
            return CompletableFuture.failedFuture(
                    new FsException(
                            new FsError.Overloaded(
                                    "%d requests wait for the peer on the control connection"
                                            .formatted(MAX_PENDING),
                                    1)));
        }
        long number = lastNumber.incrementAndGet();
        byte[] frame = ControlCodec.encode(number, request);
        if (frame.length > ControlCodec.MAX_FRAME_BYTES) {
            return CompletableFuture.failedFuture(new FsException(tooLong(frame)));
        }
        var answer = new CompletableFuture<Answer>();
        pending.put(number, new Waiting(answer, System.nanoTime() + timeout.toNanos()));
        enqueue(frame);
        if (closed) {
            lose(number, "the control connection is lost");
        }
        return answer.thenApply(given -> {
            if (given instanceof ControlMessage.Failed(FsError error)) {
                throw new FsException(error);
            }
            if (!kind.isInstance(given)) {
                throw new FsException(
                        new FsError.Internal(
                                "the peer answered %s to %s"
                                        .formatted(
                                                given.getClass().getSimpleName(),
                                                request.getClass().getSimpleName())));
            }
            return kind.cast(given);
        });
    }

    private void lose(long number, String why) {
        Waiting waiting = pending.remove(number);
        if (waiting != null) {
            waiting.answer()
                    .completeExceptionally(new FsException(new FsError.Unavailable(why, 1)));
        }
    }

    private static FsError tooLong(byte[] frame) {
        return new FsError.TooLong(
                "a control message of %d bytes, the limit is %d"
                        .formatted(frame.length, ControlCodec.MAX_FRAME_BYTES));
    }

    private void enqueue(byte[] frame) {
        if (closed) {
            return;
        }
        outbox.add(frame);
        if (queuedBytes.addAndGet(frame.length) > MAX_QUEUED_BYTES) {
            LOG.warn("closing the control connection to {}: it does not read", peer());
            channel.close();
            return;
        }
        if (flushing.compareAndSet(false, true)) {
            channel.eventLoop().execute(this::flush);
        }
    }

    /** On the event loop: everything queued until now in one buffer and one system call. */
    private void flush() {
        flushing.set(false);
        long total = queuedBytes.get();
        if (closed || outbox.isEmpty()) {
            return;
        }
        ByteBuf burst = channel.alloc().buffer((int) Math.min(total + 1024, 1 << 20));
        int frames = 0;
        for (byte[] frame = outbox.poll(); frame != null; frame = outbox.poll()) {
            burst.writeInt(frame.length).writeBytes(frame);
            frames += frame.length;
        }
        int written = frames;
        channel.writeAndFlush(burst).addListener(_ -> queuedBytes.addAndGet(-written));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes);
        var in = new ByteReader(bytes);
        ControlCodec.Head head = ControlCodec.head(in);
        if (head.isAnswer()) {
            Answer answer = ControlCodec.answer(head.type(), in);
            Waiting waiting = pending.remove(head.number());
            if (waiting != null) {
                waiting.answer().complete(answer);
            }
        } else {
            answer(head, in);
        }
    }

    private void answer(ControlCodec.Head head, ByteReader in) {
        CompletionStage<Answer> answer;
        try {
            var request = ControlCodec.request(head.type(), in);
            answer =
                    request.isPresent()
                            ? listener().requested(request.get())
                            : failed(
                                    new FsError.Unsupported(
                                            "request type %d is not known here"
                                                    .formatted(head.type())));
        } catch (DecodeException e) {
            answer = failed(new FsError.InvalidArgument("request: " + e.getMessage()));
        } catch (FsException e) {
            answer = failed(e.error());
        }
        answer.whenComplete((given, failure) ->
                reply(
                        head.number(),
                        failure == null
                                ? given
                                : new ControlMessage.Failed(FsException.errorOf(failure))));
    }

    private void reply(long number, Answer answer) {
        byte[] frame = ControlCodec.encode(number, answer);
        enqueue(
                frame.length <= ControlCodec.MAX_FRAME_BYTES
                        ? frame
                        : ControlCodec.encode(number, new ControlMessage.Failed(tooLong(frame))));
        if (answer instanceof ControlMessage.Failed(FsError.NotLeader _)) {
            after(Duration.ofMillis(100), this::close);
        }
    }

    private static CompletionStage<Answer> failed(FsError error) {
        return CompletableFuture.completedFuture(new ControlMessage.Failed(error));
    }

    private Listener listener() {
        return Objects.requireNonNull(listener, "set before the link is in the pipeline");
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        listener().opened();
        sweep();
    }

    /** Gives up, twice a second, what waited longer than it wanted to. */
    private void sweep() {
        long now = System.nanoTime();
        pending.forEach((number, waiting) -> {
            if (waiting.deadlineNanos() - now < 0) {
                lose(number, "the other end of the control connection did not answer");
            }
        });
        if (!closed) {
            after(SWEEP_PERIOD, this::sweep);
        }
    }

    private void ended() {
        closed = true;
        outbox.clear();
        pending.keySet().forEach(number -> lose(number, "the control connection is lost"));
        listener().closed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.info("control connection to {} lost: {}", peer(), cause.getMessage());
        } else if (cause instanceof DecoderException || cause instanceof DecodeException) {
            LOG.warn("closing the control connection to {}: {}", peer(), cause.getMessage());
        } else {
            LOG.error("control connection to {}", peer(), cause);
        }
        context.close();
    }
}
