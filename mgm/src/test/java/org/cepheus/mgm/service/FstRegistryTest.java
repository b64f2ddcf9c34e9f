package org.cepheus.mgm.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.ServiceState;
import org.cepheus.domain.ServiceTarget;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.namespace.rows.Rows.FleetStates;
import org.cepheus.protocol.control.Heartbeat;
import org.cepheus.protocol.control.Heartbeat.VolumeLoad;
import org.cepheus.protocol.control.Hello;
import org.junit.jupiter.api.Test;

final class FstRegistryTest {
    private static final long GIB = 1L << 30;

    private final AtomicLong nanos = new AtomicLong();
    private FleetStates states = FleetStates.NONE;
    private final FstRegistry fsts =
            new FstRegistry(nanos::get, InstantSource.fixed(Instant.EPOCH), () -> states);

    private void join(int fstId, String host, Integer... volumes) {
        fsts.registered(
                new Hello(
                        new UUID(1, 1),
                        100 + fstId,
                        new FstAddress(fstId, host, 1095, 8081),
                        Arrays.stream(volumes)
                                .map(id -> new FleetCommand.Volume(id, "v" + id))
                                .toList()));
    }

    private void beat(int fstId, int streams, VolumeLoad... loads) {
        fsts.heartbeat(fstId, new Heartbeat(List.of(loads), streams));
    }

    private static VolumeLoad free(int volumeId, long freeBytes) {
        return new VolumeLoad(volumeId, 100 * GIB, freeBytes, "disk" + volumeId, true);
    }

    private static FstRegistry.Wish wish() {
        return wish(OptionalInt.empty(), List.of(), List.of());
    }

    private static FstRegistry.Wish wish(
            OptionalInt at, List<Integer> avoidFsts, List<String> avoidHosts) {
        return new FstRegistry.Wish(OptionalLong.of(GIB), at, avoidFsts, avoidHosts);
    }

    private void twoFsts() {
        join(1, "a", 1);
        join(2, "b", 2);
        beat(1, 0, free(1, 50 * GIB));
        beat(2, 0, free(2, 50 * GIB));
    }

