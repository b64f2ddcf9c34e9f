package org.cepheus.mgm.service;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.codec.DomainCodec;
import org.cepheus.domain.command.Command;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.OperatorCommand;
import org.cepheus.domain.command.QuotaCommand;
import org.cepheus.domain.command.Reply;
import org.cepheus.domain.port.EventFeed;
import org.cepheus.namespace.AbortedUpload;

/**
 * The last events of the log, in memory and bounded. The apply thread puts them in and does no more
 * than that; a listener's thread finds out the paths of what was committed. Its own lock guards it.
 */
public final class EventLog implements EventFeed, NamespaceState.Listener {
    /** What is kept, as a rough count of bytes on the heap; the oldest entries go first. */
    public static final long MAX_WEIGHT = 8L << 20;

    /** The most log entries' worth of events in one batch, unless one entry has more. */
    private static final int MAX_BATCH = 1_000;

    private static final int WEIGHT_OF_EVENT = 400;

    private final Names names;
    private final Executor scans;
    private final long maxWeight;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition came = lock.newCondition();
    private final NavigableMap<Long, Slot> slots = new TreeMap<>();
    private long weight;
    private long lostUpTo;
    private long newest;

    /** Of the entry that is being applied; the apply thread's alone. */
    private List<AbortedUpload> ended = List.of();

    /** Where a directory is now. */
    public interface Names {
        Optional<FsPath> directory(long id);
    }

    private record Slot(Instant time, List<Kept> events, long weight) {}

    /** What becomes an event when somebody asks. */
    private sealed interface Kept {
        record Ready(Event event) implements Kept {}

        /** The path is looked for later: on the apply thread that would cost every upload. */
        final class Committed implements Kept {
            private final Caller caller;
            private final LeaseRef lease;
            private final long sizeBytes;

            /** Encoded, so that a busy hour is not a million objects. */
            private final byte[] checksums;

            Committed(Caller caller, LeaseRef lease, FileStatus status) {
                this.caller = caller;
                this.lease = lease;
                this.sizeBytes = status.sizeBytes();
                this.checksums = DomainCodec.encodeChecksums(status.checksums());
            }
        }

        record Aborted(Caller caller, LeaseRef lease, String reason) implements Kept {}
    }

    /**
     * An empty log.
     *
     * @param names may read the disk; asked on a thread of {@code scans}
     * @param start the last entry that was applied before
     */
    public EventLog(Names names, Executor scans, long start) {
        this(names, scans, start, MAX_WEIGHT);
    }

    EventLog(Names names, Executor scans, long start, long maxWeight) {
        this.names = names;
        this.scans = scans;
        this.maxWeight = maxWeight;
        this.lostUpTo = start;
        this.newest = start;
    }

    @Override
    public void aborted(LogEntry entry, List<AbortedUpload> uploads) {
        ended = uploads;
    }

    @Override
    public void applied(long index, LogEntry entry, List<Reply> replies) {
        Instant time = DomainCodec.instant(entry.wallNanos());
        var events = new ArrayList<Kept>();
        for (int i = 0; i < replies.size(); i++) {
            if (!(replies.get(i) instanceof Reply.Refused)
                    && !(replies.get(i) instanceof Reply.DoneBefore)) {
                LogEntry.Item item = entry.items().get(i);
                kept(index, time, item.caller(), item.command(), replies.get(i))
                        .ifPresent(events::add);
            }
        }
        for (AbortedUpload upload : ended) {
            if (!isOrdered(upload, entry)) {
                events.add(new Kept.Aborted(upload.opener(), upload.lease(), upload.reason()));
            }
        }
        ended = List.of();
        put(index, events.isEmpty() ? Optional.empty() : Optional.of(slot(time, events)));
    }

    /** Somebody asked for that end, and it is told with who it was. */
    private static boolean isOrdered(AbortedUpload upload, LogEntry entry) {
        return entry.items().stream()
                .map(item ->
                        item.command() instanceof OperatorCommand.Once once
                                ? once.command()
                                : item.command())
                .anyMatch(command ->
                        command instanceof LeaseCommand.Abort abort
                                && abort.lease().equals(upload.lease()));
    }

