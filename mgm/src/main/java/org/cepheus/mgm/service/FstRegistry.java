package org.cepheus.mgm.service;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.ServiceState;
import org.cepheus.domain.ServiceTarget;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.port.OperatorService;
import org.cepheus.namespace.rows.Rows.FleetStates;
import org.cepheus.protocol.control.Heartbeat;
import org.cepheus.protocol.control.Hello;

/**
 * The FSTs this leader is connected to, how they are, and which of them serves the next open. All
 * of it is in memory: FSTs connect again to a new leader. Any thread may call.
 */
public final class FstRegistry {
    /** An FST that said nothing for so long gets nobody sent to it. */
    public static final long ALIVE_NANOS = 3_000_000_000L;

    /** Room that a new upload leaves on a volume. */
    public static final long MARGIN_BYTES = 64L << 20;

    /** Odd and without a pattern, so that neighbouring numbers end up far from each other. */
    private static final int SCATTER = 0x9e3779b1;

    /** FSTs find a new leader within a second, and most who ask have just seen one elected. */
    private static final int RETRY_SECONDS = 1;

    private final LongSupplier monotonicNanos;
    private final InstantSource wall;
    private final Supplier<FleetStates> states;
    private final Map<Integer, Connected> fsts = new ConcurrentHashMap<>();
    private final AtomicInteger turns = new AtomicInteger();

    /**
     * An empty registry.
     *
     * @param states what operators let FSTs and volumes be used for; asked at every placement
     */
    public FstRegistry(
            LongSupplier monotonicNanos, InstantSource wall, Supplier<FleetStates> states) {
        this.monotonicNanos = monotonicNanos;
        this.wall = wall;
        this.states = states;
    }

    /** One FST as it said hello, and its last heartbeat. */
    private record Connected(
            FstAddress address,
            long bootId,
            List<FleetCommand.Volume> volumes,
            Map<Integer, Heartbeat.VolumeLoad> loads,
            int streams,
            AtomicInteger sentSince,
            long seenNanos,
            Instant seen,
            boolean connected) {
        boolean serves(int volumeId) {
            for (var volume : volumes) {
                if (volume.volumeId() == volumeId) {
                    return true;
                }
            }
            return false;
        }

        boolean answersFor(int volumeId) {
            Heartbeat.VolumeLoad load = loads.get(volumeId);
            return load != null && load.usable();
        }

        /** Streams it has, and those just sent to it that it has not told of. */
        int load() {
            return streams + sentSince.get();
        }
    }

    /** What an open needs of a place. */
    public record Wish(
            OptionalLong declaredBytes,
            OptionalInt atFst,
            List<Integer> avoidFsts,
            List<String> avoidHosts) {
        public Wish {
            avoidFsts = List.copyOf(avoidFsts);
            avoidHosts = List.copyOf(avoidHosts);
        }
    }

    /** Where an open goes. */
    public record Place(FstAddress fst, long bootId, int volumeId) {}

    private record Candidate(Connected fst, int volumeId, double freePart) {
        /** Puts equals into another order at each turn. */
        int inTurn(int turn) {
            return (31 * fst.address().fstId() + volumeId + turn) * SCATTER;
        }
    }

    /** It proved its key and is in the log. */
    public void registered(Hello hello) {
        fsts.put(
                hello.fstId(),
                new Connected(
                        hello.address(),
                        hello.bootId(),
                        hello.volumes(),
                        Map.of(),
                        0,
                        new AtomicInteger(),
                        monotonicNanos.getAsLong(),
                        wall.instant(),
                        true));
    }

    /** A heartbeat of an FST that is not registered changes nothing. */
    public void heartbeat(int fstId, Heartbeat heartbeat) {
        var loads = new HashMap<Integer, Heartbeat.VolumeLoad>();
        heartbeat.volumes().forEach(load -> loads.put(load.volumeId(), load));
        fsts.computeIfPresent(
                fstId,
                (_, before) ->
                        new Connected(
                                before.address(),
                                before.bootId(),
                                before.volumes(),
                                Map.copyOf(loads),
                                heartbeat.streams(),
                                new AtomicInteger(),
                                monotonicNanos.getAsLong(),
                                wall.instant(),
                                before.connected()));
    }

    /** Nobody is sent there from this moment on. */
    public void disconnected(int fstId) {
        fsts.computeIfPresent(
                fstId,
                (_, before) ->
                        new Connected(
                                before.address(),
                                before.bootId(),
                                before.volumes(),
                                before.loads(),
                                before.streams(),
                                before.sentSince(),
                                before.seenNanos(),
                                before.seen(),
                                false));
    }

    /** Leadership is lost: others hear of the FSTs now. */
    public void forgetAll() {
        fsts.clear();
    }

    private boolean isAlive(Connected fst) {
        return fst.connected() && monotonicNanos.getAsLong() - fst.seenNanos() < ALIVE_NANOS;
    }

