package org.cepheus.mgm.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.port.QuotaCheck;
import org.cepheus.domain.port.QuotaCheck.State;
import org.cepheus.namespace.Namespace;
import org.cepheus.namespace.Snapshot;
import org.cepheus.namespace.rows.Rows.QuotaKey;
import org.cepheus.namespace.rows.Tables;
import org.cepheus.namespace.rules.Walk;
import org.cepheus.namespace.store.Change;
import org.cepheus.namespace.store.Family;
import org.cepheus.namespace.store.MemoryStore;
import org.cepheus.quota.Charge;
import org.cepheus.quota.QuotaRow;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Recounts that end well, badly, early, or not in time. */
class QuotaChecksTest {
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final Duration HOUR = Duration.ofHours(1);

    private final MemoryStore store = new MemoryStore();
    private final Namespace namespace = Namespace.open(store, new UUID(1, 2));
    private final CountDownLatch mayRead = new CountDownLatch(1);
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final QuotaChecks checks = new QuotaChecks(this::snapshot, now::get);

    private Snapshot snapshot() {
        try {
            mayRead.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return namespace.snapshot();
    }

    @AfterEach
    void close() {
        mayRead.countDown();
        checks.close();
    }

    private QuotaCheck end() {
        mayRead.countDown();
        until(() -> checks.latest().orElseThrow().state() != State.RUNNING);
        return checks.latest().orElseThrow();
    }

    @Test
    void anEmptyNamespaceIsWhatItsCountersSay() {
        checks.start(HOUR);

        QuotaCheck check = end();

        assertThat(check.state()).isEqualTo(State.EQUAL);
        assertThat(check.nodes()).isEqualTo(1);
        assertThat(check.seenEntries()).isEqualTo(check.expectedEntries()).isEqualTo(1);
    }

    @Test
    void aCounterThatIsWrongIsNamedWithBothNumbers() {
        var key = new QuotaKey(Walk.ROOT, QuotaKind.USER, 2);
        QuotaRow wrong = QuotaRow.EMPTY.plus(Charge.used(7, 1));
        store.write(
                List.of(
                        Change.put(
                                Family.QUOTA,
                                Tables.QUOTAS.keyBytes(key),
                                Tables.QUOTAS.valueBytes(wrong))));
        checks.start(HOUR);

        QuotaCheck check = end();

        assertThat(check.state()).isEqualTo(State.DIFFERENT);
        assertThat(check.differences()).isEqualTo(1);
        QuotaCheck.Difference difference = check.examples().getFirst();
        assertThat(difference.principal()).isEqualTo("root");
        assertThat(difference.counter().usedBytes()).isEqualTo(7);
        assertThat(difference.recounted().usedBytes()).isZero();
        assertThat(check.message()).contains("1 of 1 rows differ");
    }

    @Test
    void askingWhileOneRunsAnswersThatOne() {
        QuotaCheck first = checks.start(HOUR);

        assertThat(checks.start(HOUR)).isEqualTo(first);

        end();
        assertThat(checks.start(HOUR).id()).isEqualTo(first.id() + 1);
    }

    @Test
    void oneThatIsCanceledEnds() {
        checks.start(HOUR);
        checks.cancel();

        assertThat(end().state()).isEqualTo(State.CANCELED);
    }

    @Test
    void oneThatIsNotDoneInTimeEnds() {
        checks.start(HOUR);
        now.set(Instant.EPOCH.plus(HOUR).plusSeconds(1));

        assertThat(end().state()).isEqualTo(State.EXPIRED);
    }

    private static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }
}
