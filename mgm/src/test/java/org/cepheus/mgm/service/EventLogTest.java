package org.cepheus.mgm.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.cepheus.domain.AccessBits;
import org.cepheus.domain.Caller;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileKind;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Identity;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.OnceKey;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.Command;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.command.OperatorCommand;
import org.cepheus.domain.command.Reply;
import org.cepheus.domain.port.EventFeed;
import org.cepheus.namespace.AbortedUpload;
import org.junit.jupiter.api.Test;

final class EventLogTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final FsPath A = FsPath.parse("/data/a");
    private static final LeaseRef LEASE = new LeaseRef(17, "new", 42, 43);
    private static final Reply DONE = new Reply.Done();

    private EventLog log = log(EventLog.MAX_WEIGHT);

    private static EventLog log(long maxWeight) {
        return new EventLog(
                id -> id == 17 ? Optional.of(FsPath.parse("/data")) : Optional.empty(),
                Runnable::run,
                9,
                maxWeight);
    }

    @Test
    void tellsWhatHappenedInItsOrder() throws Exception {
        apply(
                10,
                done(new Mutation.MakeDirectory(A, 0755, false)),
                done(new Mutation.RemoveFile(A)));
        apply(
                11,
                done(new Mutation.Rename(A, FsPath.parse("/b"), false)),
                done(
                        new Mutation.SetQuota(
                                A,
                                QuotaKind.USER,
                                "anna",
                                OptionalLong.of(1),
                                OptionalLong.empty())));

        var batch = log.after(9, SHORT);

        assertThat(batch.upTo()).isEqualTo(11);
        assertThat(batch.events())
                .extracting(EventFeed.Event::index)
                .containsExactly(10L, 10L, 11L, 11L);
        assertThat(batch.events())
                .extracting(EventFeed.Event::type)
                .containsExactly(
                        EventFeed.Type.CREATED,
                        EventFeed.Type.REMOVED,
                        EventFeed.Type.RENAMED,
                        EventFeed.Type.QUOTA);
        assertThat(batch.events().get(2).details()).containsEntry("target", "/b");
        assertThat(batch.events().getFirst().user()).isEqualTo("anna");
    }

    @Test
    void findsThePathOfACommitWhenItIsAskedFor() throws Exception {
        apply(
                10,
                new Step(
                        new LeaseCommand.Commit(LEASE, 7, List.of(), Optional.empty()),
                        new Reply.Committed(status())),
                done(new LeaseCommand.Abort(LEASE, "the client went away")));

        var events = log.after(9, SHORT).events();

        assertThat(events)
                .extracting(EventFeed.Event::path)
                .containsExactly("/data/new", "/data/new");
        assertThat(events)
                .extracting(EventFeed.Event::type)
                .containsExactly(EventFeed.Type.COMMITTED, EventFeed.Type.ABORTED);
        assertThat(events.getFirst().sizeBytes()).hasValue(7);
        assertThat(events.getFirst().details()).containsEntry("adler32", "00000abc");
    }

    @Test
    void tellsOfUploadsThatNobodyAskedToEnd() throws Exception {
        var other = new LeaseRef(17, "other", 44, 45);
        Caller opener =
                new Caller(new Identity("ben", List.of("users"), false), "::1", new TraceId(2));
        log.aborted(
                entry(10),
                List.of(
                        new AbortedUpload(other, opener, "its time was over"),
                        new AbortedUpload(LEASE, opener, "ended by root")));
        apply(10, done(new LeaseCommand.Abort(LEASE, "ended by root")));
        apply(11, done(new Mutation.RemoveFile(A)));

        var events = log.after(9, SHORT).events();

        assertThat(events)
                .extracting(event -> event.type() + " " + event.path() + " " + event.user())
                .containsExactly(
                        "ABORTED /data/new anna",
                        "ABORTED /data/other ben",
                        "REMOVED /data/a anna");
        assertThat(events.get(1).details()).containsEntry("reason", "its time was over");
    }

    @Test
    void tellsNothingOfWhatWasRefusedOrDoneBefore() throws Exception {
        var once = new OnceKey("k", Bytes.copyOf(new byte[] {1}));
        apply(
                10,
                new Step(
                        new Mutation.RemoveFile(A),
                        new Reply.Refused(new FsError.NotFound("no such file"))),
                new Step(
                        new OperatorCommand.Once(once, new Mutation.RemoveFile(A)),
                        new Reply.DoneBefore()),
                done(new OperatorCommand.Once(once, new Mutation.RemoveDirectory(A))));

        assertThat(log.after(9, SHORT).events()).hasSize(1);
    }

    @Test
    void wakesWhoWaits() throws Exception {
        var waiting = CompletableFuture.supplyAsync(() -> next(9));

        apply(10, done(new Mutation.RemoveFile(A)));

        assertThat(waiting.get()).extracting(EventFeed.Event::index).containsExactly(10L);
    }

    private List<EventFeed.Event> next(long after) {
        try {
            return log.after(after, LONG).events();
        } catch (EventFeed.Lost | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void movesOnOverEntriesWithoutEvents() throws Exception {
        log.passed(10);
        apply(11, done(new LeaseCommand.ExtendReservation(LEASE, 5)));

        var batch = log.after(9, SHORT);

        assertThat(batch.events()).isEmpty();
        assertThat(batch.upTo()).isEqualTo(11);
        assertThat(log.newest()).isEqualTo(11);
    }

    @Test
    void keepsABoundedNumberAndSaysWhatIsLost() throws Exception {
        log = log(10_000);
        for (int index = 10; index < 1_000; index++) {
            apply(index, done(new Mutation.RemoveFile(A)));
        }

        assertThat(log.oldest()).isBetween(970L, 998L);
        assertThatThrownBy(() -> log.after(9, SHORT))
                .isInstanceOfSatisfying(
                        EventFeed.Lost.class,
                        lost -> assertThat(lost.oldest()).isEqualTo(log.oldest()));
        assertThat(log.after(log.oldest(), SHORT).events())
                .hasSize((int) (999 - log.oldest()))
                .first()
                .extracting(EventFeed.Event::index)
                .isEqualTo(log.oldest() + 1);
    }

    @Test
    void knowsNothingOfTheTimeBeforeItsStartOrAnExchangeOfTheState() {
        assertThatThrownBy(() -> log.after(8, SHORT)).isInstanceOf(EventFeed.Lost.class);

        log.exchanged(50);

        assertThat(log.oldest()).isEqualTo(50);
        assertThatThrownBy(() -> log.after(9, SHORT)).isInstanceOf(EventFeed.Lost.class);
    }

    private record Step(Command command, Reply reply) {}

    private static Step done(Command command) {
        return new Step(command, DONE);
    }

    private void apply(long index, Step... steps) {
        log.applied(index, entry(index, steps), Arrays.stream(steps).map(Step::reply).toList());
    }

    private static LogEntry entry(long index, Step... steps) {
        var caller =
                new Caller(
                        new Identity("anna", List.of("users"), false), "127.0.0.1", new TraceId(1));
        return new LogEntry(
                new UUID(1, 1),
                new LogEntry.BatchId(1, index),
                1_790_000_000_000_000_000L,
                0,
                1,
                Optional.empty(),
                Arrays.stream(steps)
                        .map(step -> new LogEntry.Item(caller, step.command()))
                        .toList());
    }

    private static FileStatus status() {
        return new FileStatus(
                FileKind.FILE,
                43,
                1,
                7,
                0644,
                "anna",
                "users",
                Instant.EPOCH,
                Instant.EPOCH,
                Instant.EPOCH,
                List.of(Checksum.of(ChecksumType.ADLER32, 0xabc)),
                false,
                new AccessBits(true, true, true));
    }
}
