package org.cepheus.mgm.service;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.OnceKey;
import org.cepheus.domain.command.Command;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.OperatorCommand;
import org.cepheus.domain.port.OperatorOrder;
import org.cepheus.domain.port.OrderService;
import org.cepheus.mgm.raft.ReadGate;
import org.cepheus.namespace.rows.Rows.Lease;
import org.cepheus.namespace.rows.Rows.OnceReply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns what operators order into commands of the log. */
public final class OrderDesk implements OrderService {
    private static final Logger LOG = LoggerFactory.getLogger(OrderDesk.class);

    private final NamespaceState state;
    private final ReadGate gate;
    private final MgmNamespaceService namespace;
    private final Proposals proposals;
    private final Executor scans;
    private final UploadEnds uploads;

    /** How an FST hears that an upload there is over. */
    public interface UploadEnds {
        /** Tells it; the reason completes the sentence "the upload was ...". */
        CompletionStage<Void> end(int fstId, LeaseRef lease, String reason);
    }

    /**
     * Wires the desk.
     *
     * @param scans platform threads for reads that may wait for the disk
     */
    public OrderDesk(
            NamespaceState state,
            ReadGate gate,
            MgmNamespaceService namespace,
            Proposals proposals,
            Executor scans,
            UploadEnds uploads) {
        this.state = state;
        this.gate = gate;
        this.namespace = namespace;
        this.proposals = proposals;
        this.scans = scans;
        this.uploads = uploads;
    }

    @Override
    public CompletionStage<Void> order(Caller caller, OperatorOrder order, Optional<OnceKey> once) {
        return switch (order) {
            case OperatorOrder.Change(var mutation) ->
                    namespace.change(caller, mutation, carrier(mutation, once));
            case OperatorOrder.SetState(var target, var newState) ->
                    propose(caller, new OperatorCommand.SetState(target, newState), once);
            case OperatorOrder.EndTransfer(long lease) ->
                    gate.read(() -> leaseOf(caller, lease))
                            .thenCompose(found -> endTransfer(caller, found, once));
        };
    }

    // It is over when the log says so. The FST is told beside that, so that its client does not go
    // on for nothing; one that is away finds the lease gone.
    private CompletionStage<Void> endTransfer(Caller caller, Lease found, Optional<OnceKey> once) {
        String reason = "ended by " + caller.identity().user();
        return propose(caller, new LeaseCommand.Abort(found.ref(), reason), once)
                .thenRun(() ->
                        uploads.end(found.fstId(), found.ref(), reason)
                                .whenComplete((_, failure) -> {
                                    if (failure != null) {
                                        LOG.atInfo()
                                                .addKeyValue("trace", caller.trace())
                                                .log(
                                                        "FST {} did not hear that upload {} was {}: {}",
                                                        found.fstId(),
                                                        found.ref().id(),
                                                        reason,
                                                        FsException.errorOf(failure).message());
                                    }
                                }));
    }

    private static Command carrier(Command command, Optional<OnceKey> once) {
        return once.<Command>map(key -> new OperatorCommand.Once(key, command)).orElse(command);
    }

    private CompletionStage<Void> propose(Caller caller, Command command, Optional<OnceKey> once) {
        return proposals.propose(caller, carrier(command, once)).thenApply(Proposals::nothing);
    }

    private Lease leaseOf(Caller caller, long id) {
        if (!caller.identity().superuser()) {
            throw new FsException(
                    new FsError.PermissionDenied(caller.identity().user() + " is no operator"));
        }
        return state.queries()
                .lease(id)
                .orElseThrow(() ->
                        new FsException(
                                new FsError.NotFound(
                                        "no upload with the number %d runs".formatted(id))));
    }

    @Override
    public CompletionStage<Optional<Outcome>> outcome(Caller caller, OnceKey once) {
        try {
            return CompletableFuture.supplyAsync(
                            () -> gate.read(() -> state.queries().known(once)), scans)
                    .thenCompose(known -> known)
                    .thenApply(known -> known.map(OnceReply::refused).map(Outcome::new));
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(
                    new FsException(
                            new FsError.Overloaded(
                                    "too many reads wait for the disk of this member", 1)));
        }
    }
}