    private static void assertFails(ThrowingCallable call, Class<? extends FsError> kind) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.error()).isInstanceOf(kind));
    }

    @Test
    void saysWhetherFstsOrRoomAreMissing() {
        assertFails(() -> fsts.placeNew(wish()), FsError.Unavailable.class);

        join(1, "a", 1);
        beat(1, 0, free(1, GIB));

        assertFails(() -> fsts.placeNew(wish()), FsError.NoSpace.class);
    }

    @Test
    void spreadsOpensBetweenTwoHeartbeats() {
        twoFsts();
        Set<Integer> used = new HashSet<>();

        for (int i = 0; i < 2; i++) {
            used.add(fsts.placeNew(wish()).fst().fstId());
        }

        assertThat(used).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void takesTurnsAmongEquals() {
        join(1, "a", 1, 2);
        join(2, "b", 3);
        Map<Integer, Integer> placed = new TreeMap<>();

        for (int i = 0; i < 300; i++) {
            beat(1, 0, free(1, 50 * GIB), free(2, 50 * GIB));
            beat(2, 0, free(3, 50 * GIB));
            placed.merge(fsts.placeNew(wish()).volumeId(), 1, Integer::sum);
        }

        assertThat(placed).containsOnlyKeys(1, 2, 3);
        assertThat(placed.values()).allMatch(count -> count > 50);
    }

    @Test
    void prefersTheLessLoadedFstAndTheEmptierVolume() {
        twoFsts();
        beat(1, 30, free(1, 50 * GIB));
        assertThat(fsts.placeNew(wish()).fst().fstId()).isEqualTo(2);

        beat(1, 0, free(1, 90 * GIB));
        beat(2, 0, free(2, 10 * GIB));
        assertThat(fsts.placeNew(wish()).fst().fstId()).isEqualTo(1);
    }

    @Test
    void honoursTheDoorAndWhatFailedTheClient() {
        twoFsts();
        beat(2, 50, free(2, 50 * GIB));

        assertThat(fsts.placeNew(wish(OptionalInt.of(2), List.of(), List.of())).fst().fstId())
                .isEqualTo(2);
        assertThat(fsts.placeNew(wish(OptionalInt.empty(), List.of(1), List.of())).fst().fstId())
                .isEqualTo(2);
        assertThat(fsts.placeNew(wish(OptionalInt.empty(), List.of(), List.of("a"))).fst().fstId())
                .isEqualTo(2);
        assertThat(
                        fsts.placeNew(wish(OptionalInt.empty(), List.of(1, 2), List.of("a")))
                                .fst()
                                .fstId())
                .as("better than nobody")
                .isEqualTo(2);
    }

    @Test
    void sendsNobodyToSilentOrDisconnectedFstsOrUnusableVolumes() {
        twoFsts();
        fsts.disconnected(1);
        assertThat(fsts.placeNew(wish()).fst().fstId()).isEqualTo(2);

        nanos.addAndGet(FstRegistry.ALIVE_NANOS);
        assertFails(() -> fsts.placeNew(wish()), FsError.Unavailable.class);
        assertThat(fsts.isServing(2)).isFalse();

        beat(2, 0, new VolumeLoad(2, 100 * GIB, 50 * GIB, "disk" + 2, false));
        assertFails(() -> fsts.placeNew(wish()), FsError.Unavailable.class);
    }

    @Test
    void readsGoWhereTheVolumeIsServed() {
        twoFsts();

        assertThat(fsts.placeAt(2, wish()).fst().fstId()).isEqualTo(2);
        assertThat(fsts.placeAt(2, wish()).bootId()).isEqualTo(102);
        assertThat(fsts.servingFst(1)).hasValue(1);
        assertFails(() -> fsts.placeAt(3, wish()), FsError.Unavailable.class);
    }

    @Test
    void readsAndRemovalsGoWhereTheMountAnswers() {
        join(1, "a", 1);
        join(2, "b", 1);
        beat(1, 0, new VolumeLoad(1, 100 * GIB, 40 * GIB, "disk", false));
        beat(2, 9, free(1, 40 * GIB));

        assertThat(fsts.placeAt(1, wish()).fst().fstId()).isEqualTo(2);
        assertThat(fsts.servingFst(1)).hasValue(2);

        beat(2, 9, new VolumeLoad(1, 100 * GIB, 40 * GIB, "disk", false));
        assertThat(fsts.placeAt(1, wish()).fst().fstId()).isEqualTo(1);
    }

    @Test
    void countsASharedVolumeOnce() {
        join(1, "a", 1);
        join(2, "b", 1);
        beat(1, 0, free(1, 40 * GIB));
        beat(2, 0, free(1, 40 * GIB));

        assertThat(fsts.capacity()).containsExactly(100 * GIB, 40 * GIB);
        assertThat(fsts.volumes()).hasSize(1);
    }

    @Test
    void countsTheStorageThatVolumesShareOnce() {
        join(1, "a", 1, 2);
        join(2, "a", 3);
        beat(
                1,
                0,
                new VolumeLoad(1, 100 * GIB, 40 * GIB, "one disk", true),
                new VolumeLoad(2, 100 * GIB, 40 * GIB, "one disk", true));
        beat(2, 0, new VolumeLoad(3, 100 * GIB, 40 * GIB, "one disk", true));

        assertThat(fsts.capacity()).containsExactly(100 * GIB, 40 * GIB);
        assertThat(fsts.volumes()).hasSize(3);
    }

    @Test
    void forgetsAllWhenLeadershipIsLost() {
        twoFsts();

        fsts.forgetAll();
        beat(1, 0, free(1, GIB));

        assertThat(fsts.fsts()).isEmpty();
    }

    @Test
    void placesNothingOnWhatIsNotForWriting() {
        twoFsts();
        states = states.with(ServiceTarget.volume(1), ServiceState.RO);
        assertThat(fsts.placeNew(wish()).volumeId()).isEqualTo(2);

        states = states.with(ServiceTarget.fst(2), ServiceState.DRAIN);

        assertThatThrownBy(() -> fsts.placeNew(wish()))
                .hasMessageContaining("no volume takes new files")
                .hasMessageContaining("volume 1 is ro")
                .hasMessageContaining("FST 2 is drain");
    }

    @Test
    void readsGoOnWhereNothingIsWritten() {
        twoFsts();
        states = states.with(ServiceTarget.volume(1), ServiceState.DRAIN);
        states = states.with(ServiceTarget.fst(1), ServiceState.RO);

        assertThat(fsts.placeAt(1, wish()).fst().fstId()).isEqualTo(1);
        assertFails(() -> fsts.placeInPlace(1, wish()), FsError.PermissionDenied.class);
    }

    @Test
    void sendsNobodyToWhatIsOff() {
        join(1, "a", 1);
        join(2, "b", 1);
        beat(1, 0, free(1, 50 * GIB));
        beat(2, 9, free(1, 50 * GIB));
        states = states.with(ServiceTarget.fst(1), ServiceState.OFF);
        assertThat(fsts.placeAt(1, wish()).fst().fstId()).isEqualTo(2);
        assertThat(fsts.servingFst(1)).hasValue(2);
        assertThat(fsts.leastLoaded()).map(FstAddress::fstId).hasValue(2);

        states = states.with(ServiceTarget.volume(1), ServiceState.OFF);

        assertFails(() -> fsts.placeAt(1, wish()), FsError.Unavailable.class);
        assertThat(fsts.servingFst(1)).isEmpty();
        assertThat(fsts.capacity()).containsExactly(0, 0);
    }
}
