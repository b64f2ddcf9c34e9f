package org.cepheus.fst;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.cepheus.auth.LoopbackAuthenticator;
import org.cepheus.domain.Identity;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.port.Admission;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.Metrics;
import org.cepheus.protocol.control.ControlServer;
import org.cepheus.protocol.control.Heartbeat;
import org.cepheus.protocol.socket.EpollLoops;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole FSTs on loopback with a leader that is not one. */
final class FstTest {
    private static final byte[] WHOLE = "the whole content".getBytes(UTF_8);

    @TempDir Path directory;
    private final FakeLeader leader = new FakeLeader();
    private final EventLoopGroup loops = EpollLoops.start(2, "test");
    private final List<AutoCloseable> started = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private ControlServer control;

    @BeforeEach
    void startLeader() throws IOException {
        control = ControlServer.start("127.0.0.1", 0, loops, leader, leader, new SecureRandom());
        started.add(control);
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : started.reversed()) {
            each.close();
        }
        client.close();
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
    }

    private FstConfig config(int fstId) throws IOException {
        Path keyFile = directory.resolve("key-" + fstId);
        Files.writeString(keyFile, TestTickets.key(fstId).toText());
        return new FstConfig(
                fstId,
                TestTickets.CLUSTER,
                "127.0.0.1",
                "localhost",
                0,
                0,
                keyFile,
                List.of(new InetSocketAddress("127.0.0.1", control.port())),
                List.of(
                        new FstConfig.VolumeConfig(1, directory.resolve("volume-1")),
                        new FstConfig.VolumeConfig(2, directory.resolve("volume-2"))),
                true,
                OptionalLong.empty());
    }

    private Fst start(FstConfig config) throws Exception {
        Fst fst =
                Fst.start(
                        config,
                        new FstServices(
                                loops,
                                loops,
                                new LoopbackAuthenticator(Identity.NOBODY),
                                Metrics.NONE,
                                Audit.NONE,
                                Admission.ALWAYS,
                                new SecureRandom(),
                                InstantSource.fixed(TestTickets.NOW)));
        started.add(fst);
        await(fst::isConnected);
        return fst;
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    private HttpRequest.Builder request(Fst fst, Ticket ticket) {
        return HttpRequest.newBuilder(
                        URI.create(
                                "http://127.0.0.1:%d%s?cph.tkt=%s"
                                        .formatted(
                                                fst.httpPort(),
                                                TestTickets.PATH,
                                                TestTickets.sealed(ticket))))
                .timeout(Duration.ofSeconds(20));
    }

    private HttpResponse<String> put(Fst fst, Ticket ticket) throws Exception {
        return client.send(
                request(fst, ticket).PUT(BodyPublishers.ofByteArray(WHOLE)).build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<String> get(Fst fst, Ticket ticket) throws Exception {
        return client.send(request(fst, ticket).build(), BodyHandlers.ofString());
    }

    @Test
    void whatIsPutAtOneFstIsReadAtAnotherOfTheSameVolumes() throws Exception {
        Fst first = start(config(1));
        Fst second = start(config(2));

        var put = put(first, TestTickets.writing(7, OptionalLong.of(17), 17));
        var got = get(second, TestTickets.at(2, TestTickets.reading(7, 17)));

        assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
        assertThat(got.statusCode()).as(got.body()).isEqualTo(200);
        assertThat(got.body()).isEqualTo("the whole content");
        assertThat(leader.leases.commits).hasSize(1);
    }

    @Test
    void bothOfferTheSameVolumesAndTellTheirRoom() throws Exception {
        start(config(1));
        start(config(2));

        await(() -> leader.heartbeats.size() == 2);

        var hellos = List.copyOf(leader.hellos);
        assertThat(hellos.get(0).volumes()).isEqualTo(hellos.get(1).volumes()).hasSize(2);
        assertThat(leader.heartbeats.values())
                .flatExtracting(Heartbeat::volumes)
                .hasSize(4)
                .allMatch(load -> load.usable() && load.freeBytes() > 0);
    }

    @Test
    void anOrderToDeleteReachesTheDisk() throws Exception {
        Fst fst = start(config(1));
        put(fst, TestTickets.writing(7, OptionalLong.of(17), 17));
        Path data = directory.resolve("volume-1/00000000/00000007");
        assertThat(data).exists();

        assertThat(DataServiceContract.get(control.orderDelete(1, 1, List.of(7L, 8L))))
                .containsExactly(7L, 8L);
        assertThat(data).doesNotExist();
    }

    @Test
    void aConfigurationIsRefusedWithEverythingThatIsWrong() throws Exception {
        FstConfig good = config(1);
        var bad =
                new FstConfig(
                        0,
                        good.cluster(),
                        good.host(),
                        good.advertisedHost(),
                        70_000,
                        0,
                        good.keyFile(),
                        List.of(),
                        List.of(),
                        true,
                        OptionalLong.of(0));

        assertThat(good.problems()).isEmpty();
        assertThat(bad.problems()).hasSize(5);
        assertThatThrownBy(() -> start(bad)).hasMessageContaining("id must be 1 or more, is 0");
    }

    @Test
    void theKeyOfAnotherFstIsRefused() throws Exception {
        FstConfig config = config(1);
        Files.writeString(config.keyFile(), TestTickets.key(2).toText());

        assertThatThrownBy(() -> start(config))
                .hasMessageContaining("holds the key of FST 2, this is FST 1");
    }
}
