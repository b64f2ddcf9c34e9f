package org.cepheus.mgm.service;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Location;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.Command;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.LeaseCommand.Intent;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.Reply;
import org.cepheus.domain.port.AccessPolicy;
import org.cepheus.domain.port.AccessPolicy.Want;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.domain.port.Grant;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.OpenRequest;
import org.cepheus.domain.port.SpaceReport;
import org.cepheus.mgm.raft.ReadGate;
import org.cepheus.namespace.Queries;
import org.cepheus.namespace.rows.Entry;
import org.cepheus.namespace.rules.Subject;
import org.cepheus.namespace.rules.Walk;
import org.cepheus.namespace.rules.Work;
import org.cepheus.namespace.store.Store;

/**
 * The namespace of this member: reads through the gate, changes through the log, opens answered
 * with a place and a ticket. A stat is answered on the caller's thread, from memory as a rule;
 * scans go to a pool.
 */
public final class MgmNamespaceService implements NamespaceService {
    /** The most entries of one page. */
    static final int MAX_PAGE = 10_000;

    private final NamespaceState state;
    private final ReadGate gate;
    private final Proposals proposals;
    private final FstRegistry fsts;
    private final TicketOffice tickets;
    private final AccessPolicy policy;
    private final Executor scans;

    /**
     * Wires the service.
     *
     * @param scans platform threads for reads of many rows; rejects when its queue is full
     */
    public MgmNamespaceService(
            NamespaceState state,
            ReadGate gate,
            Proposals proposals,
            FstRegistry fsts,
            TicketOffice tickets,
            AccessPolicy policy,
            Executor scans) {
        this.state = state;
        this.gate = gate;
        this.proposals = proposals;
        this.fsts = fsts;
        this.tickets = tickets;
        this.policy = policy;
        this.scans = scans;
    }

    private Queries queries() {
        return state.queries();
    }

    @Override
    public CompletionStage<FileStatus> stat(Caller caller, FsPath path) {
        return allowed(
                caller,
                Want.READ,
                path,
                () -> read(queries -> queries.stat(caller.identity(), path)));
    }

    @Override
    public CompletionStage<DirectoryPage> list(
            Caller caller, FsPath directory, String after, int max) {
        if (max < 1 || max > MAX_PAGE) {
            return failed(
                    new FsError.InvalidArgument(
                            "a page has 1 to %d entries, asked for are %d"
                                    .formatted(MAX_PAGE, max)));
        }
        return allowed(
                caller,
                Want.LIST,
                directory,
                () -> scan(() -> queries().list(caller.identity(), directory, after, max)));
    }

    @Override
    public CompletionStage<Map<String, Bytes>> attributes(Caller caller, FsPath path) {
        return allowed(
                caller,
                Want.READ,
                path,
                () -> scan(() -> queries().attributes(caller.identity(), path)));
    }

    @Override
    public CompletionStage<SpaceReport> space(Caller caller, FsPath path) {
        return allowed(
                caller,
                Want.READ,
                path,
                () ->
                        scan(() -> {
                            long[] totalAndFree = fsts.capacity();
                            return new SpaceReport(
                                    totalAndFree[0],
                                    totalAndFree[1],
                                    queries().quotasAt(caller.identity(), path));
                        }));
    }

    @Override
    public CompletionStage<Void> change(Caller caller, Mutation mutation) {
        return change(caller, mutation, mutation);
    }

    /** The same with a command that carries the mutation. */
    CompletionStage<Void> change(Caller caller, Mutation mutation, Command carrier) {
        Mutation change =
                mutation instanceof Mutation.IfVersion conditional
                        ? conditional.change()
                        : mutation;
        Want want =
                switch (change) {
                    case Mutation.IfVersion _ ->
                            throw new IllegalStateException("a condition of a condition");
                    case Mutation.MakeDirectory _ -> Want.CREATE;
                    case Mutation.RemoveFile _, Mutation.RemoveDirectory _, Mutation.Rename _ ->
                            Want.DELETE;
                    case Mutation.SetMode _,
                            Mutation.SetOwner _,
                            Mutation.SetModified _,
                            Mutation.SetAttribute _,
                            Mutation.RemoveAttribute _,
                            Mutation.ChangeAttributes _,
                            Mutation.SetQuota _,
                            Mutation.SetDefaultQuota _,
                            Mutation.RemoveQuota _ ->
                            Want.CHANGE;
                };
        Optional<FsError> target =
                change instanceof Mutation.Rename rename
                        ? policy.refusal(caller, Want.CREATE, rename.target())
                        : Optional.empty();
        if (target.isPresent()) {
            return failed(target.get());
        }
        return allowed(
                caller,
                want,
                mutation.path(),
                () -> proposals.propose(caller, carrier).thenApply(Proposals::nothing));
    }

