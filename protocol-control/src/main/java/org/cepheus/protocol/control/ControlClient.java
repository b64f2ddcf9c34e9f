package org.cepheus.protocol.control;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.port.LeaseService;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.protocol.control.ControlMessage.Answer;
import org.cepheus.protocol.control.ControlMessage.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The FST's end: one connection to the leader, found again whenever it is lost. Calls are pipelined
 * and, where repeating is safe, repeated across a failover until their deadline.
 */
public final class ControlClient implements LeaseService, AutoCloseable {
    /** The most calls that wait for a leader. */
    public static final int MAX_WAITING = 16_384;

    /** The most leases remembered for the next renewal. */
    public static final int MAX_OPENED = ControlCodec.MAX_OPENED;

    /** How often the FST's session is renewed, unless so many opened leases come first. */
    static final Duration RENEW_PERIOD = Duration.ofSeconds(30);

    static final int RENEW_AT_OPENED = 1_000;

    private static final Duration HEARTBEAT_PERIOD = Duration.ofSeconds(1);
    private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LEASE_DEADLINE = Duration.ofMinutes(5);
    private static final Duration NAMESPACE_DEADLINE = Duration.ofSeconds(20);

    /** Between two attempts of a call that the leader could not answer yet. */
    private static final Duration RETRY_PAUSE = Duration.ofMillis(200);

    private static final Logger LOG = LoggerFactory.getLogger(ControlClient.class);

    private final LeaderFinder finder;
    private final FstSide fst;
    private final EventLoop loop;
    private final Set<LeaseRef> opened = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<Call<?>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger();
    private final NamespaceService namespace = new RemoteNamespace(this);
    private volatile boolean renewing;
    private long lastRenewalNanos;
    private volatile boolean closed;

    private ControlClient(EventLoopGroup group, FstSide fst, RandomGenerator random) {
        this.fst = fst;
        this.loop = group.next();
        this.finder = new LeaderFinder(loop, fst, random, this::leaderFound);
    }

    /**
     * Makes a client that calls nobody before {@link #connect}: what is asked of it meanwhile
     * waits.
     *
     * @param random must be cryptographically strong: it makes the challenges
     */
    public static ControlClient create(EventLoopGroup group, FstSide fst, RandomGenerator random) {
        return new ControlClient(group, fst, random);
    }

    /** Starts to look for the leader; returns at once. To be called once. */
    public void connect(ControlClientConfig config) {
        finder.start(config);
        loop.execute(this::tick);
    }

    /** The leader as last seen; empty until the first was found. */
    public Optional<MgmAddress> manager() {
        return finder.manager();
    }

    public boolean isConnected() {
        return finder.leader().isPresent();
    }

    /** The namespace as the leader answers it, for the door. */
    public NamespaceService namespace() {
        return namespace;
    }

    @Override
    public CompletionStage<Long> extend(Caller caller, LeaseRef lease, long wantedBytes) {
        return call(
                        new ControlMessage.Extend(caller, lease, wantedBytes),
                        ControlMessage.Amount.class,
                        LEASE_DEADLINE)
                .thenApply(ControlMessage.Amount::bytes);
    }

    @Override
    public CompletionStage<FileStatus> commit(Caller caller, LeaseCommand.Commit commit) {
        opened.remove(commit.lease());
        return call(
                        new ControlMessage.Commit(caller, commit),
                        ControlMessage.Status.class,
                        LEASE_DEADLINE)
                .thenApply(ControlMessage.Status::status);
    }

    @Override
    public CompletionStage<Void> abort(Caller caller, LeaseRef lease, String reason) {
        opened.remove(lease);
        return call(
                        new ControlMessage.Abort(caller, lease, reason),
                        ControlMessage.Done.class,
                        LEASE_DEADLINE)
                .thenApply(_ -> null);
    }

    @Override
    public void opened(LeaseRef lease) {
        if (opened.size() < MAX_OPENED) {
            opened.add(lease);
        } else {
            LOG.warn(
                    "{} leases wait for a renewal, lease {} is not told: it may expire",
                    MAX_OPENED,
                    lease.id());
        }
    }

    /** Repeats a request until it is answered, refused, or the time is over. */
    <A extends Answer> CompletionStage<A> call(Request request, Class<A> kind, Duration deadline) {
        var call = new Call<>(request, kind, true, deadline);
        attempt(call);
        return call.result;
    }

    /** A request of the namespace that may be repeated. */
    <A extends Answer> CompletionStage<A> query(Request request, Class<A> kind) {
        return call(request, kind, NAMESPACE_DEADLINE);
    }

    /** A request of the namespace that is not sent again once its outcome is unknown. */
    <A extends Answer> CompletionStage<A> once(Request request, Class<A> kind) {
        var call = new Call<>(request, kind, false, NAMESPACE_DEADLINE);
        attempt(call);
        return call.result;
    }

