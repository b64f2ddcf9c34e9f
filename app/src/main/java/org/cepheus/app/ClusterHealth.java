package org.cepheus.app;

import org.cepheus.domain.port.OperatorService;
import org.cepheus.domain.port.OperatorService.FstStatus;
import org.cepheus.domain.port.OperatorService.VolumeStatus;
import org.cepheus.runtime.HealthCode;
import org.cepheus.runtime.HealthRegistry;
import org.cepheus.runtime.HealthRegistry.Result;

/** The health checks of an MGM, each from what it has in memory. */
record ClusterHealth(OperatorService cluster) {
    /** Below this part of a volume a warning comes before the refusals do. */
    private static final double LITTLE_FREE = 0.05;

    void registerIn(HealthRegistry health) {
        health.register("leader", this::leader);
        health.register("fsts", this::fsts);
        health.register("volumes", this::volumes);
    }

    private Result leader() {
        return cluster.status()
                .leader()
                .map(leader -> Result.ok("the leader is at " + leader.host()))
                .orElse(
                        Result.found(
                                HealthCode.NO_LEADER,
                                "there is no leader, so nothing can be changed"));
    }

    // FSTs are connected to the leader. Without one the check above is the one that fails.
    private static Result knownToTheLeader() {
        return Result.ok("only the leader knows");
    }

    private Result fsts() {
        if (!cluster.status().leads()) {
            return knownToTheLeader();
        }
        var all = cluster.status().fsts();
        var dead = all.stream().filter(fst -> !fst.alive()).toList();
        if (all.isEmpty() || dead.size() == all.size()) {
            return Result.found(
                    HealthCode.NO_FST, "no FST is alive, so no file can be read or written");
        }
        return dead.isEmpty()
                ? Result.ok("%d alive".formatted(all.size()))
                : Result.found(
                        HealthCode.FST_SILENT,
                        "%d of %d do not answer: %s"
                                .formatted(
                                        dead.size(),
                                        all.size(),
                                        dead.stream().map(ClusterHealth::name).toList()));
    }

    private static String name(FstStatus fst) {
        return "FST " + fst.address().fstId();
    }

    private Result volumes() {
        if (!cluster.status().leads()) {
            return knownToTheLeader();
        }
        var unusable = cluster.status().volumes().stream().filter(v -> !v.usable()).toList();
        if (!unusable.isEmpty()) {
            return Result.found(
                    HealthCode.VOLUME_UNUSABLE,
                    "not usable: " + unusable.stream().map(v -> "volume " + v.volumeId()).toList());
        }
        var full = cluster.status().volumes().stream().filter(ClusterHealth::isNearlyFull).toList();
        return full.isEmpty()
                ? Result.ok("%d usable".formatted(cluster.status().volumes().size()))
                : Result.found(
                        HealthCode.VOLUME_NEARLY_FULL,
                        "nearly full: "
                                + full.stream().map(v -> "volume " + v.volumeId()).toList());
    }

    private static boolean isNearlyFull(VolumeStatus volume) {
        return volume.freeBytes() < volume.totalBytes() * LITTLE_FREE;
    }
}