    /**
     * Places a new content on a volume and an FST that are RW.
     *
     * @throws FsException Unavailable without an FST, NoSpace without room
     */
    public Place placeNew(Wish wish) {
        long needed = wish.declaredBytes().orElse(0) + MARGIN_BYTES;
        FleetStates now = states.get();
        var withRoom = new ArrayList<Candidate>();
        var withheld = new TreeSet<String>();
        long most = -1;
        for (Connected fst : fsts.values()) {
            if (!isAlive(fst)) {
                continue;
            }
            for (Heartbeat.VolumeLoad load : fst.loads().values()) {
                if (!load.usable() || !fst.serves(load.volumeId())) {
                    continue;
                }
                Optional<String> why = whyNotWritten(now, fst, load.volumeId());
                if (why.isPresent()) {
                    withheld.add(why.get());
                    continue;
                }
                most = Math.max(most, load.freeBytes());
                if (load.freeBytes() >= needed) {
                    withRoom.add(candidate(fst, load));
                }
            }
        }
        if (withRoom.isEmpty()) {
            throw new FsException(noRoom(needed, most, withheld));
        }
        return chosen(withRoom, wish);
    }

    private static Optional<String> whyNotWritten(FleetStates now, Connected fst, int volumeId) {
        return Stream.of(ServiceTarget.volume(volumeId), ServiceTarget.fst(fst.address().fstId()))
                .filter(target -> now.of(target) != ServiceState.RW)
                .findFirst()
                .map(target -> "%s is %s".formatted(target, now.of(target).word()));
    }

    /** Whether anybody new is sent to an FST for what is on a volume. */
    private static boolean serves(FleetStates now, Connected fst, int volumeId) {
        ServiceState state = now.of(ServiceTarget.fst(fst.address().fstId()));
        return fst.serves(volumeId)
                && (state == ServiceState.RW || state == ServiceState.RO)
                && now.of(ServiceTarget.volume(volumeId)) != ServiceState.OFF;
    }

    private static Candidate candidate(Connected fst, Heartbeat.VolumeLoad load) {
        double part = load.totalBytes() <= 0 ? 1 : (double) load.freeBytes() / load.totalBytes();
        return new Candidate(fst, load.volumeId(), Math.max(part, 0.001));
    }

    private static FsError noRoom(long needed, long most, Set<String> withheld) {
        String byOrder = withheld.isEmpty() ? "" : "; by order of an operator " + withheld;
        if (most >= 0) {
            return new FsError.NoSpace(
                    "no volume has %d bytes free, the emptiest has %d%s"
                            .formatted(needed, most, byOrder));
        }
        return withheld.isEmpty()
                ? new FsError.Unavailable(
                        "no FST with a usable volume is connected now", RETRY_SECONDS)
                : new FsError.NoSpace("no volume takes new files" + byOrder);
    }

    /**
     * Finds who serves a content that is on a volume, for reading.
     *
     * @throws FsException Unavailable if nobody does now
     */
    public Place placeAt(int volumeId, Wish wish) {
        FleetStates now = states.get();
        return placeAt(volumeId, wish, fst -> serves(now, fst, volumeId), now);
    }

    /**
     * The same for changing it in place.
     *
     * @throws FsException PermissionDenied if the volume is not RW, Unavailable if nobody serves it
     *     now
     */
    public Place placeInPlace(int volumeId, Wish wish) {
        FleetStates now = states.get();
        ServiceState state = now.of(ServiceTarget.volume(volumeId));
        if (state != ServiceState.RW) {
            throw new FsException(
                    new FsError.PermissionDenied(
                            "the file is on volume %d, which is %s by order of an operator: nothing there can be changed"
                                    .formatted(volumeId, state.word())));
        }
        return placeAt(
                volumeId,
                wish,
                fst -> fst.serves(volumeId) && whyNotWritten(now, fst, volumeId).isEmpty(),
                now);
    }

    private Place placeAt(int volumeId, Wish wish, Predicate<Connected> serves, FleetStates now) {
        List<Candidate> serving =
                answering(volumeId, serves).stream()
                        .map(fst -> new Candidate(fst, volumeId, 1))
                        .toList();
        if (serving.isEmpty()) {
            ServiceState state = now.of(ServiceTarget.volume(volumeId));
            throw new FsException(
                    new FsError.Unavailable(
                            state == ServiceState.OFF
                                    ? "volume %d is off by order of an operator".formatted(volumeId)
                                    : "no FST that serves volume %d is connected now"
                                            .formatted(volumeId),
                            RETRY_SECONDS));
        }
        return chosen(serving, wish);
    }

    /** Those whose mount answers; all that serve the volume when none does. */
    private List<Connected> answering(int volumeId, Predicate<Connected> serves) {
        List<Connected> all =
                fsts.values().stream().filter(fst -> isAlive(fst) && serves.test(fst)).toList();
        List<Connected> answering = all.stream().filter(fst -> fst.answersFor(volumeId)).toList();
        return answering.isEmpty() ? all : answering;
    }

