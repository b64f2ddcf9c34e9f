package org.cepheus.it.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.cepheus.it.harness.CepheusProcesses;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Heard;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Orders of operators: what they do, that they happen once, and that listeners hear of them. */
class OrdersIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Long before a slow upload would have come to its end. */
    private static final Duration SOON = Duration.ofSeconds(10);

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    @Test
    void anUploadThatIsEndedLeavesNothing() {
        Sample sample = Sample.write(directory.resolve("sample"), 30_000_000, 1);
        var upload =
                Client.named("curl")
                        .start(
                                "-sS",
                                "--fail-with-body",
                                "-L",
                                "--limit-rate",
                                "1M",
                                "-T",
                                sample.file(),
                                UP.get().http("/endless"));
        Deadline.await("an upload", LIMIT, () -> !UP.get().transfers().isEmpty());
        String id = UP.get().transfers().getFirst().path("id").asString();

        assertThat(UP.get().ask("DELETE", "transfers/" + id, "").statusCode()).isEqualTo(204);

        assertThat(UP.get().transfers()).isEmpty();
        assertThat(UP.get().ask("DELETE", "transfers/" + id, "").statusCode()).isEqualTo(404);
        assertThat(UP.get().ask("GET", "namespace?path=/endless", "").statusCode()).isEqualTo(404);
        upload.finish(SOON).failed().said("the upload of /endless was ended by");
    }

    @Test
    void anXrdcpWhoseUploadIsEndedFailsSoon() {
        Sample sample = Sample.write(directory.resolve("sample"), 160_000_000, 3);
        var upload =
                Client.named("xrdcp")
                        .start("--xrate", "8m", sample.file(), UP.get().root("/ended"));
        Deadline.await("an upload", LIMIT, () -> !UP.get().transfers().isEmpty());
        String id = UP.get().transfers().getFirst().path("id").asString();

        assertThat(UP.get().ask("DELETE", "transfers/" + id, "").statusCode()).isEqualTo(204);

        upload.finish(SOON).failed().said("the upload of /ended was ended by");
        assertThat(UP.get().ask("GET", "namespace?path=/ended", "").statusCode()).isEqualTo(404);
    }

    @Test
    void anXrdcpWhoseDownloadIsEndedFailsAndSaysWhy() {
        Sample sample = Sample.write(directory.resolve("sample"), 160_000_000, 4);
        Client.named("xrdcp").run(sample.file(), UP.get().root("/read")).succeeded();
        var reading =
                Client.named("xrdcp")
                        .start("--xrate", "8m", UP.get().root("/read"), directory.resolve("copy"));
        JsonNode download = downloadOf("/read");
        assertThat(download.path("sizeBytes").asLong()).isEqualTo(160_000_000);

        assertThat(UP.get().ask("DELETE", resource(download), "").statusCode()).isEqualTo(204);

        reading.finish(SOON)
                .failed()
                .said("the download of /read was ended by", "next: Start it again, unless");
        Deadline.await("it is gone", LIMIT, () -> downloads("/read").isEmpty());
        assertThat(UP.get().ask("DELETE", resource(download), "").statusCode()).isEqualTo(404);
        Client.named("xrdcp").run("-f", UP.get().root("/read"), "/dev/null").succeeded();
    }

    @Test
    void aCurlWhoseDownloadIsEndedIsCut() {
        Sample sample = Sample.write(directory.resolve("sample"), 160_000_000, 5);
        Client.named("xrdcp").run(sample.file(), UP.get().root("/cut")).succeeded();
        var reading =
                Client.named("curl")
                        .start(
                                "-sSL",
                                "--limit-rate",
                                "8M",
                                "-o",
                                directory.resolve("copy"),
                                UP.get().http("/cut"));
        JsonNode download = downloadOf("/cut");

        assertThat(UP.get().ask("DELETE", resource(download), "").statusCode()).isEqualTo(204);

        // curl sleeps off what had come before the cut, to keep to its rate.
        reading.finish(LIMIT.multipliedBy(3)).failed().said("curl: (18)");
    }

    /** Once it has read something. */
    private static JsonNode downloadOf(String path) {
        Deadline.await(
                "a download",
                LIMIT,
                () ->
                        downloads(path).stream()
                                .anyMatch(each -> each.path("readBytes").asLong() > 0));
        return downloads(path).getFirst();
    }

    private static List<JsonNode> downloads(String path) {
        return List.copyOf(
                UP.get().rest("downloads?filter=path=" + path).path("downloads").values());
    }

    private static String resource(JsonNode download) {
        return "downloads/%d/%d"
                .formatted(download.path("fst").asInt(), download.path("number").asLong());
    }

    @Test
    void aSessionThatIsEndedIsGone() {
        var client =
                Client.python()
                        .start(
                                "-c",
                                """
                                import sys, time
                                from XRootD import client
                                files = client.FileSystem(sys.argv[1])
                                assert files.ping()[0].ok
                                time.sleep(60)
                                """,
                                UP.get().server());
        Deadline.await(
                "a session", LIMIT, () -> UP.get().rest("sessions").path("total").asInt() > 0);
        JsonNode session = UP.get().rest("sessions?sort=-id&max=1").path("sessions").get(0);
        String id = session.path("id").asString();
        assertThat(session.path("client").asString()).isEqualTo("127.0.0.1");

        assertThat(UP.get().ask("DELETE", "sessions/" + id, "").statusCode()).isEqualTo(204);

        Deadline.await(
                "its end",
                LIMIT,
                () -> UP.get().rest("sessions?filter=id=" + id).path("total").asInt() == 0);
        client.kill();
    }

    @Test
    void aListenerHearsWhatHappensAndGoesOnWhereItWas() throws IOException {
        Sample sample = Sample.write(directory.resolve("sample"), 1_000, 2);
        long begin = UP.get().rest("status").path("appliedIndex").asLong();
        UP.get().ask("POST", "namespace/directories", "{\"path\":\"/heard\"}");
        Client.named("xrdcp").run(sample.file(), UP.get().root("/heard/file")).succeeded();
        UP.get().ask("PUT", "quotas", "{\"path\":\"/heard\",\"bytes\":1000000}");
        UP.get().ask("DELETE", "namespace?path=/heard/file", "");

        List<JsonNode> all = events("events?path=/heard&after=" + begin, 4);
        long second = all.get(1).path("index").asLong();
        List<JsonNode> rest = events("events?path=/heard&after=" + second, 2);

        assertThat(all)
                .extracting(event -> event.path("type").asString())
                .containsExactly("created", "committed", "quota", "removed");
        assertThat(all.get(1).path("sizeBytes").asLong()).isEqualTo(1_000);
        assertThat(all.get(1).path("path").asString()).isEqualTo("/heard/file");
        assertThat(rest).isEqualTo(all.subList(2, 4));
    }

    @Test
    void theConfigurationHasNoSecretInIt() throws IOException {
        String config = UP.get().ask("GET", "config", "").body();

        assertThat(config).contains("\"key\":\"member\"");
        try (Stream<Path> files = Files.walk(UP.get().data(), 2)) {
            List<Path> secrets = files.filter(OrdersIT::isSecret).toList();
            assertThat(secrets).hasSizeGreaterThan(1);
            for (Path file : secrets) {
                assertThat(config).doesNotContain(Files.readString(file).strip());
            }
        }
    }

    private static boolean isSecret(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".token") || name.endsWith("secret") || name.endsWith(".key");
    }

    @Test
    void aKeyMeansOnceAlsoAtTheNextLeader() {
        try (var cluster = CepheusProcesses.start(directory, 3)) {
            int leader = cluster.leader();
            String order = "{\"path\":\"/once\"}";
            var first =
                    cluster.ask(
                            leader,
                            "POST",
                            "namespace/directories",
                            order,
                            "Idempotency-Key",
                            "k1");
            assertThat(first.statusCode()).as(first.body()).isEqualTo(204);
            var elsewhere = cluster.ask((leader + 1) % 3, "POST", "namespace/directories", order);
            assertThat(elsewhere.statusCode()).isEqualTo(307);
            assertThat(elsewhere.headers().firstValue("Location").map(URI::create))
                    .map(URI::getPath)
                    .hasValue("/api/v1/namespace/directories");

            cluster.killMgm(leader);
            Deadline.await("another leader that answers", LIMIT, () -> takesOrders(cluster));
            var again =
                    cluster.ask(
                            cluster.leader(),
                            "POST",
                            "namespace/directories",
                            order,
                            "Idempotency-Key",
                            "k1");
            var withoutKey = cluster.ask(cluster.leader(), "POST", "namespace/directories", order);

            assertThat(again.statusCode()).as(again.body()).isEqualTo(204);
            assertThat(again.headers().firstValue("Idempotency-Replayed")).hasValue("true");
            assertThat(withoutKey.statusCode()).isEqualTo(409);
        }
    }

    // A leader that was just elected says 503 for a moment.
    private static boolean takesOrders(CepheusProcesses cluster) {
        int leader = cluster.leader();
        return leader >= 0
                && cluster.ask(leader, "POST", "namespace/directories", "{\"path\":\"/new\"}")
                                .statusCode()
                        < 500;
    }

    private static List<JsonNode> events(String resource, int count) throws IOException {
        String token = Files.readString(UP.get().data().resolve("admin.token")).strip();
        return Heard.listen(UP.get().admin("/api/v1/" + resource), token, count).stream()
                .map(Heard::data)
                .toList();
    }
}
