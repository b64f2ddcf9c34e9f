package org.cepheus.it.crowd;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Gauges;
import org.cepheus.it.harness.RawXrootd;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Clients that stop in the middle of a transfer and keep their connections. */
class SlowClientsIT {
    private static final int MIB = 1 << 20;
    private static final int CLIENTS = 128;

    /** So many have the servers start all threads for their volumes. */
    private static final int FIRST = 64;

    /** The last of those on a busy machine, or a compiler's; far fewer than clients that come. */
    private static final int STRANGE_THREADS = (CLIENTS - FIRST) / 4;

    private static final int MAX_BYTES_EACH = 2 * MIB;

    /** What a transfer in the middle holds at least, or it would not be one. */
    private static final int MIN_BYTES_EACH = 256 * 1024;

    private static final int KERNEL_BYTES = 64 * 1024;
    private static final long LARGE = 32L * MIB;
    private static final int BEGINNING = 700_000;
    private static final Duration SOON = Duration.ofSeconds(10);

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    private final List<AutoCloseable> clients = new ArrayList<>();
    private Gauges gauges;

    /** Makes one more client that stops in the middle. */
    interface Slow {
        AutoCloseable start(int number) throws IOException;
    }

    @BeforeEach
    void storeALargeFile() {
        gauges = UP.get().gauges();
        Sample large = Sample.write(directory.resolve("large"), LARGE, 1);
        Client.named("xrdcp").run("-f", large.file(), UP.get().root("/large")).succeeded();
        Deadline.await("idle", SOON, () -> gauges.bufferBytes() < MIB);
    }

    @AfterEach
    void endThem() throws Exception {
        for (AutoCloseable client : clients) {
            client.close();
        }
    }

    private int xrootdPort() {
        return UP.get().portBase();
    }

    @Test
    void thatTakeNoMoreOfAnXrootdRead() throws Exception {
        hold(number -> {
            RawXrootd client = RawXrootd.open(xrootdPort(), "/large", XrootdRequest.Open.FOR_READ);
            clients.add(client);
            return client.send(new XrootdRequest.Read(client.handle(), 0, (int) LARGE, 0));
        });
    }

    @Test
    void thatSendNoMoreOfAnXrootdWrite() throws Exception {
        int create = XrootdRequest.Open.NEW | XrootdRequest.Open.UPDATE;
        hold(number -> {
            RawXrootd client = RawXrootd.open(xrootdPort(), "/half-" + number, create);
            clients.add(client);
            return client.send(new XrootdRequest.Write(client.handle(), 0, 8 * MIB, 0))
                    .send(new byte[BEGINNING]);
        });
    }

    @Test
    void thatTakeNoMoreOfAGet() throws Exception {
        // There are pipes for the first of them: what waits there is the storage's memory.
        hold(
                0,
                number -> {
                    Socket client = http("GET /large HTTP/1.1\r\nHost: x\r\n\r\n", 0);
                    assertThat(client.getInputStream().read())
                            .as("its answer begins")
                            .isEqualTo('H');
                    return client;
                });
    }

    @Test
    void thatSendNoMoreOfAPut() throws Exception {
        hold(number ->
                http(
                        "PUT /put-%d HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
                                .formatted(number, LARGE),
                        BEGINNING));
    }

    private Socket http(String head, int bodyBytes) throws IOException {
        var socket = new Socket();
        clients.add(socket);
        socket.setReceiveBufferSize(KERNEL_BYTES);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), xrootdPort() + 11));
        socket.getOutputStream().write(head.getBytes(US_ASCII));
        socket.getOutputStream().write(new byte[bodyBytes]);
        return socket;
    }

    private void hold(Slow slow) throws Exception {
        hold(MIN_BYTES_EACH, slow);
    }

    private void hold(long firstHoldAtLeast, Slow slow) throws Exception {
        for (int i = 0; i < FIRST; i++) {
            slow.start(i);
        }
        Deadline.await("they hold memory", SOON, () -> eachHolds(FIRST) >= firstHoldAtLeast);
        int threads = gauges.threads();

        for (int i = FIRST; i < CLIENTS; i++) {
            slow.start(i);
        }
        Deadline.await("all hold memory", SOON, () -> eachHolds(CLIENTS) >= MIN_BYTES_EACH);

        assertThat(gauges.threads()).as("threads").isLessThanOrEqualTo(threads + STRANGE_THREADS);
        assertOthersAreServed();
        assertThat(eachHolds(CLIENTS)).as("bytes for each").isLessThanOrEqualTo(MAX_BYTES_EACH);
    }

    private long eachHolds(int count) {
        return gauges.bufferBytes() / count;
    }

    private void assertOthersAreServed() {
        Sample sample = Sample.write(directory.resolve("sample"), 3L * MIB, 2);
        Path back = directory.resolve("back");
        Client.named("xrdcp").run("-f", sample.file(), UP.get().root("/other")).succeeded();
        Client.named("xrdcp").run("-f", UP.get().root("/other"), back).succeeded();
        assertThat(Sample.adler32Of(back)).isEqualTo(sample.adler32());
        Client.named("curl").run("-sSfL", "-o", back, UP.get().http("/other")).succeeded();
        assertThat(Sample.adler32Of(back)).isEqualTo(sample.adler32());
        Client.named("curl")
                .run("-sSfL", "-T", sample.file(), UP.get().http("/another"))
                .succeeded();
    }
}
