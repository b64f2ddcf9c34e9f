package org.cepheus.protocol.control;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.protocol.control.ControlMessage.Answer;
import org.cepheus.protocol.control.ControlMessage.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one proven connection to the leader: tries the configured MGMs in turn, goes where a
 * follower points, and begins again when the connection is lost. State changes on its event loop
 * alone; what others read is volatile.
 */
final class LeaderFinder {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderFinder.class);
    private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(20);
    private static final int CONNECT_TIMEOUT_MILLIS = 3_000;
    private static final long MIN_PAUSE_MILLIS = 20;

    /** Clients wait for an FST to find the leader: an election lasts as long as a few of these. */
    private static final long MAX_PAUSE_MILLIS = 500;

    /** Hints followed one after the other without a pause, before it is a circle. */
    private static final int MAX_HINTS = 3;

    private final EventLoop loop;
    private final FstSide fst;
    private final RandomGenerator random;
    private final Runnable found;

    private volatile @Nullable ControlClientConfig config;
    private int next;
    private int hintsFollowed;
    private boolean takenOnce;
    private long pauseMillis = MIN_PAUSE_MILLIS;
    private @Nullable MgmAddress hint;
    private @Nullable ControlLink current;
    private volatile @Nullable ControlLink leader;
    private volatile @Nullable MgmAddress manager;
    private volatile boolean closed;

    LeaderFinder(EventLoop loop, FstSide fst, RandomGenerator random, Runnable found) {
        this.loop = loop;
        this.fst = fst;
        this.random = random;
        this.found = found;
    }

    void start(ControlClientConfig whom) {
        config = whom;
        loop.execute(this::connect);
    }

    private ControlClientConfig config() {
        return Objects.requireNonNull(config, "set before anything is connected");
    }

    /** The connection to the leader, once the leader has taken this FST in. */
    Optional<ControlLink> leader() {
        ControlLink link = leader;
        return link != null && link.isOpen() ? Optional.of(link) : Optional.empty();
    }

    Optional<MgmAddress> manager() {
        return Optional.ofNullable(manager);
    }

    /** That MGM does not lead any more; perhaps it knows who does. */
    void moved(ControlLink link, Optional<MgmAddress> to) {
        loop.execute(() -> {
            if (link == current) {
                leader = null;
                hint = to.orElse(null);
                link.close();
            }
        });
    }

    void close() {
        closed = true;
        loop.execute(() -> {
            ControlLink link = current;
            if (link != null) {
                link.close();
            }
        });
    }

    private void connect() {
        if (closed) {
            return;
        }
        var target = target();
        new Bootstrap()
                .group(loop)
                .channel(Transport.client(loop.parent()))
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
                .handler(ControlLink.initializer(this::linked))
                .connect(target.host(), target.port())
                .addListener(
                        (ChannelFutureListener)
                                connecting -> {
                                    if (!connecting.isSuccess()) {
                                        LOG.debug(
                                                "no MGM at {}:{}: {}",
                                                target.host(),
                                                target.port(),
                                                String.valueOf(connecting.cause()));
                                        again();
                                    }
                                });
    }

    private ControlClientConfig.Mgm target() {
        MgmAddress hinted = hint;
        hint = null;
        if (hinted != null && hinted.controlPort() > 0 && hintsFollowed < MAX_HINTS) {
            hintsFollowed++;
            return new ControlClientConfig.Mgm(hinted.host(), hinted.controlPort());
        }
        hintsFollowed = 0;
        return config().mgms().get(next++ % config().mgms().size());
    }

    private void again() {
        boolean atOnce = hint != null && hintsFollowed < MAX_HINTS;
        long pause = atOnce ? 0 : random.nextLong(pauseMillis / 2, pauseMillis + 1);
        pauseMillis = Math.min(MAX_PAUSE_MILLIS, pauseMillis * 2);
        if (!closed) {
            loop.schedule(this::connect, pause, TimeUnit.MILLISECONDS);
        }
    }

    private ControlLink.Listener linked(ControlLink link) {
        return new ControlLink.Listener() {
            @Override
            public void opened() {
                current = link;
                introduce(link);
            }

            @Override
            public CompletionStage<Answer> requested(Request request) {
                return serve(link, request);
            }

            @Override
            public void closed() {
                if (current == link) {
                    current = null;
                    leader = null;
                    again();
                }
            }
        };
    }

    private void introduce(ControlLink link) {
        Bytes nonce = Handshake.nonce(random);
        Hello hello = config().hello();
        var greet =
                new ControlMessage.Greet(
                        ControlCodec.MIN_VERSION, ControlCodec.MAX_VERSION, hello, nonce);
        link.ask(greet, ControlMessage.Challenge.class, HANDSHAKE_TIMEOUT)
                .thenCompose(challenge -> prove(link, nonce, challenge))
                .thenCompose(
                        answer -> fst.accepted(answer.accepted()).thenApply(_ -> answer.accepted()))
                .whenCompleteAsync(
                        (accepted, failure) -> {
                            if (failure == null) {
                                taken(link, accepted);
                            } else {
                                refused(link, FsException.errorOf(failure));
                            }
                        },
                        loop);
    }

    private CompletionStage<ControlMessage.Accepted> prove(
            ControlLink link, Bytes nonce, ControlMessage.Challenge challenge) {
        Hello hello = config().hello();
        Bytes expected = Handshake.mgmProof(config().key(), nonce, challenge.nonce(), hello);
        if (!Handshake.same(expected, challenge.proof())) {
            throw new FsException(
                    new FsError.PermissionDenied(
                            "what answers at %s does not have the key of FST %d: no MGM of this cluster"
                                    .formatted(link.peer(), hello.fstId())));
        }
        if (challenge.latestBoot() > hello.bootId()) {
            throw new FsException(overtaken(hello, challenge.latestBoot()));
        }
        var proof =
                new ControlMessage.Prove(
                        Handshake.fstProof(config().key(), nonce, challenge.nonce(), hello));
        return link.ask(proof, ControlMessage.Accepted.class, HANDSHAKE_TIMEOUT);
    }

    // Whoever was taken in once was the latest then: now another process is. Whoever was not has a
    // clock that went back since the start before, and greets again as the later one it is.
    private FsError overtaken(Hello hello, long latestBoot) {
        if (takenOnce) {
            return new FsError.AlreadyExists(
                    "another process has started as FST %d since this one did: end one of them"
                            .formatted(hello.fstId()));
        }
        var before = config();
        config =
                new ControlClientConfig(
                        hello.withBoot(latestBoot + 1), before.key(), before.mgms());
        return new FsError.Unavailable("it knows a later start of this FST: greeting as later", 1);
    }

    private void taken(ControlLink link, HelloAccepted accepted) {
        if (link != current) {
            return;
        }
        LOG.info(
                "FST {} is registered with the leader at {}",
                config().hello().fstId(),
                link.peer());
        pauseMillis = MIN_PAUSE_MILLIS;
        hintsFollowed = 0;
        takenOnce = true;
        manager = accepted.leader();
        leader = link;
        found.run();
    }

    private void refused(ControlLink link, FsError error) {
        if (error instanceof FsError.NotLeader(Optional<MgmAddress> to)) {
            hint = to.orElse(null);
        } else {
            LOG.warn("the MGM at {} does not take this FST in: {}", link.peer(), error.message());
        }
        link.close();
    }

    private CompletionStage<Answer> serve(ControlLink link, Request request) {
        if (link != leader) {
            return failed(
                    new FsError.Unavailable(
                            "this FST has not yet agreed to serve this MGM: order again", 1));
        }
        if (request instanceof ControlMessage.Delete delete) {
            return fst.delete(delete.volumeId(), delete.dataIds())
                    .thenApply(ControlMessage.Deleted::new);
        }
        if (request instanceof ControlMessage.Measure m) {
            return fst.measure(m.volumeId(), m.dataId(), m.restoreEpoch())
                    .thenApply(ControlMessage.Measured::new);
        }
        if (request instanceof ControlMessage.EndUpload(var lease, var reason)) {
            return fst.endUpload(lease, reason).thenApply(_ -> new ControlMessage.Done());
        }
        if (request instanceof ControlMessage.ListReads(int max)) {
            return CompletableFuture.completedFuture(new ControlMessage.Reads(fst.reads(max)));
        }
        if (request instanceof ControlMessage.EndRead(long number, var reason)) {
            try {
                fst.endRead(number, reason);
            } catch (FsException e) {
                return failed(e.error());
            }
            return CompletableFuture.completedFuture(new ControlMessage.Done());
        }
        return failed(
                new FsError.InvalidArgument(
                        "an FST is asked for reads, to delete, to measure and to end transfers, not to "
                                + request.getClass().getSimpleName()));
    }

    private static CompletionStage<Answer> failed(FsError error) {
        return CompletableFuture.completedFuture(new ControlMessage.Failed(error));
    }
}
