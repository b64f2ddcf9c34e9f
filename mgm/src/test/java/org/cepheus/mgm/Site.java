package org.cepheus.mgm;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.cepheus.auth.ClusterSecret;
import org.cepheus.auth.FstKeys;
import org.cepheus.auth.LoopbackAuthenticator;
import org.cepheus.auth.TicketSealer;
import org.cepheus.domain.Caller;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.Identity;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.loopback.FreePorts;
import org.cepheus.domain.port.AccessPolicy;
import org.cepheus.domain.port.Admission;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.Grant;
import org.cepheus.domain.port.Metrics;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.OpenRequest;
import org.cepheus.mgm.raft.RaftSettings;
import org.cepheus.mgm.raft.RaftSettings.Peer;
import org.cepheus.mgm.service.FstDesk;
import org.cepheus.protocol.control.ControlClient;
import org.cepheus.protocol.control.ControlClientConfig;
import org.cepheus.protocol.control.DataMeasure;
import org.cepheus.protocol.control.FstSide;
import org.cepheus.protocol.control.Heartbeat;
import org.cepheus.protocol.control.Hello;
import org.cepheus.protocol.control.HelloAccepted;
import org.cepheus.protocol.control.OpenReads;
import org.cepheus.protocol.socket.EpollLoops;
import org.cepheus.runtime.HealthRegistry;

/** MGMs and FSTs without data, on loopback in one process, for tests. */
final class Site implements AutoCloseable {
    static final Caller ALICE =
            new Caller(new Identity("alice", List.of("users"), false), "127.0.0.1", new TraceId(7));
    static final UUID CLUSTER = new UUID(5, 6);

    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final long MIB = 1L << 20;
    private static final int PORTS_OF_MEMBER = 5;

    private final Path directory;
    private final List<Peer> peers = new ArrayList<>();

    /** Asked before mode, owner and group; a test may put in another one. */
    volatile AccessPolicy policy = AccessPolicy.POSIX_ONLY;

    private final EventLoopGroup loops = EpollLoops.start(2, "test");
    private final SecureRandom random = new SecureRandom();
    private final Path secretFile;
    private final AtomicReference<String> fatal = new AtomicReference<>("");
    Identity operator = new Identity("starter", List.of("staff"), true);
    final List<String> deeds = new CopyOnWriteArrayList<>();
    long leastFreeBytes = MIB;
    long keptEntries = RaftSettings.KEPT_ENTRIES;

    Site(Path directory, int members) throws IOException {
        this.directory = directory;
        this.secretFile = directory.resolve("secret");
        Files.createDirectories(directory);
        if (!Files.exists(secretFile)) {
            ClusterSecret.draw(random).writeNew(secretFile);
        }
        int port = FreePorts.firstOf(PORTS_OF_MEMBER * members);
        for (int i = 0; i < members; i++, port += PORTS_OF_MEMBER) {
            var address = new MgmAddress("127.0.0.1", port, port + 1, port + 2, port + 3);
            peers.add(new Peer("mgm" + i, "127.0.0.1", port + 4, address));
        }
    }

    MgmConfig config(int member) {
        return new MgmConfig(
                "mgm" + member,
                peers,
                "127.0.0.1",
                directory.resolve("mgm" + member),
                secretFile,
                directory.resolve("admin.token"),
                CLUSTER,
                "",
                leastFreeBytes,
                keptEntries);
    }

    Mgm start(int member) throws IOException {
        Identity starter = new Identity("starter", List.of("staff"), true);
        return Mgm.start(
                config(member),
                new Mgm.Surroundings(
                        loops,
                        loops,
                        new LoopbackAuthenticator(starter),
                        (caller, want, path) -> policy.refusal(caller, want, path),
                        operator,
                        Metrics.NONE,
                        new Deeds(member),
                        Admission.ALWAYS,
                        new HealthRegistry(),
                        () -> "",
                        random,
                        (why, cause) -> fatal.compareAndSet("", why + ": " + cause)));
    }

    /** Keeps what a member says that the system did. */
    private final class Deeds implements Audit {
        private final int member;

        Deeds(int member) {
            this.member = member;
        }

        @Override
        public void allowed(Caller caller, String operation, String object) {}

        @Override
        public void refused(Caller caller, String operation, String object, FsError error) {}

