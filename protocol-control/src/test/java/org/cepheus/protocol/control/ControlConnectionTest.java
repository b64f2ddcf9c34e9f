package org.cepheus.protocol.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.FleetCommand;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.Mutation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ControlConnectionTest {
    private static final UUID CLUSTER = new UUID(1, 2);
    private static final Bytes KEY = Bytes.copyOf(new byte[32]);
    private static final LeaseRef LEASE = new LeaseRef(1, "f", 5, 6);

    private final EventLoopGroup group =
            new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final List<AutoCloseable> started = new ArrayList<>();
    private final FakeFst fst = new FakeFst();

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : started.reversed()) {
            each.close();
        }
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
    }

    private static final class FakeFst implements FstSide {
        final BlockingQueue<List<Long>> orders = new LinkedBlockingQueue<>();
        final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
        volatile Optional<HelloAccepted> accepted = Optional.empty();

        @Override
        public Heartbeat heartbeat() {
            return new Heartbeat(
                    List.of(new Heartbeat.VolumeLoad(1, 100, 60, "disk" + 1, true)), 4);
        }

        @Override
        public CompletionStage<List<Long>> delete(int volumeId, List<Long> dataIds) {
            orders.add(dataIds);
            return CompletableFuture.completedFuture(List.of(dataIds.getFirst()));
        }

        @Override
        public CompletionStage<DataMeasure> measure(int volumeId, long dataId, int restoreEpoch) {
            return CompletableFuture.completedFuture(
                    new DataMeasure(dataId + volumeId + restoreEpoch, Instant.EPOCH));
        }

        @Override
        public CompletionStage<Void> endUpload(LeaseRef lease, String reason) {
            ended.add(lease.id() + " " + reason);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public OpenReads reads(int max) {
            return new OpenReads(ControlCodecTest.DOWNLOADS.subList(0, max), 7);
        }

        @Override
        public void endRead(long number, String reason) {
            if (number != 1) {
                throw new FsException(new FsError.NotFound("no download " + number));
            }
            ended.add(number + " " + reason);
        }

        @Override
        public CompletionStage<Void> accepted(HelloAccepted answer) {
            accepted = Optional.of(answer);
            return CompletableFuture.completedFuture(null);
        }
    }

    private ControlServer server(FakeMgm mgm) throws IOException {
        var keys =
                new FstKeyring() {
                    @Override
                    public UUID cluster() {
                        return CLUSTER;
                    }

                    @Override
                    public Optional<Bytes> key(int fstId) {
                        return fstId == 1 ? Optional.of(KEY) : Optional.empty();
                    }
                };
        var server = ControlServer.start("127.0.0.1", 0, group, mgm, keys, new SecureRandom());
        mgm.controlPort = server.port();
        started.add(server);
        return server;
    }

    private ControlClient client(UUID cluster, Bytes key, ControlServer... servers) {
        var mgms = new ArrayList<ControlClientConfig.Mgm>();
        for (ControlServer server : servers) {
            mgms.add(new ControlClientConfig.Mgm("127.0.0.1", server.port()));
        }
        var hello =
                new Hello(
                        cluster,
                        42,
                        new FstAddress(1, "localhost", 1095, 8081),
                        List.of(new FleetCommand.Volume(1, "uuid")));
        var client = ControlClient.create(group, fst, new SecureRandom());
        client.connect(new ControlClientConfig(hello, key, mgms));
        started.add(client);
        return client;
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new FsException(FsException.errorOf(e));
        }
    }

    @Test
    void anFstRegistersBeatsAndRenews() throws Exception {
        var mgm = new FakeMgm(CLUSTER);
        ControlServer server = server(mgm);
        ControlClient client = client(CLUSTER, KEY, server);
        client.opened(LEASE);

        await(() -> mgm.renewed.contains(LEASE) && !mgm.heartbeats.isEmpty());

        assertThat(server.isConnected(1)).isTrue();
        assertThat(mgm.heartbeats.peek()).isEqualTo(fst.heartbeat());
        assertThat(client.manager().orElseThrow().controlPort()).isEqualTo(server.port());
        assertThat(fst.accepted.orElseThrow().cluster()).isEqualTo(CLUSTER);
    }

    @Test
    void leasesAreExtendedCommittedAndAborted() throws Exception {
        var mgm = new FakeMgm(CLUSTER);
        ControlClient client = client(CLUSTER, KEY, server(mgm));

        assertThat(get(client.extend(Caller.SYSTEM, LEASE, 1000))).isEqualTo(1000);
        assertThat(get(client.commit(Caller.SYSTEM, commitOf(10))).sizeBytes()).isEqualTo(10);
        get(client.abort(Caller.SYSTEM, LEASE, "gone"));

        assertThat(mgm.aborted).containsExactly("gone");
    }

    @Test
    void manyCallsAtOnceAreAllAnswered() throws Exception {
        ControlClient client = client(CLUSTER, KEY, server(new FakeMgm(CLUSTER)));
        var answers = new ArrayList<CompletionStage<Long>>();

        for (long bytes = 1; bytes <= 5_000; bytes++) {
            answers.add(client.extend(Caller.SYSTEM, LEASE, bytes));
        }

        for (int i = 0; i < answers.size(); i++) {
            assertThat(get(answers.get(i))).isEqualTo(i + 1L);
        }
    }

    @Test
    void errorsOfTheMgmArriveAsTheyAre() throws Exception {
        var mgm = new FakeMgm(CLUSTER);
        ControlClient client = client(CLUSTER, KEY, server(mgm));
        await(client::isConnected);
        mgm.refusal = Optional.of(new FsError.LeaseGone("lease 5 was aborted"));

        assertThatThrownBy(() -> get(client.commit(Caller.SYSTEM, commitOf(1))))
                .isInstanceOfSatisfying(
                        FsException.class,
                        e ->
                                assertThat(e.error())
                                        .isEqualTo(new FsError.LeaseGone("lease 5 was aborted")));
    }

    @Test
    void theDoorSeesTheNamespace() throws Exception {
        var mgm = new FakeMgm(CLUSTER);
        ControlClient client = client(CLUSTER, KEY, server(mgm));
        var path = FsPath.parse("/x");

        assertThat(get(client.namespace().stat(Caller.SYSTEM, path)).inode()).isEqualTo(5);
        get(client.namespace().change(Caller.SYSTEM, new Mutation.RemoveFile(path)));

        assertThat(mgm.mutations).containsExactly(new Mutation.RemoveFile(path));
    }

    @Test
    void theDoorSeesAnEntryWhoseAttributesAreAllAtTheirLimits() throws Exception {
        var mgm = new FakeMgm(CLUSTER);
        ControlClient client = client(CLUSTER, KEY, server(mgm));
        Bytes longest = Bytes.copyOf(new byte[64 << 10]);
        mgm.attributes =
                IntStream.range(0, 128)
                        .boxed()
                        .collect(
                                Collectors.toMap(
                                        i -> "user." + "x".repeat(247) + "%03d".formatted(i),
                                        _ -> longest));

        Map<String, Bytes> seen =
                get(client.namespace().attributes(Caller.SYSTEM, FsPath.parse("/x")));

        assertThat(seen).isEqualTo(mgm.attributes);
    }

    @Test
    void deleteOrdersAnswerWhatIsGone() throws Exception {
        ControlServer server = server(new FakeMgm(CLUSTER));
        ControlClient client = client(CLUSTER, KEY, server);
        await(client::isConnected);

        assertThat(get(server.orderDelete(1, 1, List.of(7L, 8L)))).containsExactly(7L);
        assertThat(fst.orders.poll()).containsExactly(7L, 8L);
        assertThatThrownBy(() -> get(server.orderDelete(2, 1, List.of(7L))))
                .hasMessageContaining("FST 2 is not connected");
    }

    @Test
    void anFstEndsTheUploadItIsToldTo() throws Exception {
        ControlServer server = server(new FakeMgm(CLUSTER));
        ControlClient client = client(CLUSTER, KEY, server);
        await(client::isConnected);

        get(server.orderEnd(1, LEASE, "ended by ana"));

        assertThat(fst.ended).containsExactly("5 ended by ana");
        assertThatThrownBy(() -> get(server.orderEnd(2, LEASE, "ended by ana")))
                .hasMessageContaining("FST 2 is not connected");
    }

    @Test
    void anFstSaysWhatIsBeingReadAndEndsIt() throws Exception {
        ControlServer server = server(new FakeMgm(CLUSTER));
        ControlClient client = client(CLUSTER, KEY, server);
        await(client::isConnected);

        OpenReads told = get(server.askReads(1, 1));
        assertThat(told).isEqualTo(new OpenReads(ControlCodecTest.DOWNLOADS.subList(0, 1), 7));
        get(server.orderEndRead(1, 1, "ended by ana"));
        assertThat(fst.ended).containsExactly("1 ended by ana");
        assertThatThrownBy(() -> get(server.orderEndRead(1, 2, "ended by ana")))
                .hasMessageContaining("no download 2");
        assertThatThrownBy(() -> get(server.askReads(2, 1)))
                .hasMessageContaining("FST 2 is not connected");
    }

    @Test
    void anFstSaysHowMuchDataAContentHas() throws Exception {
        ControlServer server = server(new FakeMgm(CLUSTER));
        ControlClient client = client(CLUSTER, KEY, server);
        await(client::isConnected);

        assertThat(get(server.orderMeasure(1, 2, 40, 0)).sizeBytes()).isEqualTo(42);
    }

    @Test
    void anFstWhoseClockWentBackGreetsAsTheLaterStartThatItIs() throws Exception {
        var mgm = new FakeMgm(CLUSTER);
        mgm.latestBoot = Long.MAX_VALUE - 1;
        ControlServer server = server(mgm);

        ControlClient client = client(CLUSTER, KEY, server);

        await(client::isConnected);
        assertThat(mgm.hellos.poll().bootId()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anFstThatWasOvertakenByALaterStartStaysOut() throws Exception {
        var mgm = new FakeMgm(CLUSTER);
        ControlServer server = server(mgm);
        ControlClient client = client(CLUSTER, KEY, server);
        await(client::isConnected);
        mgm.latestBoot = Long.MAX_VALUE - 1;
        int before = mgm.greeted.get();
        server.disconnectAll();

        await(() -> mgm.greeted.get() >= before + 3);

        assertThat(client.isConnected()).isFalse();
        assertThat(mgm.hellos).hasSize(1);
    }

    @Test
    void aFollowerPointsToTheLeader() throws Exception {
        var leader = new FakeMgm(CLUSTER);
        ControlServer leading = server(leader);
        var follower = new FakeMgm(CLUSTER);
        ControlServer following = server(follower);
        follower.follow(leader.address());

        ControlClient client = client(CLUSTER, KEY, following);

        assertThat(get(client.extend(Caller.SYSTEM, LEASE, 5))).isEqualTo(5);
        assertThat(leading.isConnected(1)).isTrue();
        assertThat(following.isConnected(1)).isFalse();
    }

    @Test
    void aCommitIsRepeatedAtTheNextLeader() throws Exception {
        var first = new FakeMgm(CLUSTER);
        var second = new FakeMgm(CLUSTER);
        ControlServer leading = server(first);
        ControlServer other = server(second);
        second.follow(first.address());
        first.silent = true;
        ControlClient client = client(CLUSTER, KEY, leading, other);
        await(() -> leading.isConnected(1));

        CompletionStage<Long> size =
                client.commit(Caller.SYSTEM, commitOf(10)).thenApply(s -> s.sizeBytes());
        await(() -> first.commits.get() == 1);
        second.lead();
        leading.close();

        assertThat(get(size)).isEqualTo(10);
        assertThat(second.commits.get()).isEqualTo(1);
    }

    @Test
    void aLeaderThatSteppedDownIsLeft() throws Exception {
        var first = new FakeMgm(CLUSTER);
        var second = new FakeMgm(CLUSTER);
        ControlServer leading = server(first);
        ControlServer other = server(second);
        ControlClient client = client(CLUSTER, KEY, leading, other);
        await(() -> leading.isConnected(1));

        first.follow(second.address());

        assertThat(get(client.extend(Caller.SYSTEM, LEASE, 6))).isEqualTo(6);
        assertThat(other.isConnected(1)).isTrue();
        await(() -> first.disconnects.get() == 1);
    }

    @Test
    void aWrongKeyIsNotLetIn() throws Exception {
        var mgm = new FakeMgm(CLUSTER);
        ControlServer server = server(mgm);
        byte[] other = new byte[32];
        other[0] = 1;

        ControlClient client = client(CLUSTER, Bytes.copyOf(other), server);

        assertThatThrownBy(() ->
                        get(
                                client.call(
                                        new ControlMessage.Stat(Caller.SYSTEM, FsPath.ROOT),
                                        ControlMessage.Status.class,
                                        Duration.ofMillis(700))))
                .isInstanceOf(FsException.class);
        assertThat(server.isConnected(1)).isFalse();
        assertThat(mgm.hellos).isEmpty();
    }

    @Test
    void anotherClusterIsNotLetIn() throws Exception {
        var mgm = new FakeMgm(CLUSTER);
        ControlServer server = server(mgm);

        ControlClient client = client(new UUID(9, 9), KEY, server);

        assertThatThrownBy(() ->
                        get(
                                client.call(
                                        new ControlMessage.Stat(Caller.SYSTEM, FsPath.ROOT),
                                        ControlMessage.Status.class,
                                        Duration.ofMillis(700))))
                .isInstanceOf(FsException.class);
        assertThat(mgm.hellos).isEmpty();
    }

    private static LeaseCommand.Commit commitOf(long size) {
        return new LeaseCommand.Commit(
                LEASE, size, List.of(), Optional.of(Instant.ofEpochSecond(1)));
    }
}