    private static final class Call<A extends Answer> {
        private final Request request;
        private final Class<A> kind;
        private final boolean repeatable;
        private final long deadlineNanos;
        private final CompletableFuture<A> result = new CompletableFuture<>();

        Call(Request request, Class<A> kind, boolean repeatable, Duration deadline) {
            this.request = request;
            this.kind = kind;
            this.repeatable = repeatable;
            this.deadlineNanos = System.nanoTime() + deadline.toNanos();
        }

        Duration left() {
            return Duration.ofNanos(deadlineNanos - System.nanoTime());
        }

        void fail(FsError error) {
            result.completeExceptionally(new FsException(error));
        }
    }

    private <A extends Answer> void attempt(Call<A> call) {
        Optional<ControlLink> leader = finder.leader();
        if (leader.isEmpty()) {
            await(call);
            return;
        }
        leader.get()
                .ask(call.request, call.kind, call.left())
                .whenComplete((answer, failure) -> {
                    if (failure == null) {
                        call.result.complete(answer);
                    } else {
                        failed(call, leader.get(), FsException.errorOf(failure));
                    }
                });
    }

    private void failed(Call<?> call, ControlLink link, FsError error) {
        switch (error) {
            case FsError.NotLeader(Optional<MgmAddress> leader) -> {
                finder.moved(link, leader);
                await(call);
            }
            case FsError.Unavailable _ when call.repeatable && !call.left().isNegative() ->
                    loop.schedule(
                            () -> attempt(call), RETRY_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            default -> call.fail(error); // every other error is the answer
        }
    }

    /** Until a leader is found or the call's time is over. */
    private void await(Call<?> call) {
        if (closed) {
            call.fail(new FsError.Unavailable("this FST is stopping", 1));
        } else if (waitingCount.get() >= MAX_WAITING) {
            call.fail(
                    new FsError.Overloaded(
                            "%d calls wait for an MGM that leads".formatted(MAX_WAITING), 5));
        } else {
            waitingCount.incrementAndGet();
            waiting.add(call);
            if (isConnected()) {
                loop.execute(this::attemptWaiting);
            }
        }
    }

    private void attemptWaiting() {
        for (int n = waitingCount.get(); n > 0; n--) {
            Call<?> call = waiting.poll();
            if (call == null) {
                return;
            }
            waitingCount.decrementAndGet();
            attempt(call);
        }
    }

    private void giveUpLate() {
        waiting.removeIf(call -> {
            boolean late = call.left().isNegative() || closed;
            if (late) {
                waitingCount.decrementAndGet();
                call.fail(
                        new FsError.Unavailable(
                                "no MGM that leads answers this FST; it goes on trying", 5));
            }
            return late;
        });
    }

    private void leaderFound() {
        lastRenewalNanos = System.nanoTime() - RENEW_PERIOD.toNanos();
        attemptWaiting();
    }

    /** Each second, on the loop. */
    private void tick() {
        giveUpLate();
        finder.leader().ifPresent(this::beat);
        if (!closed) {
            loop.schedule(this::tick, HEARTBEAT_PERIOD.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void beat(ControlLink link) {
        link.ask(
                        new ControlMessage.Beat(fst.heartbeat()),
                        ControlMessage.Done.class,
                        HEARTBEAT_TIMEOUT)
                .whenComplete((_, failure) -> {
                    if (failure != null) {
                        LOG.info("the MGM at {} does not answer", link.peer());
                        link.close();
                    }
                });
        boolean due = System.nanoTime() - lastRenewalNanos >= RENEW_PERIOD.toNanos();
        if (!renewing && (due || opened.size() >= RENEW_AT_OPENED)) {
            renew(link);
        }
    }

    private void renew(ControlLink link) {
        renewing = true;
        lastRenewalNanos = System.nanoTime();
        var told = List.copyOf(new HashSet<>(opened));
        told.forEach(opened::remove);
        link.ask(new ControlMessage.Renew(told), ControlMessage.Done.class, RENEW_PERIOD)
                .whenComplete((_, failure) -> {
                    renewing = false;
                    if (failure != null) {
                        told.forEach(this::opened);
                        LOG.info(
                                "renewing the session failed, trying again: {}",
                                FsException.errorOf(failure).message());
                        finder.moved(
                                link,
                                FsException.errorOf(failure)
                                                instanceof
                                                FsError.NotLeader(Optional<MgmAddress> at)
                                        ? at
                                        : Optional.empty());
                    }
                });
    }

    /** Fails what waits and closes the connection. */
    @Override
    public void close() {
        closed = true;
        finder.close();
        loop.execute(this::giveUpLate);
    }
}
