package org.cepheus.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.cepheus.domain.clients.RealClients;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real curl against a manager and a data server. */
final class CurlTest {
    @TempDir Path directory;
    private Site site;

    @BeforeEach
    void start() throws IOException {
        RealClients.require("curl", "curl");
        site = Site.open();
    }

    @AfterEach
    void stop() {
        if (site != null) {
            site.close();
        }
    }

    private record Run(int exit, String output) {}

    private static Run curl(String... arguments) throws Exception {
        var command = new ArrayList<>(List.of("/usr/bin/curl", "-sS", "--max-time", "60"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Run(process.exitValue(), output);
    }

    private Path source(int size) throws IOException {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return Files.write(directory.resolve("source" + size), bytes);
    }

    @Test
    void copiesFilesOfEverySizeInAndOut() throws Exception {
        for (int size : List.of(0, 1, 5000, 70_000, 1_500_000, 30_000_001)) {
            Path source = source(size);
            Path copy = directory.resolve("copy");
            String url = site.managerUrl("/file" + size);

            Run put = curl("-L", "-T", source.toString(), "-w", "%{http_code}", url);
            Run get = curl("-L", "-o", copy.toString(), "-w", "%{http_code}", url);

            assertThat(put).as("put of " + size).isEqualTo(new Run(0, "201"));
            assertThat(get).as("get of " + size).isEqualTo(new Run(0, "200"));
            assertThat(Files.mismatch(source, copy)).isEqualTo(-1);
        }
        assertThat(site.data.openFiles()).isZero();
    }

    @Test
    void copiesThroughTheDoorWithoutRedirects() throws Exception {
        Path source = source(3_000_000);
        Path copy = directory.resolve("copy");

        Run put = curl("-T", source.toString(), "-w", "%{http_code}", site.doorUrl("/f"));
        Run get = curl("-o", copy.toString(), "-w", "%{http_code}", site.doorUrl("/f"));

        assertThat(put).isEqualTo(new Run(0, "201"));
        assertThat(get).isEqualTo(new Run(0, "200"));
        assertThat(Files.mismatch(source, copy)).isEqualTo(-1);
    }

    @Test
    void uploadsFromStandardInputInChunksThroughTheDoor() throws Exception {
        Path source = source(2_000_000);
        var builder =
                new ProcessBuilder("/usr/bin/curl", "-sS", "-T", "-", site.doorUrl("/piped"))
                        .redirectInput(source.toFile());

        assertThat(builder.start().waitFor()).isZero();

        assertThat(site.namespace.bytes("/piped")).isEqualTo(Files.readAllBytes(source));
    }

    @Test
    void uploadsFromStandardInputThroughTheManagerWithExpect() throws Exception {
        Path source = source(2_000_000);
        var builder =
                new ProcessBuilder(
                                "/usr/bin/curl",
                                "-sS",
                                "-L",
                                "-H",
                                "Expect: 100-continue",
                                "-T",
                                "-",
                                site.managerUrl("/piped"))
                        .redirectInput(source.toFile());

        assertThat(builder.start().waitFor()).isZero();

        assertThat(site.namespace.bytes("/piped")).isEqualTo(Files.readAllBytes(source));
    }

    @Test
    void saysToFollowTheRedirect() throws Exception {
        site.namespace.file("/f", new byte[10]);

        assertThat(curl(site.managerUrl("/f")).output()).contains("curl -L");
    }

    @Test
    void resumesADownload() throws Exception {
        Path source = source(100_000);
        site.namespace.file("/f", Files.readAllBytes(source));
        byte[] half = new byte[40_000];
        System.arraycopy(Files.readAllBytes(source), 0, half, 0, half.length);
        Path copy = Files.write(directory.resolve("half"), half);

        curl("-L", "-C", "-", "-o", copy.toString(), site.managerUrl("/f"));

        assertThat(Files.mismatch(source, copy)).isEqualTo(-1);
    }
}
