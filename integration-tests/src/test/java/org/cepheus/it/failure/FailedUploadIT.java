package org.cepheus.it.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Running;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An upload that fails leaves no name, charges no quota, and its data file is removed. */
class FailedUploadIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String NODE = "/node";
    private static final int MIB = 1 << 20;

    /** A file that says it has 4096 bytes and has fewer: what a truncated source looks like. */
    private static final Path SHORTER_THAN_IT_SAYS = Path.of("/sys/kernel/uevent_seqnum");

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    private List<Path> dataFilesBefore = List.of();

    @BeforeEach
    void countFromHere() {
        if (UP.get().names("/").isEmpty()) {
            Client.named("xrdfs").run(UP.get().server(), "mkdir", NODE).succeeded();
            UP.get().cli("quota", "set", NODE, "--bytes", "1GiB").succeeded();
        }
        assertNothingIsLeft();
        dataFilesBefore = UP.get().dataFiles();
    }

    @Test
    void aTruncatedSourceLeavesNothing() throws IOException {
        assertThat(Files.size(SHORTER_THAN_IT_SAYS)).isGreaterThan(1_000);

        Client.named("xrdcp").run(SHORTER_THAN_IT_SAYS, url("truncated")).failed();

        assertNothingIsLeft();
    }

    @Test
    void aClientThatRunsOutOfTimeLeavesNothing() {
        Sample sample = sample(64 * MIB);

        Client.named("xrdcp")
                .with("XRD_CPTIMEOUT", "2")
                .run("--xrate", "4m", sample.file(), url("slow"))
                .failed();

        assertNothingIsLeft();
    }

    @Test
    void aFullQuotaLeavesNothingOfAFileThatSaidItsSize() {
        Sample sample = sample(2 * MIB);
        UP.get().cli("quota", "set", NODE, "--bytes", "1MiB").succeeded();

        Client.named("xrdcp").run(sample.file(), url("large")).failed().said("quota exceeded");

        UP.get().cli("quota", "set", NODE, "--bytes", "1GiB").succeeded();
        assertNothingIsLeft();
    }

    @Test
    void aFullQuotaLeavesNothingOfAFileThatDidNotSayItsSize() {
        Sample sample = sample(64 * MIB);
        UP.get().cli("quota", "set", NODE, "--bytes", "20MiB").succeeded();

        Run run =
                Client.named("sh")
                        .run("-c", "cat %s | xrdcp - %s".formatted(sample.file(), url("endless")));

        run.failed().said("quota exceeded");
        UP.get().cli("quota", "set", NODE, "--bytes", "1GiB").succeeded();
        assertNothingIsLeft();
    }

    @Test
    void aWrongDigestLeavesNothing() {
        Sample sample = sample(MIB);

        Client.named("curl")
                .run(
                        "-sS",
                        "-L",
                        "-w",
                        "%{http_code}",
                        "-H",
                        "Digest: adler32=00000001",
                        "-T",
                        sample.file(),
                        UP.get().http(NODE + "/damaged"))
                .succeeded()
                .said("400", sample.adler32());

        assertNothingIsLeft();
    }

    @Test
    void anHttpBodyThatStopsInTheMiddleLeavesNothing() throws IOException {
        URI door = URI.create(UP.get().door(NODE + "/stopped"));

        try (var socket = new Socket(door.getHost(), door.getPort())) {
            String head =
                    "PUT %s HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"
                            .formatted(door.getPath());
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(new byte[300_000]);
            socket.getOutputStream().flush();
            Deadline.await("the upload is seen", SOON, () -> !UP.get().transfers().isEmpty());
            socket.shutdownOutput();
            try (InputStream in = socket.getInputStream()) {
                in.readAllBytes();
            }
        }

        assertNothingIsLeft();
    }

    @Test
    void aKilledCurlLeavesNothing() {
        Sample sample = sample(200 * MIB);
        Running curl =
                Client.named("curl")
                        .start(
                                "-sS",
                                "-L",
                                "--limit-rate",
                                "4m",
                                "-T",
                                sample.file(),
                                UP.get().http(NODE + "/killed"));
        awaitUpload("/killed");

        curl.kill();

        assertNothingIsLeft();
    }

    @Test
    void aKilledXrdcpLeavesNothingVisibleAndItsRoomComesBackWhenTheNameIsRemoved() {
        Running xrdcp = startSlowXrdcp("/given-up");

        xrdcp.kill();

        assertThat(UP.get().names(NODE)).isEmpty();
        Client.named("xrdfs").run(UP.get().server(), "rm", NODE + "/given-up");
        assertNothingIsLeft();
    }

    @Test
    void aKilledXrdcpLeavesNothingAfterARestart() {
        Running xrdcp = startSlowXrdcp("/restarted");

        xrdcp.kill();
        UP.get().interrupt();
        UP.get().restart();

        assertNothingIsLeft();
    }

    private Running startSlowXrdcp(String name) {
        Sample sample = sample(200 * MIB);
        Running xrdcp =
                Client.named("xrdcp")
                        .start("-s", "--xrate", "4m", sample.file(), url(name.substring(1)));
        awaitUpload(name);
        return xrdcp;
    }

    private static void awaitUpload(String name) {
        Deadline.await(
                "bytes of %s have arrived".formatted(name),
                SOON,
                () ->
                        UP.get().transfers().stream()
                                        .anyMatch(each ->
                                                each.path("path").asString().equals(NODE + name))
                                && UP.get().dataFiles().stream()
                                        .anyMatch(file -> file.toFile().length() > MIB));
    }

    /** No name, no charge, no reservation, and soon no data file either. */
    private void assertNothingIsLeft() {
        assertThat(UP.get().names(NODE)).isEmpty();
        Deadline.await(
                "no quota is charged: " + UP.get().quota(NODE), SOON, FailedUploadIT::isUncharged);
        Deadline.await(
                "the data files are removed: " + UP.get().dataFiles(),
                SOON,
                () -> UP.get().dataFiles().equals(dataFilesBefore));
        assertThat(UP.get().transfers()).isEmpty();
    }

    private static boolean isUncharged() {
        var row = UP.get().quota(NODE);
        return row.path("usedBytes").asLong() == 0
                && row.path("usedFiles").asLong() == 0
                && row.path("reservedBytes").asLong() == 0
                && row.path("reservedFiles").asLong() == 0;
    }

    private Sample sample(long size) {
        return Sample.write(directory.resolve("sample"), size, size);
    }

    private static String url(String name) {
        return UP.get().root(NODE + "/" + name);
    }
}
