package org.cepheus.protocol.control;

import static org.cepheus.protocol.control.ControlServer.refused;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.CommandCodec;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.protocol.control.ControlMessage.Answer;
import org.cepheus.protocol.control.ControlMessage.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The MGM's side of one FST's connection: first who it is, then what it wants. */
final class FstSession implements ControlLink.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(FstSession.class);

    /** A stranger has that long to say who it is. */
    private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(20);

    private enum State {
        STRANGER,
        CHALLENGED,
        REGISTERING,
        REGISTERED
    }

    private final ControlLink link;
    private final ControlServer server;
    private volatile State state = State.STRANGER;
    private @Nullable Hello hello;
    private @Nullable Bytes expectedProof;

    FstSession(ControlLink link, ControlServer server) {
        this.link = link;
        this.server = server;
    }

    ControlLink link() {
        return link;
    }

    /** Called once the link is up: gives up strangers who say nothing. */
    @Override
    public void opened() {
        link.after(
                HANDSHAKE_TIMEOUT,
                () -> {
                    if (state != State.REGISTERED) {
                        link.close();
                    }
                });
    }

    @Override
    public void closed() {
        server.closed(link);
        Hello known = hello;
        if (state == State.REGISTERED && known != null) {
            server.left(known.fstId(), this);
        }
    }

    @Override
    public CompletionStage<Answer> requested(Request request) {
        Hello known = hello;
        return switch (state) {
            case STRANGER ->
                    request instanceof ControlMessage.Greet greet ? challenge(greet) : early();
            case CHALLENGED ->
                    request instanceof ControlMessage.Prove(Bytes proof) && known != null
                            ? register(known, proof)
                            : early();
            case REGISTERING -> early();
            case REGISTERED -> known == null ? early() : serve(known, request);
        };
    }

    private CompletionStage<Answer> early() {
        link.after(Duration.ofMillis(100), link::close);
        return refused(new FsError.PermissionDenied("say hello and prove the key first"));
    }

    private CompletionStage<Answer> challenge(ControlMessage.Greet greet) {
        Hello said = greet.hello();
        if (greet.minVersion() > ControlCodec.MAX_VERSION
                || greet.maxVersion() < ControlCodec.MIN_VERSION) {
            return refused(
                    new FsError.Unsupported(
                            "control protocol %d to %d is spoken here, the FST speaks %d to %d"
                                    .formatted(
                                            ControlCodec.MIN_VERSION,
                                            ControlCodec.MAX_VERSION,
                                            greet.minVersion(),
                                            greet.maxVersion())));
        }
        if (!said.cluster().equals(server.keys().cluster())) {
            return refused(
                    new FsError.PermissionDenied(
                            "this MGM belongs to cluster %s, FST %d to cluster %s"
                                    .formatted(
                                            server.keys().cluster(),
                                            said.fstId(),
                                            said.cluster())));
        }
        var key = server.keys().key(said.fstId());
        if (key.isEmpty() || greet.nonce().size() != Handshake.NONCE_BYTES) {
            return refused(
                    new FsError.PermissionDenied(
                            "FST %d has no key in this cluster".formatted(said.fstId())));
        }
        Bytes nonce = Handshake.nonce(server.random());
        hello = said;
        expectedProof = Handshake.fstProof(key.get(), greet.nonce(), nonce, said);
        state = State.CHALLENGED;
        int version = Math.min(greet.maxVersion(), ControlCodec.MAX_VERSION);
        return CompletableFuture.completedFuture(
                new ControlMessage.Challenge(
                        version,
                        nonce,
                        Handshake.mgmProof(key.get(), greet.nonce(), nonce, said),
                        server.handler().latestBoot(said.fstId())));
    }

    private CompletionStage<Answer> register(Hello known, Bytes proof) {
        Bytes expected = expectedProof;
        if (expected == null || !Handshake.same(expected, proof)) {
            LOG.warn("FST {} at {} does not have its key", known.fstId(), link.peer());
            link.after(Duration.ofMillis(100), link::close);
            return refused(
                    new FsError.PermissionDenied(
                            "the key of FST %d is not the one of this cluster"
                                    .formatted(known.fstId())));
        }
        state = State.REGISTERING;
        return server.handler()
                .register(known)
                .thenApply(accepted -> {
                    state = State.REGISTERED;
                    server.registered(known.fstId(), this);
                    return (Answer) new ControlMessage.Accepted(accepted);
                })
                .whenComplete((_, failure) -> {
                    if (failure != null) {
                        link.after(Duration.ofMillis(100), link::close);
                    }
                });
    }

    private CompletionStage<Answer> serve(Hello known, Request request) {
        ControlHandler handler = server.handler();
        return switch (request) {
            case ControlMessage.Beat(Heartbeat heartbeat) -> {
                handler.heartbeat(known.fstId(), heartbeat);
                yield CompletableFuture.completedFuture(new ControlMessage.Done());
            }
            case ControlMessage.Renew m ->
                    done(handler.renew(known.fstId(), known.bootId(), m.opened()));
            case ControlMessage.Extend m ->
                    handler.extend(m.caller(), m.lease(), m.wantedBytes())
                            .thenApply(ControlMessage.Amount::new);
            case ControlMessage.Commit m ->
                    handler.commit(m.caller(), m.commit()).thenApply(ControlMessage.Status::new);
            case ControlMessage.Abort m -> done(handler.abort(m.caller(), m.lease(), m.reason()));
            case ControlMessage.Stat _,
                    ControlMessage.ListEntries _,
                    ControlMessage.GetAttributes _,
                    ControlMessage.GetSpace _,
                    ControlMessage.Open _,
                    ControlMessage.Change _ ->
                    serveNamespace(handler.namespace(), request);
            case ControlMessage.Greet _,
                    ControlMessage.Prove _,
                    ControlMessage.Delete _,
                    ControlMessage.Measure _,
                    ControlMessage.EndUpload _,
                    ControlMessage.ListReads _,
                    ControlMessage.EndRead _ ->
                    refused(
                            new FsError.InvalidArgument(
                                    "%s has no place here"
                                            .formatted(request.getClass().getSimpleName())));
        };
    }

    private static CompletionStage<Answer> serveNamespace(
            NamespaceService namespace, Request request) {
        return switch (request) {
            case ControlMessage.Stat m ->
                    namespace.stat(m.caller(), m.path()).thenApply(ControlMessage.Status::new);
            case ControlMessage.ListEntries m ->
                    namespace
                            .list(
                                    m.caller(),
                                    m.directory(),
                                    m.after(),
                                    Math.clamp(m.max(), 1, PortCodec.MAX_PAGE_ENTRIES))
                            .thenApply(ControlMessage.Page::new);
            case ControlMessage.GetAttributes m ->
                    namespace
                            .attributes(m.caller(), m.path())
                            .thenApply(ControlMessage.Attributes::new);
            case ControlMessage.GetSpace m ->
                    namespace.space(m.caller(), m.path()).thenApply(ControlMessage.Space::new);
            case ControlMessage.Open m ->
                    namespace.open(m.caller(), m.request()).thenApply(ControlMessage.Granted::new);
            case ControlMessage.Change m -> done(namespace.change(m.caller(), mutation(m)));
            case ControlMessage.Greet _,
                    ControlMessage.Prove _,
                    ControlMessage.Beat _,
                    ControlMessage.Renew _,
                    ControlMessage.Extend _,
                    ControlMessage.Commit _,
                    ControlMessage.Abort _,
                    ControlMessage.Delete _,
                    ControlMessage.Measure _,
                    ControlMessage.EndUpload _,
                    ControlMessage.ListReads _,
                    ControlMessage.EndRead _ ->
                    throw new IllegalArgumentException("not for the namespace: " + request);
        };
    }

    private static Mutation mutation(ControlMessage.Change change) {
        if (CommandCodec.decode(change.mutation().toArray()) instanceof Mutation mutation) {
            return mutation;
        }
        throw new FsException(
                new FsError.InvalidArgument("a change must be a mutation, another command came"));
    }

    private static CompletionStage<Answer> done(CompletionStage<Void> stage) {
        return stage.thenApply(_ -> new ControlMessage.Done());
    }
}