        @Override
        public <T> void happened(List<T> changes, Function<? super T, Deed> shown) {
            for (T change : changes) {
                Deed deed = shown.apply(change);
                deeds.add(
                        "mgm%d: %s %s of %s, trace %s: %s"
                                .formatted(
                                        member,
                                        deed.operation(),
                                        deed.object(),
                                        deed.owner(),
                                        deed.trace(),
                                        deed.why()));
            }
        }
    }

    static void await(BooleanSupplier condition, String what) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within 30 s: " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    /** An FST that says it has one volume of its own id and deletes whatever it is told to. */
    Fst fst(int fstId) {
        return new Fst(fstId);
    }

    final class Fst implements AutoCloseable {
        final int id;
        final ConcurrentLinkedQueue<Long> deleted = new ConcurrentLinkedQueue<>();
        final ConcurrentLinkedQueue<String> ended = new ConcurrentLinkedQueue<>();
        final ControlClient client;

        private Fst(int id) {
            this.id = id;
            var hello =
                    new Hello(
                            CLUSTER,
                            System.currentTimeMillis() << 20 | random.nextInt(1 << 20),
                            new FstAddress(id, "fst" + id, 1, 2),
                            List.of(new FleetCommand.Volume(id, "volume " + id)));
            byte[] key =
                    new FstKeys(ClusterSecret.read(secretFile))
                            .keyOf(id)
                            .subkey(FstDesk.CONTROL_KEY);
            client = ControlClient.create(loops, new Side(this), random);
            client.connect(
                    new ControlClientConfig(
                            hello,
                            Bytes.copyOf(key),
                            peers.stream()
                                    .map(peer ->
                                            new ControlClientConfig.Mgm(
                                                    "127.0.0.1", peer.address().controlPort()))
                                    .toList()));
        }

        Ticket open(Grant grant) {
            var key = new FstKeys(ClusterSecret.read(secretFile)).keyOf(id);
            return TicketSealer.open(grant.sealedTicket(), key, CLUSTER, Instant.now());
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private record Side(Fst fst) implements FstSide {
        @Override
        public Heartbeat heartbeat() {
            return new Heartbeat(
                    List.of(
                            new Heartbeat.VolumeLoad(
                                    fst.id, 1_000 * MIB, 500 * MIB, "disk" + fst.id, true)),
                    0);
        }

        @Override
        public CompletionStage<List<Long>> delete(int volumeId, List<Long> dataIds) {
            fst.deleted.addAll(dataIds);
            return CompletableFuture.completedFuture(dataIds);
        }

        @Override
        public CompletionStage<DataMeasure> measure(int volumeId, long dataId, int restoreEpoch) {
            return CompletableFuture.completedFuture(new DataMeasure(99, Instant.EPOCH));
        }

        @Override
        public CompletionStage<Void> endUpload(LeaseRef lease, String reason) {
            fst.ended.add(lease.id() + " " + reason);
            return CompletableFuture.allOf();
        }

        @Override
        public OpenReads reads(int max) {
            return new OpenReads(List.of(), 0);
        }

        @Override
        public void endRead(long number, String reason) {
            fst.ended.add("read " + number + " " + reason);
        }

        @Override
        public CompletionStage<Void> accepted(HelloAccepted accepted) {
            return CompletableFuture.allOf();
        }
    }

    static OpenRequest writing(String path, long bytes) {
        return OpenRequest.writing(
                        FsPath.parse(path), LeaseCommand.Intent.NEW, 0644, OptionalLong.of(bytes))
                .withParents();
    }

    /** What a client, an MGM and an FST do together for one upload. */
    static FileStatus upload(NamespaceService namespace, Fst fst, String path, long bytes)
            throws Exception {
        Grant grant = get(namespace.open(ALICE, writing(path, bytes)));
        Ticket ticket = fst.open(grant);
        return get(
                fst.client.commit(
                        ticket.caller(),
                        new LeaseCommand.Commit(
                                ticket.lease().orElseThrow(),
                                bytes,
                                List.of(Checksum.of(ChecksumType.ADLER32, 1)),
                                Optional.empty())));
    }

    @Override
    public void close() {
        assertThat(fatal).as("no reason to end the process").hasValue("");
        loops.shutdownGracefully(0, 100, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }
}
