package org.cepheus.mgm.sim;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.cepheus.mgm.store.StoreHome;
import org.cepheus.namespace.sim.Simulation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/**
 * The simulation over real files: one seed for ten of those in memory, as a crash on disk takes its
 * time. {@code ./dev sim 42} runs seed 42 of both.
 */
@Tag("sim")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DiskSimulationTest {
    private static final int COMMANDS = 1_000;
    private static final int SAMPLED = 10;
    private static final int SEEDS_FOR_ONE = 10;
    private static final int ENOUGH_SEEDS = 10;
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("org.cepheus.mgm");

    @TempDir private Path directory;

    private final Map<Happening, Integer> happened = new EnumMap<>(Happening.class);

    static LongStream seeds() {
        Long replay = Long.getLong("seed");
        return replay != null
                ? LongStream.of(replay)
                : LongStream.range(0, Math.ceilDiv(Long.getLong("seeds", 100), SEEDS_FOR_ONE));
    }

    // Members that crash hundreds of times have much to tell.
    @BeforeAll
    void hush() {
        LOG.setLevel(Level.ERROR);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anySequenceOfCommandsAndCrashesKeepsTheInvariantsOnDisk(long seed) throws IOException {
        var members = new ArrayList<DiskReplica>();
        boolean throughout = Long.getLong("seed") != null;
        try {
            var simulation =
                    new Simulation(
                            seed, throughout ? 1 : SAMPLED, number -> add(members, seed, number));

            var result = simulation.run(COMMANDS);

            assertThat(result.commands()).isGreaterThanOrEqualTo(COMMANDS);
        } finally {
            for (DiskReplica member : members) {
                member.close();
            }
            StoreHome.deleteTree(directory.resolve("seed-" + seed));
        }
    }

    // Its dice are its own, so that the simulation goes the way it goes in memory.
    private DiskReplica add(List<DiskReplica> members, long seed, int number) {
        try {
            var member =
                    new DiskReplica(
                            "replica " + number,
                            directory.resolve("seed-" + seed).resolve("replica-" + number),
                            new Random(seed * 31 + number),
                            what -> happened.merge(what, 1, Integer::sum));
            members.add(member);
            return member;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @AfterAll
    void everythingHasHappened() {
        LOG.setLevel(Level.INFO);
        if (seeds().count() >= ENOUGH_SEEDS) {
            assertThat(happened).containsOnlyKeys(Happening.values());
        }
    }
}
