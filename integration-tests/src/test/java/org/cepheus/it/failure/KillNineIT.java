package org.cepheus.it.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.zip.Adler32;
import org.cepheus.it.harness.CepheusUp;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Sample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** kill -9 while 64 clients upload: what was acknowledged is there, nothing else is, sums agree. */
class KillNineIT {
    private static final int CLIENTS = 64;
    private static final int KILL_AFTER_ACKNOWLEDGED = 100;
    private static final int SAMPLES = 8;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir Path directory;

    private final Map<String, Sample> acknowledged = new ConcurrentHashMap<>();
    private final Map<String, Sample> attempted = new ConcurrentHashMap<>();
    private final AtomicBoolean killed = new AtomicBoolean();

    @Test
    void everyAcknowledgedFileIsThereAndIntact() throws Exception {
        Client.named("xrdcp");
        Client.named("curl");
        try (var up = CepheusUp.start()) {
            up.cli("quota", "set", "/", "--bytes", "100GiB").succeeded();

            killDuringUploads(up);
            up.restart();

            Map<String, JsonNode> visible =
                    up.entries("/").stream()
                            .collect(
                                    Collectors.toMap(
                                            entry -> entry.path("name").asString(),
                                            entry -> entry));
            assertThat(visible.keySet()).containsAll(acknowledged.keySet());
            assertThat(attempted.keySet()).containsAll(visible.keySet());
            assertThat(visible.size() - acknowledged.size())
                    .as("visible without an answer: at most what was under way")
                    .isLessThanOrEqualTo(CLIENTS);
            for (String name : visible.keySet()) {
                assertIntact(up, name);
            }
            assertQuotaIsTheSum(up, visible);
            up.recount();
            Deadline.await(
                    "only the data files of visible names are left",
                    LIMIT,
                    () -> up.dataFiles().size() == visible.size());
        }
    }

    private void killDuringUploads(CepheusUp up) throws Exception {
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < SAMPLES; i++) {
            samples.add(Sample.write(directory.resolve("sample" + i), 400_000L * (i + 1), i));
        }
        try (var threads = Executors.newFixedThreadPool(CLIENTS)) {
            var uploaders = new ArrayList<Future<?>>();
            for (int client = 0; client < CLIENTS; client++) {
                int number = client;
                uploaders.add(threads.submit(() -> uploadUntilKilled(up, number, samples)));
            }
            Deadline.await(
                    "enough uploads are acknowledged",
                    LIMIT,
                    () -> acknowledged.size() >= KILL_AFTER_ACKNOWLEDGED || !up.isRunning());
            up.kill();
            killed.set(true);
            for (Future<?> uploader : uploaders) {
                uploader.get();
            }
        }
    }

    private void uploadUntilKilled(CepheusUp up, int client, List<Sample> samples) {
        for (int i = 0; !killed.get(); i++) {
            String name = "c%02d-%03d".formatted(client, i);
            Sample sample = samples.get((client + i) % SAMPLES);
            attempted.put(name, sample);
            if (upload(up, client, name, sample).exitCode() == 0) {
                acknowledged.put(name, sample);
            }
        }
    }

    private static Run upload(CepheusUp up, int client, String name, Sample sample) {
        return client % 2 == 0
                ? Client.named("xrdcp")
                        .with("XRD_STREAMERRORWINDOW", "1")
                        .with("XRD_CPTIMEOUT", "20")
                        .run("-s", sample.file(), up.root("/" + name))
                : Client.named("curl")
                        .run("-sS", "--fail", "-L", "-T", sample.file(), up.http("/" + name));
    }

    private void assertIntact(CepheusUp up, String name) throws IOException, InterruptedException {
        try (var http =
                HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build()) {
            var request = HttpRequest.newBuilder(URI.create(up.http("/" + name))).build();
            HttpResponse<InputStream> response =
                    http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            var sum = new Adler32();
            try (InputStream body = response.body()) {
                sum.update(body.readAllBytes());
            }
            assertThat(HexFormat.of().toHexDigits((int) sum.getValue()))
                    .as("%s, status %d", name, response.statusCode())
                    .isEqualTo(Objects.requireNonNull(attempted.get(name)).adler32());
        }
    }

    private static void assertQuotaIsTheSum(CepheusUp up, Map<String, JsonNode> visible) {
        long bytes =
                visible.values().stream()
                        .mapToLong(entry -> entry.path("sizeBytes").asLong())
                        .sum();
        JsonNode row = up.quota("/");
        assertThat(row.path("usedBytes").asLong()).isEqualTo(bytes);
        assertThat(row.path("usedFiles").asLong()).isEqualTo(visible.size());
        Deadline.await(
                "unfinished uploads hold nothing: " + row,
                LIMIT,
                () -> up.quota("/").path("reservedBytes").asLong() == 0);
        assertThat(up.quota("/").path("reservedFiles").asLong()).isZero();
    }
}