    @Override
    public void passed(long index) {
        put(index, Optional.empty());
    }

    // What happened in between is not known here.
    @Override
    public void exchanged(long index) {
        lock.lock();
        try {
            slots.clear();
            weight = 0;
            lostUpTo = index;
            newest = index;
            came.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void put(long index, Optional<Slot> slot) {
        lock.lock();
        try {
            newest = index;
            if (slot.isPresent()) {
                slots.put(index, slot.get());
                weight += slot.get().weight();
                while (weight > maxWeight) {
                    Map.Entry<Long, Slot> oldest = slots.firstEntry();
                    slots.remove(oldest.getKey());
                    weight -= oldest.getValue().weight();
                    lostUpTo = oldest.getKey();
                }
                came.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private static Slot slot(Instant time, List<Kept> events) {
        long weight = 0;
        for (Kept kept : events) {
            weight += WEIGHT_OF_EVENT;
            weight +=
                    switch (kept) {
                        case Kept.Ready(var event) ->
                                2L * (event.path().length() + event.details().toString().length());
                        case Kept.Committed committed -> 2L * committed.lease.name().length();
                        case Kept.Aborted aborted ->
                                2L * (aborted.lease().name().length() + aborted.reason().length());
                    };
        }
        return new Slot(time, List.copyOf(events), weight);
    }

    private static Optional<Kept> kept(
            long index, Instant time, Caller caller, Command command, Reply reply) {
        return switch (command) {
            case Mutation mutation ->
                    Optional.of(
                            new Kept.Ready(
                                    event(
                                            index,
                                            time,
                                            caller,
                                            type(mutation),
                                            mutation.path().value(),
                                            OptionalLong.empty(),
                                            details(mutation))));
            case LeaseCommand.Commit c ->
                    reply instanceof Reply.Committed(var status)
                            ? Optional.of(new Kept.Committed(caller, c.lease(), status))
                            : Optional.empty();
            case LeaseCommand.Abort c ->
                    Optional.of(new Kept.Aborted(caller, c.lease(), c.reason()));
            case OperatorCommand.Once c -> kept(index, time, caller, c.command(), reply);
            case OperatorCommand.SetState c ->
                    Optional.of(
                            new Kept.Ready(
                                    event(
                                            index,
                                            time,
                                            caller,
                                            Type.STATE,
                                            "",
                                            OptionalLong.empty(),
                                            Map.of(
                                                    "target",
                                                    c.target().toString(),
                                                    "state",
                                                    c.state().word()))));
            case LeaseCommand.OpenForWrite _,
                    LeaseCommand.ExtendReservation _,
                    FleetCommand _,
                    QuotaCommand _ ->
                    Optional.empty();
        };
    }

    private static Event event(
            long index,
            Instant time,
            Caller caller,
            Type type,
            String path,
            OptionalLong size,
            Map<String, String> details) {
        return new Event(
                index,
                time,
                type,
                path,
                caller.identity().user(),
                caller.address(),
                caller.trace().toString(),
                size,
                details);
    }

    private static Type type(Mutation mutation) {
        return switch (mutation) {
            case Mutation.MakeDirectory _ -> Type.CREATED;
            case Mutation.RemoveFile _, Mutation.RemoveDirectory _ -> Type.REMOVED;
            case Mutation.Rename _ -> Type.RENAMED;
            case Mutation.SetMode _,
                    Mutation.SetOwner _,
                    Mutation.SetModified _,
                    Mutation.SetAttribute _,
                    Mutation.RemoveAttribute _,
                    Mutation.ChangeAttributes _ ->
                    Type.CHANGED;
            case Mutation.SetQuota _, Mutation.SetDefaultQuota _, Mutation.RemoveQuota _ ->
                    Type.QUOTA;
            case Mutation.IfVersion c -> type(c.change());
        };
    }

    private static Map<String, String> details(Mutation mutation) {
        return switch (mutation) {
            case Mutation.MakeDirectory _, Mutation.RemoveDirectory _ ->
                    Map.of("kind", "directory");
            case Mutation.RemoveFile _ -> Map.of("kind", "file");
            case Mutation.Rename c -> Map.of("target", c.target().value());
            case Mutation.SetMode _ -> Map.of("what", "mode");
            case Mutation.SetOwner _ -> Map.of("what", "owner");
            case Mutation.SetModified _ -> Map.of("what", "time");
            case Mutation.SetAttribute _, Mutation.RemoveAttribute _, Mutation.ChangeAttributes _ ->
                    Map.of("what", "attributes");
            case Mutation.SetQuota c ->
                    Map.of("what", "set", "kind", c.kind().word(), "principal", c.principal());
            case Mutation.SetDefaultQuota c -> Map.of("what", "default", "kind", c.kind().word());
            case Mutation.RemoveQuota _ -> Map.of("what", "removed");
            case Mutation.IfVersion c -> details(c.change());
        };
    }

    @Override
    public long oldest() {
        lock.lock();
        try {
            return lostUpTo;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long newest() {
        lock.lock();
        try {
            return newest;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Batch after(long after, Duration patience) throws Lost, InterruptedException {
        NavigableMap<Long, Slot> found = new TreeMap<>();
        long upTo;
        lock.lockInterruptibly();
        try {
            long nanos = patience.toNanos();
            while (nanos > 0 && after >= lostUpTo && slots.higherKey(after) == null) {
                nanos = came.awaitNanos(nanos);
            }
            if (after < lostUpTo) {
                throw new Lost(after, lostUpTo);
            }
            int events = 0;
            for (Map.Entry<Long, Slot> slot : slots.tailMap(after, false).entrySet()) {
                if (events > 0 && events + slot.getValue().events().size() > MAX_BATCH) {
                    break;
                }
                found.put(slot.getKey(), slot.getValue());
                events += slot.getValue().events().size();
            }
            boolean all = found.isEmpty() || found.lastKey().equals(slots.lastKey());
            upTo = all ? Math.max(after, newest) : found.lastKey();
        } finally {
            lock.unlock();
        }
        return new Batch(found.isEmpty() ? List.of() : events(found), upTo);
    }

    private List<Event> events(NavigableMap<Long, Slot> found) {
        try {
            return CompletableFuture.supplyAsync(() -> shown(found), scans).join();
        } catch (RejectedExecutionException | CompletionException e) {
            throw new FsException(
                    new FsError.Overloaded("too many reads wait for the disk of this member", 1));
        }
    }

    private List<Event> shown(NavigableMap<Long, Slot> found) {
        var events = new ArrayList<Event>();
        found.forEach((index, slot) ->
                slot.events().forEach(kept -> events.add(shown(index, slot.time(), kept))));
        return events;
    }

    private Event shown(long index, Instant time, Kept kept) {
        return switch (kept) {
            case Kept.Ready(var event) -> event;
            case Kept.Committed committed ->
                    event(
                            index,
                            time,
                            committed.caller,
                            Type.COMMITTED,
                            pathOf(committed.lease),
                            OptionalLong.of(committed.sizeBytes),
                            shown(committed.checksums));
            case Kept.Aborted(Caller caller, LeaseRef lease, String reason) ->
                    event(
                            index,
                            time,
                            caller,
                            Type.ABORTED,
                            pathOf(lease),
                            OptionalLong.empty(),
                            Map.of("reason", reason));
        };
    }

    private String pathOf(LeaseRef lease) {
        return names.directory(lease.parent())
                .map(directory -> directory.child(lease.name()).value())
                .orElse("");
    }

    private static Map<String, String> shown(byte[] checksums) {
        return DomainCodec.checksums(checksums).stream()
                .collect(Collectors.toMap(each -> each.type().word(), each -> each.hex()));
    }
}
