package org.cepheus.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.cepheus.runtime.HealthRegistry.Finding;
import org.cepheus.runtime.HealthRegistry.Level;
import org.cepheus.runtime.HealthRegistry.Result;
import org.junit.jupiter.api.Test;

final class HealthRegistryTest {
    private final HealthRegistry health = new HealthRegistry();

    @Test
    void isWellWithoutChecks() {
        assertThat(health.report().worst()).isEqualTo(Level.OK);
    }

    @Test
    void isAsBadAsItsWorstCheck() {
        health.register("volume1", () -> Result.found(HealthCode.VOLUME_NEARLY_FULL, "90 % full"));
        health.register("leader", () -> Result.ok("mgm1 since an hour"));

        var report = health.report();

        assertThat(report.worst()).isEqualTo(Level.WARN);
        assertThat(report.findings())
                .containsExactly(
                        new Finding("leader", Result.ok("mgm1 since an hour")),
                        new Finding(
                                "volume1",
                                Result.found(HealthCode.VOLUME_NEARLY_FULL, "90 % full")));
    }

    @Test
    void takesACheckThatFailsForAnError() {
        health.register(
                "broken",
                () -> {
                    throw new IllegalStateException("for the test");
                });

        assertThat(health.report().worst()).isEqualTo(Level.ERROR);
    }
}
