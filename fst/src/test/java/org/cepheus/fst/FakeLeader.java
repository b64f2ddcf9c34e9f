package org.cepheus.fst;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
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
import org.cepheus.protocol.control.ControlHandler;
import org.cepheus.protocol.control.FstKeyring;
import org.cepheus.protocol.control.Heartbeat;
import org.cepheus.protocol.control.Hello;
import org.cepheus.protocol.control.HelloAccepted;

/** A leading MGM whose namespace is the last file that was committed. */
final class FakeLeader implements ControlHandler, NamespaceService, FstKeyring {
    final FakeLeases leases = new FakeLeases();
    final Queue<Hello> hellos = new ConcurrentLinkedQueue<>();
    final ConcurrentMap<Integer, Heartbeat> heartbeats = new ConcurrentHashMap<>();
    private volatile Optional<FileStatus> file = Optional.empty();

    @Override
    public UUID cluster() {
        return TestTickets.CLUSTER;
    }

    @Override
    public Optional<Bytes> key(int fstId) {
        return Optional.of(Bytes.copyOf(TestTickets.key(fstId).subkey("control")));
    }

    @Override
    public long latestBoot(int fstId) {
        return Long.MIN_VALUE;
    }

    @Override
    public CompletionStage<HelloAccepted> register(Hello hello) {
        hellos.add(hello);
        return done(
                new HelloAccepted(TestTickets.CLUSTER, 0, new MgmAddress("localhost", 1, 2, 3, 4)));
    }

    @Override
    public void heartbeat(int fstId, Heartbeat heartbeat) {
        heartbeats.put(fstId, heartbeat);
    }

    @Override
    public CompletionStage<Void> renew(int fstId, long bootId, List<LeaseRef> opened) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Long> extend(Caller caller, LeaseRef lease, long wantedBytes) {
        return leases.extend(caller, lease, wantedBytes);
    }

    @Override
    public CompletionStage<FileStatus> commit(Caller caller, LeaseCommand.Commit commit) {
        return leases.commit(caller, commit)
                .thenApply(status -> {
                    file = Optional.of(status);
                    return status;
                });
    }

    @Override
    public CompletionStage<Void> abort(Caller caller, LeaseRef lease, String reason) {
        return leases.abort(caller, lease, reason);
    }

    @Override
    public NamespaceService namespace() {
        return this;
    }

    @Override
    public void disconnected(int fstId) {
        heartbeats.remove(fstId);
    }

    @Override
    public CompletionStage<FileStatus> stat(Caller caller, FsPath path) {
        return file.<CompletionStage<FileStatus>>map(FakeLeader::done)
                .orElseGet(() -> failed(new FsError.NotFound("no such file: " + path)));
    }

    @Override
    public CompletionStage<DirectoryPage> list(
            Caller caller, FsPath directory, String after, int max) {
        return failed(new FsError.Unsupported("list"));
    }

    @Override
    public CompletionStage<Map<String, Bytes>> attributes(Caller caller, FsPath path) {
        return done(Map.of());
    }

    @Override
    public CompletionStage<SpaceReport> space(Caller caller, FsPath path) {
        return failed(new FsError.Unsupported("space"));
    }

    @Override
    public CompletionStage<Grant> open(Caller caller, OpenRequest request) {
        return failed(new FsError.Unsupported("open"));
    }

    @Override
    public CompletionStage<Void> change(Caller caller, Mutation mutation) {
        return failed(new FsError.Unsupported("change"));
    }

    private static <T> CompletionStage<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }

    private static <T> CompletionStage<T> failed(FsError error) {
        return CompletableFuture.failedFuture(new FsException(error));
    }
}
