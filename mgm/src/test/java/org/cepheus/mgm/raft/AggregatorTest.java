package org.cepheus.mgm.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.Reply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class AggregatorTest {
    private static final UUID CLUSTER = new UUID(1, 2);
    private static final long PROPOSER = 42;
    private static final MgmAddress LEADER = new MgmAddress("other", 1, 2, 3, 4);

    private final FakeLog log = new FakeLog();
    private final AtomicLong nanos = new AtomicLong(1_000);
    private final Aggregator aggregator =
            new Aggregator(
                    new Aggregator.Frame(
                            CLUSTER,
                            PROPOSER,
                            () -> 500,
                            () -> Optional.of(new LogEntry.ChainCheck(7, 8)),
                            () -> Optional.of(LEADER),
                            4),
                    log,
                    nanos::get,
                    InstantSource.fixed(Instant.ofEpochSecond(100)));

    /** A log that keeps entries until the test commits them. */
    private static final class FakeLog implements EntryLog {
        private final BlockingQueue<LogEntry> entries = new LinkedBlockingQueue<>();
        private volatile boolean leading = true;
        private volatile boolean refusing;
        private long next = 10;

        @Override
        public boolean isLeading() {
            return leading;
        }

        @Override
        public long append(byte[] entry) {
            if (refusing) {
                return REFUSED;
            }
            entries.add(LogEntry.decode(entry));
            return next++;
        }

        LogEntry take() throws InterruptedException {
            LogEntry entry = entries.poll(10, TimeUnit.SECONDS);
            assertThat(entry).as("an entry within 10 s").isNotNull();
            return Objects.requireNonNull(entry);
        }
    }

    @AfterEach
    void close() {
        aggregator.close();
    }

    private CompletableFuture<Reply> submit(int number) {
        return aggregator.submit(item("/d" + number));
    }

    private static LogEntry.Item item(String path) {
        return new LogEntry.Item(
                Caller.SYSTEM, new Mutation.MakeDirectory(FsPath.parse(path), 0755, false));
    }

    private void commit(long index, LogEntry entry) {
        List<Reply> replies = new ArrayList<>();
        for (int i = 0; i < entry.items().size(); i++) {
            replies.add(new Reply.Extended(index * 1_000 + i));
        }
        aggregator.applied(index, entry.batch(), replies);
    }

    private static FsError refusal(CompletableFuture<Reply> reply) throws Exception {
        return ((Reply.Refused) reply.get(10, TimeUnit.SECONDS)).error();
    }

    @Test
    void sendsALoneCommandAtOnceAndAnswersFromApply() throws Exception {
        aggregator.start();

        CompletableFuture<Reply> reply = submit(1);
        LogEntry entry = log.take();
        assertThat(reply).isNotDone();
        commit(10, entry);

        assertThat(reply).isCompletedWithValue(new Reply.Extended(10_000));
        assertThat(entry.cluster()).isEqualTo(CLUSTER);
        assertThat(entry.batch()).isEqualTo(new LogEntry.BatchId(PROPOSER, 0));
        assertThat(entry.wallNanos()).isEqualTo(100_000_000_000L);
        assertThat(entry.check()).contains(new LogEntry.ChainCheck(7, 8));
        assertThat(aggregator.pendingCommands()).isZero();
    }

    @Test
    void gathersWhileAnEntryIsUnderWay() throws Exception {
        aggregator.start();
        submit(1);
        LogEntry first = log.take();

        for (int i = 0; i < Aggregator.WORTHWHILE_COMMANDS - 1; i++) {
            submit(100 + i);
        }
        assertThat(log.entries).isEmpty();
        commit(10, first);

        assertThat(log.take().items()).hasSize(Aggregator.WORTHWHILE_COMMANDS - 1);
    }

    @Test
    void sendsNoMoreThanFourEntriesAndKeepsTheOrder() throws Exception {
        aggregator.start();
        var first = new ArrayList<LogEntry>();
        for (int i = 0; i < 4; i++) {
            first.add(worthwhileEntry());
        }

        var replies = new ArrayList<CompletableFuture<Reply>>();
        int few = Aggregator.WORTHWHILE_COMMANDS - 1;
        int commands = LogEntry.MAX_ITEMS + few;
        for (int i = 0; i < commands; i++) {
            replies.add(submit(100 + i));
        }
        assertThat(log.entries).isEmpty();
        commit(10, first.get(0));
        LogEntry full = log.take();
        for (int i = 1; i < 4; i++) {
            commit(10 + i, first.get(i));
        }
        assertThat(log.entries).isEmpty();
        commit(14, full);
        LogEntry rest = log.take();
        commit(15, rest);

        assertThat(full.items()).hasSize(LogEntry.MAX_ITEMS);
        assertThat(rest.items()).hasSize(few);
        assertThat(full.items().getFirst()).isEqualTo(item("/d100"));
        assertThat(rest.items().getLast()).isEqualTo(item("/d" + (99 + commands)));
        assertThat(replies.getLast()).isCompletedWithValue(new Reply.Extended(15_000 + few - 1));
    }

    @Test
    void keepsEntriesShort() throws Exception {
        for (int i = 0; i < 4; i++) {
            aggregator.submit(large());
        }
        aggregator.start();

        LogEntry first = log.take();
        commit(10, first);

        assertThat(first.items()).hasSize(2);
        assertThat(log.take().items()).hasSize(2);
    }

    private static LogEntry.Item large() {
        return new LogEntry.Item(
                Caller.SYSTEM,
                new Mutation.SetAttribute(
                        FsPath.ROOT, "user.x", Bytes.copyOf(new byte[100_000]), false));
    }

    @Test
    void refusesWhatIsTooLongOrTooMuch() throws Exception {
        var huge =
                new Mutation.SetAttribute(
                        FsPath.ROOT, "user.x", Bytes.copyOf(new byte[2 << 20]), false);

        assertThat(refusal(aggregator.submit(new LogEntry.Item(Caller.SYSTEM, huge))))
                .isInstanceOf(FsError.TooLong.class);
        for (int i = 0; i < Aggregator.MAX_PENDING_COMMANDS; i++) {
            submit(i);
        }
        assertThat(refusal(submit(0))).isInstanceOf(FsError.Overloaded.class);
    }

    @Test
    void sendsCallersToTheLeaderWhenItIsElsewhere() throws Exception {
        log.leading = false;

        assertThat(refusal(submit(1))).isEqualTo(new FsError.NotLeader(Optional.of(LEADER)));
    }

    @Test
    void anEntryThatTheLogRefusedHasNotHappened() throws Exception {
        log.refusing = true;
        aggregator.start();

        assertThat(refusal(submit(1))).isInstanceOf(FsError.NotLeader.class);
    }

    @Test
    void anEntryOfALostLeaderIsAnsweredIfItStillCommits() throws Exception {
        aggregator.start();
        CompletableFuture<Reply> reply = submit(1);
        LogEntry entry = log.take();
        log.leading = false;

        aggregator.applied(9, new LogEntry.BatchId(PROPOSER + 1, 0), List.of());
        assertThat(reply).isNotDone();
        commit(10, entry);

        assertThat(reply).isCompletedWithValue(new Reply.Extended(10_000));
    }

    @Test
    void anEntryThatAnotherLeaderCutOffIsUnknownToTheCaller() throws Exception {
        aggregator.start();
        CompletableFuture<Reply> reply = submit(1);
        log.take();
        waitUntilIndexIsKnown();

        aggregator.appliedUpTo(10);

        assertThat(refusal(reply)).isInstanceOf(FsError.Unavailable.class);
    }

    // The index is noted after append has returned; the next entry is appended after that.
    private void waitUntilIndexIsKnown() throws InterruptedException {
        worthwhileEntry();
    }

    private LogEntry worthwhileEntry() throws InterruptedException {
        for (int i = 0; i < Aggregator.WORTHWHILE_COMMANDS; i++) {
            submit(1_000 + i);
        }
        return log.take();
    }

    @Test
    void anEntryWithoutAnEndIsGivenUp() throws Exception {
        aggregator.start();
        CompletableFuture<Reply> reply = submit(1);
        log.take();

        nanos.addAndGet(Aggregator.LEADING_PATIENCE_NANOS + 1);

        assertThat(refusal(reply).message()).contains("may have happened");
    }

    @Test
    void closingAnswersEverybody() throws Exception {
        aggregator.start();
        CompletableFuture<Reply> underWay = submit(1);
        log.take();

        aggregator.close();

        assertThat(refusal(underWay)).isInstanceOf(FsError.Unavailable.class);
        assertThat(refusal(submit(2))).isInstanceOf(FsError.NotLeader.class);
    }
}
