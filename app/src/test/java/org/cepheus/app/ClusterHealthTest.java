package org.cepheus.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.port.OperatorService;
import org.cepheus.domain.port.QuotaReport;
import org.cepheus.runtime.HealthRegistry;
import org.cepheus.runtime.HealthRegistry.Level;
import org.junit.jupiter.api.Test;

final class ClusterHealthTest {
    private static final Optional<MgmAddress> LEADER =
            Optional.of(new MgmAddress("127.0.0.1", 1, 2, 3, 4));
    private static final long TOTAL = 1_000;

    @Test
    void isWellWithALeaderAndLivingFstsAndRoom() {
        var report = report(LEADER, List.of(true, true), volume(900, true));

        assertThat(report.worst()).isEqualTo(Level.OK);
        assertThat(report.findings())
                .extracting(HealthRegistry.Finding::check)
                .containsExactly("fsts", "leader", "volumes");
    }

    @Test
    void isIllWithoutALeader() {
        assertThat(worst("leader", report(Optional.empty(), List.of(true), volume(900, true))))
                .isEqualTo(Level.ERROR);
    }

    @Test
    void warnsOfADeadFstAndIsIllWithoutAnyAlive() {
        assertThat(worst("fsts", report(LEADER, List.of(true, false), volume(900, true))))
                .isEqualTo(Level.WARN);
        assertThat(worst("fsts", report(LEADER, List.of(false, false), volume(900, true))))
                .isEqualTo(Level.ERROR);
        assertThat(worst("fsts", report(LEADER, List.of(), volume(900, true))))
                .isEqualTo(Level.ERROR);
    }

    @Test
    void aFollowerIsWellAlthoughNoFstIsConnectedToIt() {
        var report = report("follower", LEADER, List.of(), volume(900, false));

        assertThat(report.worst()).isEqualTo(Level.OK);
    }

    @Test
    void warnsOfANearlyFullVolumeAndIsIllWithOneThatCannotBeUsed() {
        assertThat(worst("volumes", report(LEADER, List.of(true), volume(49, true))))
                .isEqualTo(Level.WARN);
        assertThat(worst("volumes", report(LEADER, List.of(true), volume(900, false))))
                .isEqualTo(Level.ERROR);
    }

    private HealthRegistry.Report report(
            Optional<MgmAddress> leader, List<Boolean> alive, OperatorService.VolumeStatus volume) {
        return report("leader", leader, alive, volume);
    }

    private static HealthRegistry.Report report(
            String role,
            Optional<MgmAddress> leader,
            List<Boolean> alive,
            OperatorService.VolumeStatus volume) {
        var health = new HealthRegistry();
        new ClusterHealth(new FakeOperator(role, leader, alive, volume)).registerIn(health);
        return health.report();
    }

    private static Level worst(String check, HealthRegistry.Report report) {
        return report.findings().stream()
                .filter(finding -> finding.check().equals(check))
                .findFirst()
                .orElseThrow()
                .result()
                .level();
    }

    private static OperatorService.VolumeStatus volume(long free, boolean usable) {
        return new OperatorService.VolumeStatus(1, TOTAL, free, usable);
    }

    private record FakeOperator(
            String role,
            Optional<MgmAddress> leader,
            List<Boolean> alive,
            OperatorService.VolumeStatus volume)
            implements OperatorService {
        @Override
        public ClusterStatus status() {
            return new ClusterStatus(
                    "3f0c",
                    "mgm1",
                    role,
                    leader,
                    1,
                    1,
                    1,
                    List.of(),
                    0,
                    0,
                    0,
                    alive.stream().map(FakeOperator::fst).toList(),
                    List.of(volume));
        }

        private static FstStatus fst(boolean alive) {
            return new FstStatus(new FstAddress(1, "127.0.0.1", 1, 2), alive, Instant.EPOCH, 0);
        }

        @Override
        public CompletionStage<List<QuotaReport>> quotas(Caller caller) {
            return CompletableFuture.completedStage(List.of());
        }

        @Override
        public CompletionStage<List<Transfer>> transfers(Caller caller, int max) {
            return CompletableFuture.completedStage(List.of());
        }
    }
}
