package org.cepheus.mgm.service;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.Reply;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.namespace.rows.Rows.Fst;
import org.cepheus.protocol.control.ControlHandler;
import org.cepheus.protocol.control.FstKeyring;
import org.cepheus.protocol.control.Heartbeat;
import org.cepheus.protocol.control.Hello;
import org.cepheus.protocol.control.HelloAccepted;

/** What the leader does for FSTs: lets them in and carries the life of their uploads to the log. */
public final class FstDesk implements ControlHandler, FstKeyring {
    /** The purpose under which an FST derives its key for the control connection. */
    public static final String CONTROL_KEY = "control";

    private final UUID cluster;
    private final MgmAddress self;
    private final NamespaceState state;
    private final Proposals proposals;
    private final FstRegistry fsts;
    private final TicketOffice tickets;
    private final NamespaceService namespace;

    public FstDesk(
            UUID cluster,
            MgmAddress self,
            NamespaceState state,
            Proposals proposals,
            FstRegistry fsts,
            TicketOffice tickets,
            NamespaceService namespace) {
        this.cluster = cluster;
        this.self = self;
        this.state = state;
        this.proposals = proposals;
        this.fsts = fsts;
        this.tickets = tickets;
        this.namespace = namespace;
    }

    @Override
    public UUID cluster() {
        return cluster;
    }

    @Override
    public Optional<Bytes> key(int fstId) {
        return fstId > 0
                ? Optional.of(Bytes.copyOf(tickets.keyOf(fstId).subkey(CONTROL_KEY)))
                : Optional.empty();
    }

    @Override
    public long latestBoot(int fstId) {
        return state.queries().fst(fstId).map(Fst::bootId).orElse(Long.MIN_VALUE);
    }

    @Override
    public CompletionStage<HelloAccepted> register(Hello hello) {
        return proposals
                .propose(
                        new FleetCommand.RegisterFst(
                                hello.address(), hello.bootId(), hello.volumes()))
                .thenApply(_ -> {
                    fsts.registered(hello);
                    return new HelloAccepted(cluster, state.head().restoreEpoch(), self);
                });
    }

    @Override
    public void heartbeat(int fstId, Heartbeat heartbeat) {
        fsts.heartbeat(fstId, heartbeat);
    }

    @Override
    public CompletionStage<Void> renew(int fstId, long bootId, List<LeaseRef> opened) {
        return proposals.propose(new FleetCommand.RenewSession(fstId, bootId, opened));
    }

    @Override
    public CompletionStage<Long> extend(Caller caller, LeaseRef lease, long wantedBytes) {
        return proposals
                .propose(caller, new LeaseCommand.ExtendReservation(lease, wantedBytes))
                .thenApply(reply -> ((Reply.Extended) reply).reservedBytes());
    }

    @Override
    public CompletionStage<FileStatus> commit(Caller caller, LeaseCommand.Commit commit) {
        return proposals
                .propose(caller, commit)
                .thenApply(reply -> ((Reply.Committed) reply).status());
    }

    @Override
    public CompletionStage<Void> abort(Caller caller, LeaseRef lease, String reason) {
        return proposals
                .propose(caller, new LeaseCommand.Abort(lease, reason))
                .thenApply(Proposals::nothing);
    }

    @Override
    public NamespaceService namespace() {
        return namespace;
    }

    @Override
    public void disconnected(int fstId) {
        fsts.disconnected(fstId);
    }
}
