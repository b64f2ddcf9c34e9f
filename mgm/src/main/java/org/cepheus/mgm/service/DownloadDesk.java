package org.cepheus.mgm.service;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.port.DownloadService;
import org.cepheus.mgm.raft.ReadGate;
import org.cepheus.protocol.control.OpenReads;

/** Asks the FSTs that are connected to this member, the leader, what is being read from them. */
public final class DownloadDesk implements DownloadService {
    private final OperatorReads reads;
    private final FstRegistry registry;
    private final Fsts fsts;

    /** How FSTs are asked. */
    public interface Fsts {
        /** The oldest files that are open for reading there, at most so many. */
        CompletionStage<OpenReads> reads(int fstId, int max);

        /** Ends one; the reason completes the sentence "the download was ...". */
        CompletionStage<Void> endRead(int fstId, long number, String reason);
    }

    /**
     * Wires the desk.
     *
     * @param scans platform threads
     */
    public DownloadDesk(ReadGate gate, Executor scans, FstRegistry registry, Fsts fsts) {
        this.reads = new OperatorReads(gate, scans);
        this.registry = registry;
        this.fsts = fsts;
    }

    @Override
    public CompletionStage<Downloads> downloads(Caller caller) {
        return reads.read(caller, this::connected).thenCompose(this::askAll);
    }

    private List<Integer> connected() {
        return registry.fsts().stream()
                .filter(fst -> fst.alive())
                .map(fst -> fst.address().fstId())
                .toList();
    }

    private CompletionStage<Downloads> askAll(List<Integer> ids) {
        CompletionStage<Downloads> all =
                CompletableFuture.completedFuture(new Downloads(List.of(), 0, List.of()));
        for (int id : ids) {
            // All are asked before the first answer is waited for.
            CompletionStage<Optional<OpenReads>> answer =
                    fsts.reads(id, MAX_OF_FST).handle((told, _) -> Optional.ofNullable(told));
            all = all.thenCombine(answer, (sum, told) -> joined(sum, id, told));
        }
        return all;
    }

    private static Downloads joined(Downloads sum, int fstId, Optional<OpenReads> told) {
        var silent = new ArrayList<>(sum.silentFsts());
        var oldest = new ArrayList<>(sum.oldest());
        if (told.isEmpty()) {
            silent.add(fstId);
            return new Downloads(oldest, sum.leftOut(), silent);
        }
        oldest.addAll(told.get().oldest());
        oldest.sort(Comparator.comparing(Download::since));
        long leftOut = (long) told.get().count() - told.get().oldest().size();
        return new Downloads(oldest, sum.leftOut() + Math.max(0, leftOut), silent);
    }

    @Override
    public CompletionStage<Void> endDownload(Caller caller, int fstId, long number) {
        return reads.read(caller, () -> reasonFor(caller, fstId))
                .thenCompose(reason -> fsts.endRead(fstId, number, reason));
    }

    private String reasonFor(Caller caller, int fstId) {
        if (registry.fsts().stream().noneMatch(fst -> fst.address().fstId() == fstId)) {
            throw new FsException(new FsError.NotFound("there is no FST %d".formatted(fstId)));
        }
        return "ended by " + caller.identity().user();
    }
}
