package org.cepheus.namespace.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A million commands in all, fewer with {@code -Dseeds}; {@code ./dev sim 42} runs one seed alone,
 * checked at each entry.
 */
@Tag("sim")
class SimulationTest {
    private static final int COMMANDS = 10_000;
    private static final int SAMPLED = 25;
    private static final int CHECKED_THROUGHOUT = 3;
    private static final int DEEP = 5;
    private static final int DEEP_COMMANDS = 4_000;

    static LongStream seeds() {
        Long replay = Long.getLong("seed");
        return replay != null
                ? LongStream.of(replay)
                : LongStream.range(0, Long.getLong("seeds", 100));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anySequenceOfCommandsKeepsTheInvariants(long seed) {
        boolean throughout = Long.getLong("seed") != null || seed < CHECKED_THROUGHOUT;
        var simulation = new Simulation(seed, throughout ? 1 : SAMPLED);

        var result = simulation.run(COMMANDS);

        assertThat(result.commands()).isGreaterThanOrEqualTo(COMMANDS);
        assertThat(simulation.outcomes()).containsKeys(BOTH_WAYS);
    }

    static LongStream deepSeeds() {
        return seeds().limit(DEEP);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("deepSeeds")
    void noRenamePushesANameOutOfReach(long seed) {
        var simulation = new Simulation(seed, 2 * SAMPLED, true);

        simulation.run(DEEP_COMMANDS);

        assertThat(simulation.outcomes())
                .containsKeys("Rename TooLong", "MakeDirectory accepted", "Rename accepted");
    }

    // Else the workload has gone dull, and proves nothing any more.
    private static final String[] BOTH_WAYS = {
        "AddCounted NotFound",
        "AddCounted accepted",
        "Commit accepted",
        "Commit LeaseGone",
        "ExtendReservation accepted",
        "MakeDirectory accepted",
        "OpenForWrite QuotaExceeded",
        "OpenForWrite accepted",
        "RemoveFile accepted",
        "Rename accepted",
        "Rename PermissionDenied",
        "SetDefaultQuota accepted",
        "SetQuota accepted",
        "SettleFile NotFound",
        "SettleFile accepted",
        "RegisterFst AlreadyExists",
        "RegisterFst accepted"
    };

    @Test
    void theSameSeedTakesTheSameWay() {
        long seed = seeds().findFirst().orElseThrow();

        var once = new Simulation(seed, 7).run(3_000);
        var twice = new Simulation(seed, 7).run(3_000);

        assertThat(twice).isEqualTo(once);
    }
}
