package org.cepheus.it.up;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.cepheus.it.harness.CepheusUp;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Ports;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Sample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** ./cepheus up, started, stopped, started again, and refused. */
class UpIT {
    private static final Duration FIRST_COPY = Duration.ofSeconds(10);

    @TempDir Path directory;

    @Test
    void theLogIsJsonIfAskedFor() {
        try (CepheusUp up = CepheusUp.start("--log-format", "json")) {
            up.interrupt();

            assertThat(up.log().lines().map(JsonMapper.shared()::readTree).toList())
                    .isNotEmpty()
                    .allMatch(line -> line.has("time") && line.has("message"));
        }
    }

    @Test
    void theFirstCopyIsDoneSoonAfterTheStartAndTheDataIsThereAfterAStop() {
        Sample sample = Sample.write(directory.resolve("sample"), 100_000, 1);
        Path copy = directory.resolve("copy");
        long start = System.nanoTime();
        try (var up = CepheusUp.start()) {
            Client.named("xrdcp").run(sample.file(), up.root("/kept")).succeeded();
            var took = Duration.ofNanos(System.nanoTime() - start);

            up.interrupt();
            up.restart();
            Client.named("xrdcp").run(up.root("/kept"), copy).succeeded();

            System.out.printf("first xrdcp done %d ms after the start%n", took.toMillis());
            assertThat(took).isLessThan(FIRST_COPY);
            assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
        }
    }

    @Test
    void theLinesItPrintsWorkAsTheyStand() {
        try (var up = CepheusUp.start()) {
            Sample sample = Sample.write(directory.resolve("FILE"), 1_000, 1);
            List<String> lines =
                    up.output()
                            .lines()
                            .map(String::strip)
                            .filter(line -> line.matches("(xrdcp|curl|\\./cepheus) .*"))
                            .toList();

            assertThat(lines).hasSizeGreaterThanOrEqualTo(7);
            for (String line : lines) {
                Client.named("sh")
                        .in(directory)
                        .run(
                                "-ec",
                                line.replace("curl ", "curl -sS --fail ")
                                        .replace("xrdcp ", "xrdcp -f ")
                                        .replace(
                                                "./cepheus",
                                                Path.of(System.getProperty("cepheus.root", "."))
                                                        .resolve("cepheus")
                                                        .toString()))
                        .succeeded();
            }
            assertThat(Sample.adler32Of(directory.resolve("COPY"))).isEqualTo(sample.adler32());
            assertThat(up.names("/")).containsExactly("name");
        }
    }

    @Test
    void aTakenPortIsRefusedWithOneSentence() throws IOException {
        int base = Ports.freeBase();
        try (var taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), base + 10));

            Run run = up(directory.resolve("data"), base).failed();

            run.said(Integer.toString(base + 10), "--port-base");
            assertThat(run.text().lines()).hasSize(1);
            assertThat(directory.resolve("data")).doesNotExist();
        }
    }

    @Test
    void aDirectoryOfSomebodyElseIsRefusedWithOneSentenceAndLeftAlone() throws IOException {
        Path foreign = Files.createDirectory(directory.resolve("foreign"));
        Files.writeString(foreign.resolve("thesis.tex"), "mine");

        Run run = up(foreign, Ports.freeBase()).failed();

        run.said(foreign.toString(), "--data");
        assertThat(run.text().lines()).hasSize(1);
        try (var files = Files.list(foreign)) {
            assertThat(files).containsExactly(foreign.resolve("thesis.tex"));
        }
    }

    @Test
    void aDirectoryInUseIsRefused() {
        try (var up = CepheusUp.start()) {
            Run run = up(up.data(), Ports.freeBase()).failed();

            run.said("another Cepheus process uses " + up.data());
            assertThat(run.text().lines()).hasSize(1);
            assertThat(up.isRunning()).isTrue();
        }
    }

    @Test
    void theAdminTokenIsForItsOwnerOnly() throws IOException {
        try (var up = CepheusUp.start()) {
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(
                                            up.data().resolve("admin.token"))))
                    .isEqualTo("rw-------");
            Client.named("curl")
                    .run("-sS", "-w", "%{http_code}", up.admin("/api/v1/status"))
                    .said("401");
            Client.named("curl").run("-sS", "--fail", up.admin("/health")).succeeded();
            Client.named("curl").run("-sS", "--fail", up.admin("/metrics")).succeeded();
            up.cli("status").succeeded().said("leader");
        }
    }

    private static Run up(Path data, int base) {
        return Client.cepheus().run("up", "--data", data, "--port-base", base);
    }
}
