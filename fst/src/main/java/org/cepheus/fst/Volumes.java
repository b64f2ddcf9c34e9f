package org.cepheus.fst;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.cepheus.domain.FsException;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.fst.volume.IoPool;
import org.cepheus.fst.volume.PosixVolume;
import org.cepheus.fst.volume.Volume;
import org.cepheus.protocol.control.Heartbeat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The volumes of one FST, how full they are, and whether they answer. */
final class Volumes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Volumes.class);

    private static final int THREADS_PER_VOLUME = 16;

    private final Map<Integer, MountedVolume> mounted;
    private final Map<Integer, Room> rooms = new ConcurrentHashMap<>();

    private Volumes(Map<Integer, MountedVolume> mounted) {
        this.mounted = mounted;
    }

    /**
     * Opens every volume.
     *
     * @throws FsException for the first that cannot be used; then none is open
     */
    static Volumes open(List<FstConfig.VolumeConfig> configs, UUID cluster, boolean initialise) {
        var mounted = new LinkedHashMap<Integer, MountedVolume>();
        var volumes = new Volumes(mounted);
        try {
            for (FstConfig.VolumeConfig config : configs) {
                int id = config.volumeId();
                Volume volume = PosixVolume.open(id, config.path(), cluster, initialise);
                mounted.put(id, new MountedVolume(volume, new IoPool(id, THREADS_PER_VOLUME)));
                volumes.rooms.put(id, Room.UNKNOWN.answered(volume.space()));
            }
            return volumes;
        } catch (FsException e) {
            volumes.close();
            throw e;
        }
    }

    Map<Integer, MountedVolume> mounted() {
        return Map.copyOf(mounted);
    }

    /** As the namespace registers them. */
    List<FleetCommand.Volume> offered() {
        return mounted.values().stream()
                .map(it -> new FleetCommand.Volume(it.volume().volumeId(), it.volume().uuid()))
                .toList();
    }

    /** How they are now, from memory. */
    List<Heartbeat.VolumeLoad> loads() {
        var loads = new ArrayList<Heartbeat.VolumeLoad>();
        mounted.forEach((id, each) -> {
            Room room = rooms.getOrDefault(id, Room.UNKNOWN);
            loads.add(
                    new Heartbeat.VolumeLoad(
                            id,
                            room.space().totalBytes(),
                            room.space().freeBytes(),
                            room.space().device(),
                            room.answered() && !each.pool().isHung()));
        });
        return loads;
    }

    /** Asks every volume for its room; returns at once. */
    void refresh() {
        mounted.forEach((id, each) ->
                each.pool()
                        .run(each.volume()::space)
                        .whenComplete((space, thrown) -> {
                            if (thrown == null) {
                                answered(id, space);
                            } else {
                                unanswered(id, thrown);
                            }
                        }));
    }

    private void answered(int id, Volume.Space space) {
        Room before = rooms.getOrDefault(id, Room.UNKNOWN);
        rooms.put(id, before.answered(space));
        if (!before.answered()) {
            LOG.info("volume {} is usable again", id);
        }
    }

    private void unanswered(int id, Throwable thrown) {
        Room before = rooms.getOrDefault(id, Room.UNKNOWN);
        rooms.put(id, before.silent());
        if (before.answered()) {
            LOG.warn("volume {} is not usable: {}", id, FsException.errorOf(thrown).message());
        }
    }

    /** Every volume remembers the restore epoch, or one of them refuses an older one. */
    CompletionStage<Void> enterEpoch(int epoch) {
        CompletionStage<Void> all = CompletableFuture.completedFuture(null);
        for (MountedVolume each : mounted.values()) {
            CompletionStage<Volume> entered =
                    each.pool()
                            .run(() -> {
                                each.volume().enterEpoch(epoch);
                                return each.volume();
                            });
            all = all.thenCombine(entered, (_, _) -> null);
        }
        return all;
    }

    @Override
    public void close() {
        mounted.values().forEach(each -> each.pool().close());
        mounted.values().forEach(each -> each.volume().close());
    }
}