    // What the client wants avoided comes last, but before nothing: it may be back by now.
    private Place chosen(List<Candidate> candidates, Wish wish) {
        int turn = turns.getAndIncrement();
        Candidate best =
                candidates.stream()
                        .min(
                                Comparator.<Candidate>comparingInt(
                                                c -> isAt(c, wish.atFst()) ? 0 : 1)
                                        .thenComparing(c -> isAvoidedFst(c, wish))
                                        .thenComparing(c -> isAvoidedHost(c, wish))
                                        .thenComparingDouble(
                                                c -> (c.fst().load() + 1) / c.freePart())
                                        .thenComparingInt(c -> c.inTurn(turn)))
                        .orElseThrow();
        best.fst().sentSince().incrementAndGet();
        return new Place(best.fst().address(), best.fst().bootId(), best.volumeId());
    }

    private static boolean isAt(Candidate candidate, OptionalInt fst) {
        return fst.isPresent() && fst.getAsInt() == candidate.fst().address().fstId();
    }

    private static boolean isAvoidedFst(Candidate candidate, Wish wish) {
        return wish.avoidFsts().contains(candidate.fst().address().fstId());
    }

    private static boolean isAvoidedHost(Candidate candidate, Wish wish) {
        return wish.avoidHosts().contains(candidate.fst().address().host());
    }

    /** The FST with the least to do, for what any of them can do. */
    public Optional<FstAddress> leastLoaded() {
        FleetStates now = states.get();
        return fsts.values().stream()
                .filter(this::isAlive)
                .filter(fst -> now.of(ServiceTarget.fst(fst.address().fstId())) == ServiceState.RW)
                .min(
                        Comparator.comparingInt(Connected::load)
                                .thenComparingInt(fst -> fst.address().fstId()))
                .map(Connected::address);
    }

    /** An FST that can be told to delete from a volume. */
    public OptionalInt servingFst(int volumeId) {
        FleetStates now = states.get();
        if (now.of(ServiceTarget.volume(volumeId)) == ServiceState.OFF) {
            return OptionalInt.empty();
        }
        return answering(
                        volumeId,
                        fst ->
                                fst.serves(volumeId)
                                        && now.of(ServiceTarget.fst(fst.address().fstId()))
                                                != ServiceState.OFF)
                .stream()
                .mapToInt(fst -> fst.address().fstId())
                .min();
    }

    /**
     * Total and free bytes of all usable volumes. One that several FSTs serve counts once, and so
     * does the storage that several volumes share. What is off does not count, and free is only
     * what may be written.
     */
    public long[] capacity() {
        FleetStates now = states.get();
        var counted = new HashSet<Object>();
        long[] totalAndFree = {0, 0};
        for (Connected fst : fsts.values()) {
            for (Heartbeat.VolumeLoad load : fst.loads().values()) {
                if (isAlive(fst)
                        && load.usable()
                        && now.of(ServiceTarget.volume(load.volumeId())) != ServiceState.OFF
                        && counted.add(load.volumeId())
                        && counted.add(load.device())) {
                    totalAndFree[0] += load.totalBytes();
                    totalAndFree[1] +=
                            now.of(ServiceTarget.volume(load.volumeId())) == ServiceState.RW
                                    ? load.freeBytes()
                                    : 0;
                }
            }
        }
        return totalAndFree;
    }

    /** Every FST that was here since this member leads, by id. */
    public List<OperatorService.FstStatus> fsts() {
        return fsts.values().stream()
                .sorted(Comparator.comparingInt(fst -> fst.address().fstId()))
                .map(fst ->
                        new OperatorService.FstStatus(
                                fst.address(), isAlive(fst), fst.seen(), fst.streams()))
                .toList();
    }

    /** Every volume of them, by id. */
    public List<OperatorService.VolumeStatus> volumes() {
        var byId = new TreeMap<Integer, OperatorService.VolumeStatus>();
        for (Connected fst : fsts.values()) {
            for (Heartbeat.VolumeLoad load : fst.loads().values()) {
                byId.merge(
                        load.volumeId(),
                        new OperatorService.VolumeStatus(
                                load.volumeId(),
                                load.totalBytes(),
                                load.freeBytes(),
                                load.usable() && isAlive(fst)),
                        (a, b) -> a.usable() ? a : b);
            }
        }
        return List.copyOf(byId.values());
    }

    /** The FSTs that are alive and have a volume, by number. */
    public List<Integer> serving(int volumeId) {
        return fsts.values().stream()
                .filter(fst -> isAlive(fst) && fst.serves(volumeId))
                .map(fst -> fst.address().fstId())
                .sorted()
                .toList();
    }

    /** True if that FST can be asked for what is on the volume. */
    public boolean isServing(int fstId, int volumeId) {
        return Optional.ofNullable(fsts.get(fstId))
                .filter(this::isAlive)
                .filter(fst -> fst.serves(volumeId))
                .isPresent();
    }

    /** True if that FST is connected, was heard of lately and has told of its volumes. */
    public boolean isServing(int fstId) {
        return Optional.ofNullable(fsts.get(fstId))
                .filter(this::isAlive)
                .filter(fst -> !fst.loads().isEmpty())
                .isPresent();
    }
}
