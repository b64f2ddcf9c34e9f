package org.cepheus.it.ceph;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.cepheus.it.harness.CepheusUp;
import org.cepheus.it.harness.Deadline;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import tools.jackson.databind.JsonNode;

/**
 * {@code cepheus up} with volume 1 on a replicated directory of a CephFS and volume 2 on an
 * erasure-coded one, each a mount of its own, for all tests of a class.
 */
final class CephUp
        implements BeforeAllCallback,
                AfterAllCallback,
                AfterEachCallback,
                TestExecutionExceptionHandler {
    private static final long ROOM = 2L << 30;
    private static final Duration SOON = Duration.ofSeconds(40);
    private static final String QUOTA = "ceph.quota.max_bytes";

    private final List<String> optionsOf1;
    private @Nullable CephCluster cluster;
    private @Nullable CepheusUp up;
    private List<Path> volumes = List.of();

    /** With further options of the ceph-fuse that mounts volume 1. */
    CephUp(String... optionsOf1) {
        this.optionsOf1 = List.of(optionsOf1);
    }

    CepheusUp get() {
        return Objects.requireNonNull(up, "only from a test");
    }

    CephCluster cluster() {
        return Objects.requireNonNull(cluster, "only from a test");
    }

    /** The mount point of volume 1 or 2. */
    Path volume(int id) {
        return volumes.get(id - 1);
    }

    /** Mounts it again as it was. */
    Path mount(int id) {
        return id == 1
                ? cluster().mount("/plain", "volume1", optionsOf1)
                : cluster().mount("/coded", "volume2", List.of());
    }

    /**
     * New files go to that volume from now on, because the quota of the other one is used up; the
     * cluster is whole when this returns.
     */
    void useOnly(int id) {
        cluster().settle();
        int other = 3 - id;
        CephCluster.set(volume(id), QUOTA, ROOM);
        CephCluster.set(volume(other), QUOTA, 1);
        Deadline.await(
                "only volume %d has room: %s".formatted(id, get().rest("status")),
                SOON,
                () -> isUsable(id) && freeBytes(id) > ROOM / 4 && freeBytes(other) == 0);
    }

    long freeBytes(int id) {
        return row(id).path("freeBytes").asLong();
    }

    boolean isUsable(int id) {
        return row(id).path("usable").asBoolean();
    }

    JsonNode row(int id) {
        for (JsonNode row : get().rest("status").path("volumes")) {
            if (row.path("id").asInt() == id) {
                return row;
            }
        }
        throw new AssertionError("the MGM knows no volume " + id);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        cluster = CephCluster.start();
        volumes = List.of(mount(1), mount(2));
        for (Path volume : volumes) {
            CephCluster.set(volume, QUOTA, ROOM);
        }
        up = CepheusUp.startOn(volume(1), volume(2));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (up != null && up.isRunning() && context.getExecutionException().isEmpty()) {
            up.recount();
        }
    }

    /** First who uses the mounts, then the mounts. */
    @Override
    public void afterAll(ExtensionContext context) {
        try {
            if (up != null) {
                up.close();
            }
        } finally {
            if (cluster != null) {
                cluster.close();
            }
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure)
            throws Throwable {
        if (up != null) {
            up.tellWith(failure);
        }
        throw failure;
    }
}
