package org.cepheus.protocol.control;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.random.RandomGenerator;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.LeaseRef;
import org.cepheus.protocol.control.ControlMessage.Answer;
import org.cepheus.protocol.control.ControlMessage.Request;

/**
 * The MGM's end: lets FSTs in, hands their requests to a {@link ControlHandler}, orders deletes.
 */
public final class ControlServer implements AutoCloseable {
    /** The most connections, known FSTs and strangers together. */
    public static final int MAX_CONNECTIONS = 4_096;

    private static final Duration ORDER_TIMEOUT = Duration.ofSeconds(60);

    private final ConcurrentMap<Integer, FstSession> registered = new ConcurrentHashMap<>();
    private final Set<ControlLink> links = ConcurrentHashMap.newKeySet();
    private final ControlHandler handler;
    private final FstKeyring keys;
    private final RandomGenerator random;
    private final Channel listening;

    private ControlServer(
            InetSocketAddress address,
            EventLoopGroup group,
            ControlHandler handler,
            FstKeyring keys,
            RandomGenerator random)
            throws InterruptedException {
        this.handler = handler;
        this.keys = keys;
        this.random = random;
        this.listening =
                new ServerBootstrap()
                        .group(group)
                        .channel(Transport.server(group))
                        .option(ChannelOption.SO_REUSEADDR, true)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true)
                        .childHandler(ControlLink.initializer(this::linked))
                        .bind(address)
                        .sync()
                        .channel();
    }

    /**
     * Listens.
     *
     * @param port 0 for any that is free
     * @param random must be cryptographically strong: it makes the challenges
     * @throws IOException if the port is taken
     */
    public static ControlServer start(
            String host,
            int port,
            EventLoopGroup group,
            ControlHandler handler,
            FstKeyring keys,
            RandomGenerator random)
            throws IOException {
        try {
            var address = new InetSocketAddress(host, port);
            return new ControlServer(address, group, handler, keys, random);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while binding %s:%d".formatted(host, port), e);
        } catch (Exception e) { // Netty throws checked exceptions it does not declare
            throw new IOException(
                    "cannot listen on %s:%d for FSTs: %s".formatted(host, port, e.getMessage()), e);
        }
    }

    public int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    public boolean isConnected(int fstId) {
        return registered.containsKey(fstId);
    }

    /**
     * Orders contents to be deleted from a volume. Answers which of them are gone; the others are
     * still open there and must be ordered again later. Fails with Unavailable if the FST is not
     * connected or does not answer within a minute: repeat is safe.
     *
     * @param dataIds at most 10,000
     */
    public CompletionStage<List<Long>> orderDelete(int fstId, int volumeId, List<Long> dataIds) {
        if (dataIds.size() > ControlCodec.MAX_DELETES) {
            return CompletableFuture.failedFuture(
                    new FsException(
                            new FsError.InvalidArgument(
                                    "%d contents in one delete order, the limit is %d"
                                            .formatted(dataIds.size(), ControlCodec.MAX_DELETES))));
        }
        return ask(
                        fstId,
                        new ControlMessage.Delete(volumeId, dataIds),
                        ControlMessage.Deleted.class)
                .thenApply(ControlMessage.Deleted::dataIds);
    }

    /**
     * Asks for the size of a content, after whoever may write to it there was stopped. Fails with
     * NotFound if it has no data, and otherwise as {@link #orderDelete}.
     */
    public CompletionStage<DataMeasure> orderMeasure(
            int fstId, int volumeId, long dataId, int restoreEpoch) {
        return ask(
                        fstId,
                        new ControlMessage.Measure(volumeId, dataId, restoreEpoch),
                        ControlMessage.Measured.class)
                .thenApply(ControlMessage.Measured::measure);
    }

    /**
     * Has an upload ended whose lease is aborted, so that its client hears it at once. Fails as
     * {@link #orderDelete}.
     *
     * @param reason completes the sentence "the upload was ..."
     */
    public CompletionStage<Void> orderEnd(int fstId, LeaseRef lease, String reason) {
        return ask(fstId, new ControlMessage.EndUpload(lease, reason), ControlMessage.Done.class)
                .thenApply(_ -> null);
    }

    /**
     * Asks what is being read, the oldest first. Fails as {@link #orderDelete}.
     *
     * @param max at most so many
     */
    public CompletionStage<OpenReads> askReads(int fstId, int max) {
        return ask(fstId, new ControlMessage.ListReads(max), ControlMessage.Reads.class)
                .thenApply(ControlMessage.Reads::reads);
    }

    /**
     * Has a download ended. Fails with NotFound if it is over, and otherwise as {@link
     * #orderDelete}.
     *
     * @param reason completes the sentence "the download was ..."
     */
    public CompletionStage<Void> orderEndRead(int fstId, long number, String reason) {
        return ask(fstId, new ControlMessage.EndRead(number, reason), ControlMessage.Done.class)
                .thenApply(_ -> null);
    }

    private <A extends Answer> CompletionStage<A> ask(int fstId, Request order, Class<A> answer) {
        FstSession session = registered.get(fstId);
        return session == null
                ? CompletableFuture.failedFuture(
                        new FsException(
                                new FsError.Unavailable(
                                        "FST %d is not connected".formatted(fstId), 1)))
                : session.link().ask(order, answer, ORDER_TIMEOUT);
    }

    /** Closes every connection, as when leadership is lost: the FSTs look for the new leader. */
    public void disconnectAll() {
        links.forEach(ControlLink::close);
    }

    @Override
    public void close() {
        listening.close().awaitUninterruptibly();
        disconnectAll();
    }

    private ControlLink.Listener linked(ControlLink link) {
        if (links.size() >= MAX_CONNECTIONS) {
            link.close();
        }
        links.add(link);
        return new FstSession(link, this);
    }

    ControlHandler handler() {
        return handler;
    }

    FstKeyring keys() {
        return keys;
    }

    RandomGenerator random() {
        return random;
    }

    /** The session is the one to talk to from now on; an older one of the same FST is closed. */
    void registered(int fstId, FstSession session) {
        FstSession before = registered.put(fstId, session);
        if (before != null && before != session) {
            before.link().close();
        }
        if (!session.link().isOpen()) {
            left(fstId, session);
        }
    }

    void closed(ControlLink link) {
        links.remove(link);
    }

    void left(int fstId, FstSession session) {
        if (registered.remove(fstId, session)) {
            handler.disconnected(fstId);
        }
    }

    static CompletionStage<Answer> refused(FsError error) {
        return CompletableFuture.completedFuture(new ControlMessage.Failed(error));
    }
}
