package org.cepheus.app;

import org.cepheus.domain.port.OperatorService;
import org.cepheus.domain.port.OperatorService.FstStatus;
import org.cepheus.domain.port.OperatorService.VolumeStatus;
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
                        Result.error(
                                "there is no leader, so nothing can be changed",
                                "start the missing members; a majority elects a leader by itself"));
    }

    private Result fsts() {
        var all = cluster.status().fsts();
        var dead = all.stream().filter(fst -> !fst.alive()).toList();
        if (all.isEmpty() || dead.size() == all.size()) {
            return Result.error(
                    "no FST is alive, so no file can be read or written", "start an FST");
        }
        return dead.isEmpty()
                ? Result.ok("%d alive".formatted(all.size()))
                : Result.warn(
                        "%d of %d do not answer: %s"
                                .formatted(
                                        dead.size(),
                                        all.size(),
                                        dead.stream().map(ClusterHealth::name).toList()),
                        "look at their logs and start them again");
    }

    private static String name(FstStatus fst) {
        return "FST " + fst.address().fstId();
    }

    private Result volumes() {
        var unusable = cluster.status().volumes().stream().filter(v -> !v.usable()).toList();
        if (!unusable.isEmpty()) {
            return Result.error(
                    "not usable: " + unusable.stream().map(v -> "volume " + v.volumeId()).toList(),
                    "look whether they are mounted, and at the logs of their FSTs");
        }
        var full = cluster.status().volumes().stream().filter(ClusterHealth::isNearlyFull).toList();
        return full.isEmpty()
                ? Result.ok("%d usable".formatted(cluster.status().volumes().size()))
                : Result.warn(
                        "nearly full: " + full.stream().map(v -> "volume " + v.volumeId()).toList(),
                        "remove files or add a volume");
    }

    private static boolean isNearlyFull(VolumeStatus volume) {
        return volume.freeBytes() < volume.totalBytes() * LITTLE_FREE;
    }
}
