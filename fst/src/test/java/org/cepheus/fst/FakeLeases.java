package org.cepheus.fst;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cepheus.domain.AccessBits;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FileKind;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.QuotaUnit;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.port.LeaseService;

/** A namespace that knows only leases: grants up to a quota and remembers how each one ended. */
final class FakeLeases implements LeaseService {
    final List<LeaseCommand.Commit> commits = new CopyOnWriteArrayList<>();
    final List<String> aborts = new CopyOnWriteArrayList<>();
    final List<Long> extensions = new CopyOnWriteArrayList<>();
    final List<LeaseRef> opened = new CopyOnWriteArrayList<>();
    volatile boolean gone;
    volatile long quotaBytes = Long.MAX_VALUE;
    volatile Optional<FsError> commitFailure = Optional.empty();

    @Override
    public CompletionStage<Long> extend(Caller caller, LeaseRef lease, long wantedBytes) {
        if (gone) {
            return CompletableFuture.failedFuture(
                    new FsException(new FsError.LeaseGone("the lease is gone")));
        }
        if (wantedBytes > 0) {
            extensions.add(wantedBytes);
        }
        return wantedBytes <= quotaBytes
                ? CompletableFuture.completedFuture(wantedBytes)
                : CompletableFuture.failedFuture(
                        new FsException(
                                new FsError.QuotaExceeded(
                                        FsPath.parse("/atlas"),
                                        QuotaKind.PROJECT,
                                        "",
                                        QuotaUnit.BYTES,
                                        quotaBytes,
                                        0,
                                        0,
                                        wantedBytes)));
    }

    @Override
    public CompletionStage<FileStatus> commit(Caller caller, LeaseCommand.Commit commit) {
        if (commitFailure.isPresent()) {
            return CompletableFuture.failedFuture(new FsException(commitFailure.get()));
        }
        commits.add(commit);
        return CompletableFuture.completedFuture(
                new FileStatus(
                        FileKind.FILE,
                        commit.lease().inode(),
                        commit.lease().id(),
                        commit.sizeBytes(),
                        0644,
                        "ana",
                        "atlas",
                        Instant.EPOCH,
                        Instant.EPOCH,
                        Instant.EPOCH,
                        commit.checksums(),
                        false,
                        new AccessBits(true, true, true)));
    }

    @Override
    public CompletionStage<Void> abort(Caller caller, LeaseRef lease, String reason) {
        aborts.add(reason);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void opened(LeaseRef lease) {
        opened.add(lease);
    }
}
