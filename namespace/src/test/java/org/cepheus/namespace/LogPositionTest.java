package org.cepheus.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.UUID;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.namespace.Namespace.DivergenceException;
import org.cepheus.namespace.rows.Rows.Head;
import org.cepheus.namespace.store.MemoryStore;
import org.junit.jupiter.api.Test;

/** Every index once and in its order, or the replica stops. */
class LogPositionTest {
    private final MemoryStore store = new MemoryStore();
    private final Namespace namespace = Namespace.open(store, Trial.CLUSTER);

    private static LogEntry entry(UUID cluster, Optional<LogEntry.ChainCheck> check) {
        return new LogEntry(
                cluster,
                new LogEntry.BatchId(1, 1),
                5,
                5,
                LogEntry.FEATURE_LEVEL,
                check,
                new Trial().entry(Trial.ROOT, new FleetCommand.ExpireLeases(1)).items());
    }

    private static LogEntry entry() {
        return entry(Trial.CLUSTER, Optional.empty());
    }

    @Test
    void takesTheFirstIndexOfALogWhichIsZero() {
        namespace.note(1, 0);
        namespace.apply(1, 1, entry());

        assertThat(namespace.appliedIndex()).isEqualTo(1);
    }

    @Test
    void hasNothingPersistedBeforeTheFirstFlush() {
        assertThat(namespace.appliedIndex()).isEqualTo(-1);
        assertThat(namespace.persistedHead()).isEmpty();
    }

    @Test
    void refusesAnEntryThatWasAppliedBefore() {
        namespace.apply(1, 0, entry());
        namespace.apply(1, 1, entry());

        assertThatThrownBy(() -> namespace.apply(1, 1, entry()))
                .isInstanceOf(DivergenceException.class)
                .hasMessageContaining("index 1")
                .hasMessageContaining("last is 1");
        assertThat(namespace.appliedIndex()).isEqualTo(1);
    }

    @Test
    void refusesAGapBecauseWhatIsMissingWouldBeLost() {
        namespace.apply(1, 0, entry());

        assertThatThrownBy(() -> namespace.apply(1, 2, entry()))
                .isInstanceOf(DivergenceException.class);
        assertThatThrownBy(() -> namespace.note(1, 5)).isInstanceOf(DivergenceException.class);
    }

    @Test
    void refusesAnEntryOfAnotherCluster() {
        assertThatThrownBy(() -> namespace.apply(1, 0, entry(new UUID(9, 9), Optional.empty())))
                .isInstanceOf(DivergenceException.class)
                .hasMessageContaining("cluster");
    }

    @Test
    void refusesTheStoreOfAnotherCluster() {
        assertThatThrownBy(() -> Namespace.open(store, new UUID(9, 9)))
                .isInstanceOf(DivergenceException.class);
    }

    @Test
    void comparesItsHashWithTheLeadersAtEachIndexItRemembers() {
        namespace.apply(1, 0, entry());
        LogEntry.ChainCheck mine = namespace.chainCheck();
        namespace.note(2, 1);
        var wrong = new LogEntry.ChainCheck(mine.index(), mine.hash() + 1);

        assertThatThrownBy(() -> namespace.apply(2, 2, entry(Trial.CLUSTER, Optional.of(wrong))))
                .isInstanceOf(DivergenceException.class)
                .hasMessageContaining("chain hash");

        namespace.apply(2, 2, entry(Trial.CLUSTER, Optional.of(mine)));
        assertThat(namespace.appliedIndex()).isEqualTo(2);
    }

    @Test
    void takesTheFirstHashThatAnyLeaderCanSend() {
        LogEntry.ChainCheck before = namespace.chainCheck();
        namespace.apply(1, 0, entry(Trial.CLUSTER, Optional.of(before)));
        LogEntry.ChainCheck first = namespace.chainCheck();

        namespace.apply(1, 1, entry(Trial.CLUSTER, Optional.of(first)));

        assertThat(namespace.appliedIndex()).isEqualTo(1);
    }

    @Test
    void replaysFromWhatTheLastFlushHad() {
        namespace.apply(1, 0, entry());
        namespace.note(2, 1);
        namespace.apply(2, 2, entry());
        store.flush();
        namespace.apply(2, 3, entry());
        long hash = namespace.chainCheck().hash();

        assertThat(namespace.persistedHead().map(Head::index)).contains(2L);
        Namespace again = Namespace.open(store.afterCrash(), Trial.CLUSTER);
        assertThat(again.appliedIndex()).isEqualTo(2);
        again.apply(2, 3, entry());
        assertThat(again.chainCheck().hash()).isEqualTo(hash);
    }

    @Test
    void neverLetsTheClocksGoBack() {
        var trial = new Trial();
        trial.pass(100);
        trial.register(1);
        Head later = trial.namespace().head();
        trial.pass(-50);
        trial.register(1);

        assertThat(trial.namespace().head().wallNanos()).isEqualTo(later.wallNanos());
        assertThat(trial.namespace().head().leaseNanos()).isEqualTo(later.leaseNanos());
    }
}
