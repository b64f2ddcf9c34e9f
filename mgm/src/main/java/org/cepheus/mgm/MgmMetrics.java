package org.cepheus.mgm;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.cepheus.domain.port.Metrics;
import org.cepheus.domain.port.OperatorService;
import org.cepheus.domain.port.QuotaReport;
import org.cepheus.mgm.raft.RaftMember;
import org.cepheus.mgm.service.FstRegistry;
import org.cepheus.mgm.service.NamespaceState;
import org.cepheus.mgm.store.RocksStore;
import org.cepheus.namespace.Queries;

/** What an MGM shows of itself, read when somebody looks; {@code metrics.md} has the names. */
record MgmMetrics(Metrics metrics, RaftMember raft, NamespaceState state, FstRegistry fsts) {
    /** Limits that are shown, the fullest first: a site may have a limit for each of its users. */
    static final int MAX_QUOTAS = 1_000;

    private static final List<String> VOLUME = List.of("volume");
    private static final List<String> QUOTA = List.of("path", "kind", "principal");

    void register() {
        ofRaft();
        ofStore();
        ofNamespace();
        ofFleet();
    }

    private void ofRaft() {
        raft.aggregator()
                .timeCommits(
                        metrics.durations(
                                "raft_commit",
                                "From handing an entry to Raft until it is applied here"));
        metrics.gauge("raft_leader", "1 while this member leads", () -> raft.isLeading() ? 1 : 0);
        metrics.gauge("raft_term", "The term of the Raft group", raft::term);
        metrics.gauge(
                "raft_pending_commands",
                "Commands that wait for the log or are under way",
                () -> raft.aggregator().pendingCommands());
        metrics.gauge(
                "raft_log_index",
                "The last entry in this member's log",
                () -> raft.progress().logIndex());
        metrics.gauge(
                "raft_committed_index",
                "The last entry that this member knows to be committed",
                () -> raft.progress().committedIndex());
        metrics.gauge(
                "raft_applied_index",
                "The last entry in this member's state",
                () -> raft.lastApplied().index());
        metrics.gauge(
                "raft_apply_queue_entries",
                "Entries that are committed and not applied here",
                () -> Math.max(0, raft.progress().committedIndex() - raft.lastApplied().index()));
        metrics.gauge(
                "raft_follower_lag_entries",
                "How far the last member is behind the leader; 0 at others",
                () -> raft.progress().followerLag());
    }

    private void ofStore() {
        store("memtable_bytes", "Rows that are only in memory", RocksStore.Load::memtableBytes);
        store("block_cache_bytes", "Rows cached in memory", RocksStore.Load::cacheBytes);
        store("file_bytes", "Rows on the disk", RocksStore.Load::fileBytes);
        store(
                "pending_compaction_bytes",
                "Bytes that compactions still have to rewrite",
                RocksStore.Load::pendingCompactionBytes);
        store("compactions", "Compactions that run", RocksStore.Load::compactions);
        store(
                "writes_stopped",
                "1 while RocksDB takes no writes until a compaction ends",
                load -> load.writesStopped() ? 1 : 0);
    }

    private void store(String name, String help, ToLongFunction<RocksStore.Load> value) {
        metrics.gauge("store_" + name, help, () -> value.applyAsLong(state.storeLoad()));
    }

    private void ofNamespace() {
        metrics.gauge(
                "files", "Files in the namespace", () -> state.ask(Queries::total).usedFiles());
        metrics.gauge(
                "used_bytes",
                "Bytes of all files in the namespace",
                () -> state.ask(Queries::total).usedBytes());
        metrics.gauge(
                "directories", "Directories in the namespace", () -> state.head().directories());
        quota(
                "used_bytes",
                "Bytes that a quota is charged",
                row -> OptionalLong.of(row.usedBytes()));
        quota(
                "reserved_bytes",
                "Bytes that running uploads hold of a quota",
                row -> OptionalLong.of(row.reservedBytes()));
        quota("limit_bytes", "The limit of a quota in bytes", QuotaReport::limitBytes);
        quota(
                "used_files",
                "Files that a quota is charged",
                row -> OptionalLong.of(row.usedFiles()));
        quota("limit_files", "The limit of a quota in files", QuotaReport::limitFiles);
    }

    private void quota(String name, String help, Function<QuotaReport, OptionalLong> value) {
        metrics.table(
                "quota_" + name,
                help,
                QUOTA,
                () ->
                        limited().stream()
                                .filter(row -> value.apply(row).isPresent())
                                .map(row ->
                                        new Metrics.Row(
                                                List.of(
                                                        row.node().value(),
                                                        row.kind().word(),
                                                        row.principal()),
                                                value.apply(row).orElseThrow()))
                                .toList());
    }

    private List<QuotaReport> limited() {
        return state.ask(Queries::quotas).stream()
                .filter(row -> row.limitBytes().isPresent() || row.limitFiles().isPresent())
                .sorted(Comparator.comparingDouble(MgmMetrics::fill).reversed())
                .limit(MAX_QUOTAS)
                .toList();
    }

    private static double fill(QuotaReport row) {
        return Math.max(
                part(row.usedBytes() + row.reservedBytes(), row.limitBytes()),
                part(row.usedFiles() + row.reservedFiles(), row.limitFiles()));
    }

    private static double part(long used, OptionalLong limit) {
        return limit.isEmpty() ? 0 : used / (double) Math.max(1, limit.getAsLong());
    }

    private void ofFleet() {
        metrics.table(
                "fst_alive",
                "1 for an FST that the leader hears of; none at others",
                List.of("fst"),
                () ->
                        fsts.fsts().stream()
                                .map(fst ->
                                        new Metrics.Row(
                                                List.of(Integer.toString(fst.address().fstId())),
                                                fst.alive() ? 1 : 0))
                                .toList());
        volume("usable", "1 for a volume that answers its FST", row -> row.usable() ? 1 : 0);
        volume("total_bytes", "The size of a volume", OperatorService.VolumeStatus::totalBytes);
        volume("free_bytes", "The room on a volume", OperatorService.VolumeStatus::freeBytes);
    }

    private void volume(
            String name, String help, ToLongFunction<OperatorService.VolumeStatus> value) {
        metrics.table(
                "volume_" + name,
                help,
                VOLUME,
                () ->
                        fsts.volumes().stream()
                                .map(row ->
                                        new Metrics.Row(
                                                List.of(Integer.toString(row.volumeId())),
                                                value.applyAsLong(row)))
                                .toList());
    }
}