    @Override
    public CompletionStage<Grant> open(Caller caller, OpenRequest request) {
        if (request.writing().isEmpty()) {
            return allowed(caller, Want.READ, request.path(), () -> openForRead(caller, request));
        }
        return switch (request.writing().get()) {
            case NEW, REPLACE ->
                    allowed(
                            caller,
                            Want.CREATE,
                            request.path(),
                            () -> openNewContent(caller, request));
            case UPDATE ->
                    allowed(
                            caller,
                            Want.CHANGE,
                            request.path(),
                            () -> openInPlace(caller, request));
        };
    }

    private CompletableFuture<Grant> openForRead(Caller caller, OpenRequest request) {
        return read(queries -> {
            Queries.ReadTarget target = queries.openForRead(caller.identity(), request.path());
            // Contents have one location until they can be moved.
            Location location = target.locations().getFirst();
            return tickets.reading(
                    caller,
                    request.path(),
                    target,
                    location,
                    state.head().restoreEpoch(),
                    fsts.placeAt(location.volumeId(), wish(request)));
        });
    }

    private static FstRegistry.Wish wish(OpenRequest request) {
        return new FstRegistry.Wish(
                request.declaredSizeBytes(),
                request.atFst(),
                request.avoidFsts(),
                request.avoidHosts());
    }

    /** Behind the gate, because only the leader knows FSTs: elsewhere there seems to be none. */
    private CompletableFuture<Grant> openNewContent(Caller caller, OpenRequest request) {
        return gate.read(() -> fsts.placeNew(wish(request)))
                .thenCompose(place -> propose(caller, request, place, Optional.empty()));
    }

    /** The content is where it is: only an FST of that volume can change it. */
    private CompletableFuture<Grant> openInPlace(Caller caller, OpenRequest request) {
        return read(queries -> inPlace(queries, caller, request.path()))
                .thenCompose(found ->
                        propose(
                                caller,
                                request,
                                fsts.placeInPlace(found.volumeId(), wish(request)),
                                Optional.of(found.status())));
    }

    private record InPlace(FileStatus status, int volumeId) {}

    private static InPlace inPlace(Queries queries, Caller caller, FsPath path) {
        return queries.read(view -> {
            Subject subject = Subject.of(view, caller.identity());
            Entry.File file = Walk.to(view, subject, path).existingFile();
            return new InPlace(
                    Work.status(view, subject, file), file.locations().getFirst().volumeId());
        });
    }

    private CompletableFuture<Grant> propose(
            Caller caller,
            OpenRequest request,
            FstRegistry.Place place,
            Optional<FileStatus> status) {
        var command =
                new LeaseCommand.OpenForWrite(
                        request.path(),
                        request.writing().orElse(Intent.NEW),
                        request.makeParents(),
                        request.mode(),
                        request.declaredSizeBytes(),
                        new LeaseCommand.Placement(
                                place.volumeId(), place.fst().fstId(), place.bootId()));
        return proposals
                .propose(caller, command)
                .thenApply(reply ->
                        tickets.writing(
                                caller,
                                request,
                                (Reply.Opened) reply,
                                state.head().restoreEpoch(),
                                place,
                                status));
    }

    /**
     * Answers on the caller's thread, an event loop, if memory has the answer, and on a thread that
     * may wait for the disk if not.
     */
    private <T> CompletableFuture<T> read(Function<Queries, T> query) {
        CompletableFuture<T> quick;
        try {
            quick = gate.read(() -> query.apply(queries().inMemory()));
        } catch (Store.NotCached e) {
            return fromDisk(query);
        }
        if (!quick.isDone()) {
            return quick.exceptionallyCompose(
                    e -> isNotCached(e) ? fromDisk(query) : CompletableFuture.failedFuture(e));
        }
        return quick.isCompletedExceptionally() && isNotCached(quick.exceptionNow())
                ? fromDisk(query)
                : quick;
    }

    private <T> CompletableFuture<T> fromDisk(Function<Queries, T> query) {
        return scan(() -> query.apply(queries()));
    }

    private static boolean isNotCached(Throwable failure) {
        return failure instanceof Store.NotCached || failure.getCause() instanceof Store.NotCached;
    }

    private <T> CompletableFuture<T> scan(Supplier<T> query) {
        var result = new CompletableFuture<T>();
        try {
            scans.execute(() ->
                    gate.read(query)
                            .whenComplete((value, failure) -> {
                                if (failure == null) {
                                    result.complete(value);
                                } else {
                                    result.completeExceptionally(failure);
                                }
                            }));
        } catch (RejectedExecutionException e) {
            return failed(
                    new FsError.Overloaded("too many reads wait for the disk of this member", 1));
        }
        return result;
    }

    private <T> CompletableFuture<T> allowed(
            Caller caller, Want want, FsPath path, Supplier<CompletableFuture<T>> then) {
        Optional<FsError> refusal = policy.refusal(caller, want, path);
        return refusal.isPresent() ? failed(refusal.get()) : then.get();
    }

    private static <T> CompletableFuture<T> failed(FsError error) {
        return CompletableFuture.failedFuture(new FsException(error));
    }
}
