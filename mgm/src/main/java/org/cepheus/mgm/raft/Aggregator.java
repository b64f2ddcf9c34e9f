package org.cepheus.mgm.raft;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.cepheus.domain.FsError;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.codec.DomainCodec;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers commands into log entries: one entry costs a disk write however many commands it carries.
 * An entry goes out at once when none is under way, so that a lone client never waits, and grows
 * while one is. More go beside it only if they are worth a disk write of their own.
 *
 * <p>Any thread hands in commands; one thread of its own builds and appends entries; the apply
 * thread brings the replies. Replies are found by the number of the batch in the entry and never by
 * what Ratis says of the request: an entry may commit after its leader stepped down.
 */
public final class Aggregator implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Aggregator.class);

    /** Commands that may wait or be under way; more are answered Overloaded. */
    static final int MAX_PENDING_COMMANDS = 32_768;

    /** The same in bytes. */
    static final long MAX_PENDING_BYTES = 64L << 20;

    /** An entry that has more is sent; one command alone may be longer. */
    static final int MAX_ENTRY_BYTES = 256 << 10;

    /** So many commands go out beside the entries under way; fewer wait for the first to end. */
    static final int WORTHWHILE_COMMANDS = 24;

    /** How long an entry may be under way on a leader before its callers are told to ask again. */
    static final long LEADING_PATIENCE_NANOS = 20_000_000_000L;

    /** The same after leadership was lost. */
    static final long LOST_PATIENCE_NANOS = 5_000_000_000L;

    private static final long TICK_NANOS = 100_000_000L;
    private static final int CHECK_EACH_ENTRIES = 64;
    private static final int RETRY_SECONDS = 2;

    private final Frame frame;
    private final EntryLog log;
    private final LongSupplier monotonicNanos;
    private final InstantSource wall;
    private final LeaseTimer leases = new LeaseTimer();
    private final Queue<Waiting> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pendingCommands = new AtomicInteger();
    private final AtomicLong pendingBytes = new AtomicLong();
    private final Map<Long, Batch> underWay = new ConcurrentHashMap<>();
    private final AtomicInteger entriesUnderWay = new AtomicInteger();
    private final AtomicInteger commandsUnderWay = new AtomicInteger();
    private final AtomicLong bytesUnderWay = new AtomicLong();
    private final Thread thread;
    private volatile LongConsumer commitTimes = _ -> {};
    private volatile boolean parked;
    private volatile boolean open = true;
    private long sequence;
    private long ledNanos;

    /**
     * What the aggregator must know of the replica around it.
     *
     * @param proposer drawn at each start of the process
     * @param leaseNanos the lease clock of the applied state
     * @param check the chain hash at the index applied last
     * @param leader where the leader is, for callers who came to the wrong member
     * @param maxEntriesUnderWay entries that may be under way at once, 1 to 64
     */
    public record Frame(
            UUID cluster,
            long proposer,
            LongSupplier leaseNanos,
            Supplier<Optional<LogEntry.ChainCheck>> check,
            Supplier<Optional<MgmAddress>> leader,
            int maxEntriesUnderWay) {}

    /** One command that somebody waits for. */
    private static final class Waiting {
        private final byte[] bytes;
        private final CompletableFuture<Reply> reply = new CompletableFuture<>();

        Waiting(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /** One entry on its way. */
    private static final class Batch {
        private final List<Waiting> commands;
        private final long sentNanos;
        private volatile long index = Long.MAX_VALUE;

        Batch(List<Waiting> commands, long sentNanos) {
            this.commands = commands;
            this.sentNanos = sentNanos;
        }
    }

    Aggregator(Frame frame, EntryLog log, LongSupplier monotonicNanos, InstantSource wall) {
        this.frame = frame;
        this.log = log;
        this.monotonicNanos = monotonicNanos;
        this.wall = wall;
        this.ledNanos = monotonicNanos.getAsLong();
        this.thread = Thread.ofPlatform().name("aggregator").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /**
     * Hands in a command. The reply comes on the apply thread, so whoever continues must hand over
     * quickly. It is {@code Refused} with NotLeader or Overloaded if the command is in no log, and
     * with Unavailable if it may have happened.
     */
    public CompletableFuture<Reply> submit(LogEntry.Item item) {
        if (!open || !log.isLeading()) {
            return refused(new FsError.NotLeader(frame.leader().get()));
        }
        byte[] bytes = LogEntry.encode(item);
        if (bytes.length > LogEntry.MAX_COMMAND_BYTES) {
            return refused(
                    new FsError.TooLong(
                            "the command has %d bytes, the limit is %d"
                                    .formatted(bytes.length, LogEntry.MAX_COMMAND_BYTES)));
        }
        if (!reserve(bytes.length)) {
            return refused(
                    new FsError.Overloaded(
                            "%d commands wait for the log, the limit is %d (or %d bytes)"
                                    .formatted(
                                            pendingCommands.get(),
                                            MAX_PENDING_COMMANDS,
                                            MAX_PENDING_BYTES),
                            RETRY_SECONDS));
        }
        var waiting = new Waiting(bytes);
        queue.add(waiting);
        wake();
        if (!open) {
            drain();
        }
        return waiting.reply;
    }

    private boolean reserve(int bytes) {
        int commands = pendingCommands.incrementAndGet();
        long total = pendingBytes.addAndGet(bytes);
        if (commands > MAX_PENDING_COMMANDS || total > MAX_PENDING_BYTES) {
            pendingCommands.decrementAndGet();
            pendingBytes.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    private static CompletableFuture<Reply> refused(FsError error) {
        return CompletableFuture.completedFuture(new Reply.Refused(error));
    }

    /** Who proposes, as the entries of this run say. */
    public long proposer() {
        return frame.proposer();
    }

    /** The leader's lease clock as it would be stamped now; stands still on others. */
    public long leaseNanos() {
        return leases.now();
    }

    /** From now on it is told how long each entry took, on the apply thread. */
    public void timeCommits(LongConsumer nanos) {
        commitTimes = nanos;
    }

    /** Commands that wait or are under way. */
    public int pendingCommands() {
        return pendingCommands.get();
    }

    // While enough entries are under way a wake-up would find nothing to do; the end of one wakes.
    private void wake() {
        if (parked && maySend()) {
            LockSupport.unpark(thread);
        }
    }

    private boolean maySend() {
        int entries = entriesUnderWay.get();
        return !queue.isEmpty()
                && (entries == 0 || (entries < frame.maxEntriesUnderWay() && isWorthwhile()));
    }

    // After leadership was lost nobody shall wait for an entry that may never end.
    private boolean isWorthwhile() {
        return pendingCommands.get() - commandsUnderWay.get() >= WORTHWHILE_COMMANDS
                || pendingBytes.get() - bytesUnderWay.get() >= MAX_ENTRY_BYTES
                || !log.isLeading();
    }

    private void run() {
        while (open) {
            tick();
            if (maySend()) {
                send();
                continue;
            }
            parked = true;
            if (!maySend() && open) {
                LockSupport.parkNanos(this, TICK_NANOS);
            }
            parked = false;
        }
        drain();
    }

    private void tick() {
        long now = monotonicNanos.getAsLong();
        if (log.isLeading()) {
            ledNanos = now;
            leases.startAt(frame.leaseNanos().getAsLong(), now);
            leases.tick(now);
        } else {
            leases.stop();
        }
        giveUpOld(now);
    }

    /** An unknown outcome stays unknown when the patience is over: it may have happened. */
    private void giveUpOld(long now) {
        boolean leads = now == ledNanos;
        underWay.forEach((number, batch) -> {
            boolean over =
                    leads
                            ? now - batch.sentNanos > LEADING_PATIENCE_NANOS
                            : now - Math.max(batch.sentNanos, ledNanos) > LOST_PATIENCE_NANOS;
            if (over) {
                unknown(number, "no majority of the MGMs answered in time");
            }
        });
    }

    private void send() {
        var commands = new ArrayList<Waiting>();
        var bytes = new ArrayList<byte[]>();
        int size = 0;
        for (Waiting next = queue.peek();
                next != null
                        && commands.size() < LogEntry.MAX_ITEMS
                        && (size == 0 || size + next.bytes.length <= MAX_ENTRY_BYTES);
                next = queue.peek()) {
            queue.remove();
            commands.add(next);
            bytes.add(next.bytes);
            size += next.bytes.length;
        }
        long number = sequence++;
        var batch = new Batch(commands, monotonicNanos.getAsLong());
        underWay.put(number, batch);
        entriesUnderWay.incrementAndGet();
        commandsUnderWay.addAndGet(commands.size());
        bytesUnderWay.addAndGet(size);
        long index;
        try {
            index = log.append(LogEntry.encode(head(number), bytes));
        } catch (RuntimeException e) {
            // Whether it got into the log is not known; it is found by its number or given up.
            LOG.error("appending entry {} failed", number, e);
            return;
        }
        if (index != EntryLog.REFUSED) {
            batch.index = index;
        } else if (finish(number).isPresent()) {
            refuseAll(commands, new FsError.NotLeader(frame.leader().get()));
        }
    }

    private LogEntry head(long number) {
        Instant now = wall.instant();
        return new LogEntry(
                frame.cluster(),
                new LogEntry.BatchId(frame.proposer(), number),
                DomainCodec.nanos(now),
                leases.now(),
                LogEntry.FEATURE_LEVEL,
                number % CHECK_EACH_ENTRIES == 0 ? frame.check().get() : Optional.empty(),
                List.of());
    }

    /**
     * The apply thread has applied an entry of commands.
     *
     * @param replies one for each command, in order
     */
    void applied(long index, LogEntry.BatchId id, List<Reply> replies) {
        if (id.proposer() == frame.proposer()) {
            finish(id.sequence())
                    .ifPresent(batch -> {
                        commitTimes.accept(monotonicNanos.getAsLong() - batch.sentNanos);
                        answer(batch, replies);
                    });
        }
        appliedUpTo(index);
    }

    /** The apply thread has passed that index: whatever else we had there was cut off the log. */
    void appliedUpTo(long index) {
        if (underWay.isEmpty()) {
            return;
        }
        underWay.forEach((number, batch) -> {
            if (batch.index <= index) {
                unknown(number, "another leader took over");
            }
        });
    }

    private void answer(Batch batch, List<Reply> replies) {
        if (replies.size() != batch.commands.size()) {
            throw new IllegalStateException(
                    "%d replies for %d commands".formatted(replies.size(), batch.commands.size()));
        }
        for (int i = 0; i < replies.size(); i++) {
            batch.commands.get(i).reply.complete(replies.get(i));
        }
    }

    private void unknown(long number, String why) {
        finish(number)
                .ifPresent(batch ->
                        refuseAll(
                                batch.commands,
                                new FsError.Unavailable(
                                        why
                                                + " before this was confirmed; it may have happened, repeat it",
                                        RETRY_SECONDS)));
    }

    private Optional<Batch> finish(long number) {
        Batch batch = underWay.remove(number);
        if (batch == null) {
            return Optional.empty();
        }
        entriesUnderWay.decrementAndGet();
        long bytes = 0;
        for (Waiting command : batch.commands) {
            bytes += command.bytes.length;
        }
        pendingBytes.addAndGet(-bytes);
        bytesUnderWay.addAndGet(-bytes);
        pendingCommands.addAndGet(-batch.commands.size());
        commandsUnderWay.addAndGet(-batch.commands.size());
        wake();
        return Optional.of(batch);
    }

    private static void refuseAll(List<Waiting> commands, FsError error) {
        commands.forEach(command -> command.reply.complete(new Reply.Refused(error)));
    }

    private void drain() {
        for (Waiting next = queue.poll(); next != null; next = queue.poll()) {
            next.reply.complete(
                    new Reply.Refused(
                            new FsError.Unavailable("the MGM is stopping", RETRY_SECONDS)));
        }
    }

    /** Takes no more; whoever waits is told that the outcome is unknown. */
    @Override
    public void close() {
        open = false;
        LockSupport.unpark(thread);
        drain();
        List.copyOf(underWay.keySet()).forEach(number -> unknown(number, "the MGM stopped"));
    }
}
