package org.cepheus.protocol.control;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.cepheus.domain.AccessBits;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FileKind;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.domain.port.Grant;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.OpenRequest;
import org.cepheus.domain.port.SpaceReport;

/** An MGM that remembers what it was asked and leads or follows as it is told. */
final class FakeMgm implements ControlHandler, NamespaceService {
    final Queue<Hello> hellos = new ConcurrentLinkedQueue<>();
    final Queue<Heartbeat> heartbeats = new ConcurrentLinkedQueue<>();
    final Queue<LeaseRef> renewed = new ConcurrentLinkedQueue<>();
    final Queue<String> aborted = new ConcurrentLinkedQueue<>();
    final Queue<Mutation> mutations = new ConcurrentLinkedQueue<>();
    final AtomicInteger commits = new AtomicInteger();
    final AtomicInteger greeted = new AtomicInteger();
    final AtomicInteger disconnects = new AtomicInteger();
    volatile Optional<FsError> refusal = Optional.empty();
    volatile Map<String, Bytes> attributes = Map.of();
    volatile boolean silent;
    volatile int controlPort;
    volatile long latestBoot = Long.MIN_VALUE;

    private final UUID cluster;

    FakeMgm(UUID cluster) {
        this.cluster = cluster;
    }

    MgmAddress address() {
        return new MgmAddress("127.0.0.1", 1094, 8080, 9080, controlPort);
    }

    void follow(MgmAddress leader) {
        refusal = Optional.of(new FsError.NotLeader(Optional.of(leader)));
    }

    void lead() {
        refusal = Optional.empty();
    }

    private <T> CompletionStage<T> answer(Supplier<T> value) {
        return refusal.<CompletionStage<T>>map(
                        error -> CompletableFuture.failedFuture(new FsException(error)))
                .orElseGet(() -> CompletableFuture.completedFuture(value.get()));
    }

    private CompletionStage<Void> done(Runnable action) {
        return answer(() -> action).thenAccept(Runnable::run);
    }

    @Override
    public long latestBoot(int fstId) {
        greeted.incrementAndGet();
        return latestBoot;
    }

    @Override
    public CompletionStage<HelloAccepted> register(Hello hello) {
        return answer(() -> {
            hellos.add(hello);
            return new HelloAccepted(cluster, 0, address());
        });
    }

    @Override
    public void heartbeat(int fstId, Heartbeat heartbeat) {
        heartbeats.add(heartbeat);
    }

    @Override
    public CompletionStage<Void> renew(int fstId, long bootId, List<LeaseRef> opened) {
        return done(() -> renewed.addAll(opened));
    }

    @Override
    public CompletionStage<Long> extend(Caller caller, LeaseRef lease, long wantedBytes) {
        return answer(() -> wantedBytes);
    }

    @Override
    public CompletionStage<FileStatus> commit(Caller caller, LeaseCommand.Commit commit) {
        commits.incrementAndGet();
        return silent ? new CompletableFuture<>() : answer(() -> status(commit.sizeBytes()));
    }

    @Override
    public CompletionStage<Void> abort(Caller caller, LeaseRef lease, String reason) {
        return done(() -> aborted.add(reason));
    }

    @Override
    public NamespaceService namespace() {
        return this;
    }

    @Override
    public void disconnected(int fstId) {
        disconnects.incrementAndGet();
    }

    @Override
    public CompletionStage<FileStatus> stat(Caller caller, FsPath path) {
        return answer(() -> status(1));
    }

    @Override
    public CompletionStage<DirectoryPage> list(
            Caller caller, FsPath directory, String after, int max) {
        return answer(() -> new DirectoryPage(List.of(), Optional.empty()));
    }

    @Override
    public CompletionStage<Map<String, Bytes>> attributes(Caller caller, FsPath path) {
        return answer(() -> attributes);
    }

    @Override
    public CompletionStage<SpaceReport> space(Caller caller, FsPath path) {
        return answer(() -> new SpaceReport(1, 1, List.of()));
    }

    @Override
    public CompletionStage<Grant> open(Caller caller, OpenRequest request) {
        return answer(
                () -> new Grant("t", new FstAddress(1, "localhost", 1095, 8081), Optional.empty()));
    }

    @Override
    public CompletionStage<Void> change(Caller caller, Mutation mutation) {
        return done(() -> mutations.add(mutation));
    }

    private static FileStatus status(long size) {
        return new FileStatus(
                FileKind.FILE,
                5,
                6,
                size,
                0644,
                "ana",
                "atlas",
                Instant.EPOCH,
                Instant.EPOCH,
                Instant.EPOCH,
                List.of(),
                false,
                new AccessBits(true, true, true));
    }
}
