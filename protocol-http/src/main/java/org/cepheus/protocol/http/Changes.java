package org.cepheus.protocol.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.SpaceReport;

/**
 * The namespace as methods of several steps use it: each call waits out an election, and a change
 * that is repeated knows its own first effect.
 */
record Changes(NamespaceService namespace) {
    private static final String USER = "user.";

    /** One command has at most 1 MiB. */
    private static final long MAX_BATCH_BYTES = 512 * 1024;

    CompletionStage<FileStatus> stat(Exchange exchange, FsPath path) {
        return exchange.held(() -> namespace.stat(exchange.caller(), path));
    }

    CompletionStage<DirectoryPage> list(
            Exchange exchange, FsPath directory, String after, int max) {
        return exchange.held(() -> namespace.list(exchange.caller(), directory, after, max));
    }

    CompletionStage<SpaceReport> space(Exchange exchange, FsPath path) {
        return exchange.held(() -> namespace.space(exchange.caller(), path));
    }

    /** Extended attributes; none for who may not read them, or if the entry is gone meanwhile. */
    CompletionStage<Map<String, Bytes>> attributes(Exchange exchange, FsPath path) {
        return exchange.held(() -> namespace.attributes(exchange.caller(), path))
                .exceptionally(failure -> {
                    FsError error = FsException.errorOf(failure);
                    if (error instanceof FsError.PermissionDenied
                            || error instanceof FsError.NotFound) {
                        return Map.of();
                    }
                    throw new FsException(error);
                });
    }

    /** Sends a removal; what is gone already is removed. */
    CompletionStage<Void> remove(Exchange exchange, Mutation removal) {
        return exchange.<Void>held(() -> namespace.change(exchange.caller(), removal))
                .exceptionally(failure -> {
                    FsError error = FsException.errorOf(failure);
                    if (error instanceof FsError.NotFound) {
                        return null;
                    }
                    throw new FsException(error);
                });
    }

    /**
     * Sends a change, again if there was no leader. A repeated change may meet its own first
     * effect; the predicate knows what that looks like.
     */
    CompletionStage<Void> change(
            Exchange exchange, Mutation mutation, Predicate<FsError> isOwnEffect) {
        var mayHaveHappened = new AtomicBoolean();
        return exchange.<Void>held(() ->
                        namespace
                                .change(exchange.caller(), mutation)
                                .whenComplete((_, failure) -> {
                                    if (failure != null
                                            && FsException.errorOf(failure)
                                                    instanceof FsError.Unavailable) {
                                        mayHaveHappened.set(true);
                                    }
                                }))
                .exceptionally(failure -> {
                    FsError error = FsException.errorOf(failure);
                    if (mayHaveHappened.get() && isOwnEffect.test(error)) {
                        return null;
                    }
                    throw new FsException(error);
                });
    }

    /** Makes a directory. */
    CompletionStage<Void> make(Exchange exchange, Mutation.MakeDirectory making) {
        return change(exchange, making, error -> error instanceof FsError.AlreadyExists);
    }

    /**
     * Gives the target the user's attributes of the source, and no others of the user's. Repeating
     * it is safe.
     */
    CompletionStage<Void> copyAttributes(
            Exchange exchange, FsPath source, FileStatus status, FsPath target) {
        CompletionStage<Map<String, Bytes>> wanted =
                status.mayHaveAttributes()
                        ? exchange.held(() -> namespace.attributes(exchange.caller(), source))
                        : CompletableFuture.completedStage(Map.of());
        return wanted.thenCombine(
                        exchange.held(() -> namespace.attributes(exchange.caller(), target)),
                        Changes::differences)
                .thenCompose(batches -> sendAll(exchange, target, batches, 0));
    }

    private CompletionStage<Void> sendAll(
            Exchange exchange,
            FsPath target,
            List<List<Mutation.AttributeChange>> batches,
            int next) {
        return next == batches.size()
                ? CompletableFuture.completedStage(null)
                : change(
                                exchange,
                                new Mutation.ChangeAttributes(target, batches.get(next)),
                                _ -> false)
                        .thenCompose(_ -> sendAll(exchange, target, batches, next + 1));
    }

    /** What has to change, in batches that fit into one command each. */
    private static List<List<Mutation.AttributeChange>> differences(
            Map<String, Bytes> wanted, Map<String, Bytes> found) {
        var changes = new ArrayList<Mutation.AttributeChange>();
        for (String name : found.keySet()) {
            if (name.startsWith(USER) && !wanted.containsKey(name)) {
                changes.add(new Mutation.AttributeChange(name, Optional.empty()));
            }
        }
        wanted.forEach((name, value) -> {
            if (name.startsWith(USER)
                    && !Optional.ofNullable(found.get(name)).equals(Optional.of(value))) {
                changes.add(new Mutation.AttributeChange(name, Optional.of(value)));
            }
        });
        var batches = new ArrayList<List<Mutation.AttributeChange>>();
        long bytes = 0;
        for (Mutation.AttributeChange change : changes) {
            bytes += change.value().map(Bytes::size).orElse(0);
            if (batches.isEmpty()
                    || bytes > MAX_BATCH_BYTES
                    || batches.getLast().size() == Mutation.MAX_CHANGES) {
                batches.add(new ArrayList<>());
                bytes = change.value().map(Bytes::size).orElse(0);
            }
            batches.getLast().add(change);
        }
        return batches;
    }
}
