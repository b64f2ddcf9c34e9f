package org.cepheus.mgm.service;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.codec.DomainCodec;
import org.cepheus.domain.port.OperatorService;
import org.cepheus.domain.port.QuotaCheck;
import org.cepheus.domain.port.QuotaReport;
import org.cepheus.domain.port.QuotaReport.NodeState;
import org.cepheus.mgm.raft.RaftMember;
import org.cepheus.namespace.Queries;
import org.cepheus.namespace.rows.Rows.Lease;
import org.cepheus.quota.QuotaRow;

/** What an operator sees of this member. Reads here are as new as this member is. */
public final class OperatorDesk implements OperatorService {
    /** The most uploads of one answer. */
    static final int MAX_TRANSFERS = 10_000;

    private final UUID cluster;
    private final String memberId;
    private final RaftMember raft;
    private final NamespaceState state;
    private final FstRegistry fsts;
    private final Executor scans;
    private final QuotaCounting counting;
    private final QuotaChecks checks;

    public OperatorDesk(
            UUID cluster,
            String memberId,
            RaftMember raft,
            NamespaceState state,
            FstRegistry fsts,
            Executor scans,
            QuotaCounting counting,
            QuotaChecks checks) {
        this.cluster = cluster;
        this.memberId = memberId;
        this.raft = raft;
        this.state = state;
        this.fsts = fsts;
        this.scans = scans;
        this.counting = counting;
        this.checks = checks;
    }

    @Override
    public ClusterStatus status() {
        QuotaRow total = state.ask(Queries::total);
        return new ClusterStatus(
                cluster.toString(),
                memberId,
                raft.role(),
                raft.leader(),
                raft.term(),
                raft.progress().committedIndex(),
                state.last().index(),
                raft.members(),
                total.usedFiles(),
                state.head().directories(),
                total.usedBytes(),
                fsts.fsts(),
                fsts.volumes());
    }

    @Override
    public CompletionStage<List<QuotaReport>> quotas(Caller caller) {
        return scan(
                caller,
                () -> {
                    Map<FsPath, Long> seen = counting.seen();
                    return state.queries().quotas().stream()
                            .map(row ->
                                    row.state() instanceof NodeState.Counting
                                            ? row.seen(seen.getOrDefault(row.node(), 0L))
                                            : row)
                            .toList();
                });
    }

    @Override
    public CompletionStage<QuotaCheck> startQuotaCheck(Caller caller, Duration limit) {
        return scan(caller, () -> checks.start(limit));
    }

    @Override
    public CompletionStage<Optional<QuotaCheck>> quotaCheck(Caller caller) {
        return scan(caller, checks::latest);
    }

    @Override
    public CompletionStage<Optional<QuotaCheck>> cancelQuotaCheck(Caller caller) {
        return scan(caller, checks::cancel);
    }

    @Override
    public CompletionStage<List<Transfer>> transfers(Caller caller, int max) {
        int limit = Math.clamp(max, 1, MAX_TRANSFERS);
        return scan(
                caller,
                () ->
                        Stream.concat(
                                        state.queries().uploads(limit).stream()
                                                .map(OperatorDesk::transfer),
                                        state.queries().unsettled(limit).stream()
                                                .map(OperatorDesk::transfer))
                                .sorted(Comparator.comparing(Transfer::since))
                                .limit(limit)
                                .toList());
    }

    @Override
    public CompletionStage<Found> find(Caller caller, long inode) {
        return scan(
                caller,
                () ->
                        state.queries()
                                .find(caller.identity(), inode)
                                .orElseThrow(() ->
                                        new FsException(
                                                new FsError.NotFound(
                                                        "nothing has the inode " + inode))));
    }

    private static Transfer transfer(Queries.Upload upload) {
        Lease lease = upload.lease();
        OptionalLong declared = lease.declaredSizeBytes();
        return new Transfer(
                OptionalLong.of(lease.ref().id()),
                upload.path(),
                lease.fstId(),
                lease.caller().identity().user(),
                lease.caller().address(),
                DomainCodec.instant(lease.sinceNanos()),
                declared,
                lease.reservedBytes(),
                lease.opened() ? "active" : "granted",
                lease.caller().trace().toString());
    }

    // What is left of an update in place whose writer was lost, until its FST says its size.
    private static Transfer transfer(Queries.UnsettledFile file) {
        return new Transfer(
                OptionalLong.empty(),
                file.path(),
                file.lost().fstId(),
                "",
                "",
                DomainCodec.instant(file.lost().sinceNanos()),
                OptionalLong.empty(),
                0,
                "unsettled",
                "");
    }

    private <T> CompletableFuture<T> scan(Caller caller, Supplier<T> query) {
        return new OperatorReads(raft.gate(), scans).read(caller, query);
    }
}
