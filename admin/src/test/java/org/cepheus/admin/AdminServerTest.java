package org.cepheus.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Identity;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.QuotaUnit;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.EventFeed;
import org.cepheus.domain.port.Metrics;
import org.cepheus.runtime.HealthCode;
import org.cepheus.runtime.HealthRegistry;
import org.cepheus.runtime.HealthRegistry.Result;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class AdminServerTest {
    private static final Identity OPERATOR = new Identity("root", List.of("root"), true);

    @TempDir Path directory;

    private final FakeCluster cluster = new FakeCluster();
    private final FakeFeed feed = new FakeFeed();
    private final HealthRegistry health = new HealthRegistry();
    private final HttpClient client = HttpClient.newHttpClient();
    private AdminServer server;
    private String token = "";

    @BeforeEach
    void start() throws IOException {
        Path file = directory.resolve("admin.token");
        token = "0123456789abcdef";
        Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, token + "\n");
        server = start(OPERATOR);
    }

    private AdminServer start(Identity bearer) throws IOException {
        AdminToken secret = AdminToken.read(directory.resolve("admin.token"));
        return AdminServer.start(
                new AdminConfig("127.0.0.1", 0),
                new AdminServer.Watched(health, () -> "cepheus_up 1\n"),
                Optional.of(new AdminServer.Operated(secret, cluster.api(bearer, feed))),
                new AdminServer.Books(Metrics.NONE, cluster),
                new Random(42));
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        client.close();
    }

    @Test
    void showsTheCluster() throws Exception {
        JsonNode status = json(get("/api/v1/status"));

        assertThat(status.path("role").asString()).isEqualTo("leader");
        assertThat(status.path("fsts").get(0).path("xrootdPort").asInt()).isEqualTo(1095);
        assertThat(status.path("volumes").get(0).path("freeBytes").asLong()).isEqualTo(4_000);
        assertThat(status.path("leader").path("adminPort").asInt()).isEqualTo(9080);
    }

    @Test
    void showsOneEntryByItsEncodedPath() throws Exception {
        JsonNode entry = json(get("/api/v1/namespace?path=/data/run%201.root"));

        assertThat(entry.path("path").asString()).isEqualTo("/data/run 1.root");
        assertThat(entry.path("mode").asString()).isEqualTo("0640");
        assertThat(entry.path("checksums").path("adler32").asString()).isEqualTo("00000abc");
    }

    @Test
    void showsTheEntryOfAnInodeWithItsPath() throws Exception {
        JsonNode entry = json(get("/api/v1/namespace/inodes/5"));

        assertThat(entry.path("path").asString()).isEqualTo("/data/run 1.root");
        assertThat(entry.path("inode").asLong()).isEqualTo(5);
        assertThat(get("/api/v1/namespace/inodes/6").statusCode()).isEqualTo(404);
    }

    @Test
    void listsADirectoryPageByPage() throws Exception {
        JsonNode first = json(get("/api/v1/namespace/entries?path=/data&max=1"));
        JsonNode last = json(get("/api/v1/namespace/entries?path=/data&after=run%201.root"));

        assertThat(first.path("entries").get(0).path("name").asString()).isEqualTo("run 1.root");
        assertThat(first.path("next").asString()).isEqualTo("run 1.root");
        assertThat(last.path("entries").size()).isZero();
        assertThat(last.has("next")).isFalse();
    }

    @Test
    void listsQuotasAndLeavesOutLimitsThatAreNone() throws Exception {
        JsonNode rows = json(get("/api/v1/quotas")).path("quotas");

        assertThat(rows.get(0).has("limitBytes")).isFalse();
        assertThat(rows.get(1).path("limitBytes").asLong()).isEqualTo(10_000);
    }

    @Test
    void listsTransfers() throws Exception {
        JsonNode running = json(get("/api/v1/transfers?max=10")).path("transfers");

        assertThat(running.get(0).path("path").asString()).isEqualTo("/data/new");
        assertThat(running.get(0).path("declaredBytes").asLong()).isEqualTo(4_096);
    }

    @Test
    void listsWhatIsBeingReadAndWhichFstIsSilent() throws Exception {
        JsonNode told = json(get("/api/v1/downloads"));

        assertThat(told.at("/downloads/0/path").asString()).isEqualTo("/data/f");
        assertThat(told.at("/downloads/0/readBytes").asLong()).isEqualTo(40);
        assertThat(told.path("leftOut").asLong()).isEqualTo(3);
        assertThat(told.at("/silentFsts/0").asInt()).isEqualTo(2);
    }

    @Test
    void endsADownloadAndTellsTheAuditOnce() throws Exception {
        assertThat(send(request("/api/v1/downloads/1/7").DELETE()).statusCode()).isEqualTo(204);
        assertThat(send(request("/api/v1/downloads/1/8").DELETE()).statusCode()).isEqualTo(404);

        assertThat(cluster.audited)
                .containsExactly("allowed end download 1/7", "refused end download 1/8");
    }

    @Test
    void setsAQuotaAsTheOperator() throws Exception {
        var answer = put("{\"path\":\"/data\",\"bytes\":10737418240,\"files\":null}");

        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(cluster.changes)
                .containsExactly(
                        new Mutation.SetQuota(
                                FsPath.parse("/data"),
                                QuotaKind.PROJECT,
                                "",
                                OptionalLong.of(10_737_418_240L),
                                OptionalLong.of(-1)));
        assertThat(cluster.audited).containsExactly("allowed set quota /data");
        assertThat(cluster.callers.getFirst().identity()).isEqualTo(OPERATOR);
        assertThat(cluster.callers.getFirst().address()).isEqualTo("127.0.0.1");
    }

    @Test
    void setsAQuotaOfOneUserAndLeavesTheOtherLimit() throws Exception {
        var answer =
                put("{\"path\":\"/data\",\"kind\":\"user\",\"principal\":\"anna\",\"files\":7}");

        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(cluster.changes)
                .containsExactly(
                        new Mutation.SetQuota(
                                FsPath.parse("/data"),
                                QuotaKind.USER,
                                "anna",
                                OptionalLong.empty(),
                                OptionalLong.of(7)));
    }

    @Test
    void removesAQuota() throws Exception {
        var answer = send(request("/api/v1/quotas?path=/data").DELETE());

        assertThat(answer.statusCode()).isEqualTo(204);
        assertThat(cluster.changes)
                .containsExactly(new Mutation.RemoveQuota(FsPath.parse("/data")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"path\":",
                "{\"path\":\"/data\"}",
                "{\"bytes\":1}",
                "{\"path\":\"data\",\"bytes\":1}",
                "{\"path\":\"/data\",\"bytes\":-1}",
                "{\"path\":\"/data\",\"bytes\":1.5}",
                "{\"path\":\"/data\",\"bytes\":\"10\"}",
                "{\"path\":\"/data\",\"bytes\":99999999999999999999}",
                "{\"path\":\"/data\",\"bytes\":1,\"colour\":\"blue\"}",
                "{\"path\":\"/data\",\"bytes\":1,\"kind\":\"planet\"}",
                "{\"path\":\"/data\",\"bytes\":1,\"kind\":\"user\"}",
                "{\"path\":\"/data\",\"bytes\":1,\"principal\":\"anna\"}"
            })
    void refusesAQuotaOrderThatCannotBeMeant(String body) throws Exception {
        var answer = put(body);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("code").asString()).isEqualTo("InvalidArgument");
        assertThat(cluster.changes).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/namespace",
                "/api/v1/namespace?path=relative",
                "/api/v1/namespace?path=/data&colour=blue",
                "/api/v1/namespace/entries?path=/data&max=0",
                "/api/v1/namespace/entries?path=/data&max=10001",
                "/api/v1/namespace/checksum?path=/data/run%201.root&type=md4",
                "/api/v1/namespace?path=/data&path=/other",
                "/api/v1/quotas?filter=usedBytes",
                "/api/v1/quotas?filter=colour=blue",
                "/api/v1/quotas?filter=usedBytes%3Emuch",
                "/api/v1/quotas?filter=path=*a*b*c*d*e*f*",
                "/api/v1/quotas?sort=colour",
                "/api/v1/quotas?after=nowhere",
                "/api/v1/events?after=yesterday",
                "/api/v1/events?type=birth",
                "/api/v1/transfers?max=many"
            })
    void refusesAQueryThatCannotBeMeant(String target) throws Exception {
        assertThat(get(target).statusCode()).isEqualTo(400);
    }

    @Test
    void saysWhatToDoNextInAProblem() throws Exception {
        var answer = get("/api/v1/namespace?path=/none");

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValue("application/problem+json");
        JsonNode problem = json(answer);
        assertThat(problem.path("code").asString()).isEqualTo("NotFound");
        assertThat(problem.path("detail").asString()).isEqualTo("no such file or directory: /none");
        assertThat(problem.path("next").asString()).startsWith("Check the path");
        assertThat(answer.headers().firstValue("X-Trace-Id"))
                .hasValue(problem.path("trace").asString());
    }

    @Test
    void answersAQuotaThatIsUsedUpWith507() throws Exception {
        cluster.refusal =
                Optional.of(
                        new FsError.QuotaExceeded(
                                FsPath.parse("/data"),
                                QuotaKind.PROJECT,
                                "",
                                QuotaUnit.BYTES,
                                10,
                                9,
                                0,
                                5));

        assertThat(put("{\"path\":\"/data\",\"bytes\":1}").statusCode()).isEqualTo(507);
        assertThat(cluster.audited).containsExactly("refused set quota /data");
    }

    @Test
    void theAuditIsToldOfWhatAStrangerMayNotSee() throws Exception {
        server.close();
        server = start(new Identity("guest", List.of("guests"), false));

        var answer = get("/api/v1/sessions");

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(cluster.audited).containsExactly("refused GET /api/v1/sessions");
        assertThat(cluster.refused.getFirst().identity().user()).isEqualTo("guest");
        assertThat(cluster.refused.getFirst().address()).isEqualTo("127.0.0.1");
        assertThat(cluster.refused.getFirst().trace()).hasToString(trace(answer));
    }

    @Test
    void theAuditIsToldOfOrdersThatCannotBeMeantAndNothingOfQuestions() throws Exception {
        assertThat(put("{}").statusCode()).isEqualTo(400);
        assertThat(put("x".repeat(AdminHandler.MAX_BODY_BYTES + 1)).statusCode()).isEqualTo(413);
        assertThat(get("/api/v1/namespace?path=/none").statusCode()).isEqualTo(404);
        cluster.refusal = Optional.of(new FsError.Unavailable("no leader", 1));
        assertThat(put("{\"path\":\"/data\",\"bytes\":1}").statusCode()).isEqualTo(503);

        assertThat(cluster.audited)
                .containsExactly("refused PUT /api/v1/quotas", "refused PUT /api/v1/quotas");
    }

    private static String trace(HttpResponse<String> answer) {
        return answer.headers().firstValue("X-Trace-Id").orElseThrow();
    }

    @Test
    void sendsAChangeToTheLeaderWithItsQuery() throws Exception {
        cluster.refusal =
                Optional.of(
                        new FsError.NotLeader(
                                Optional.of(new MgmAddress("127.0.0.2", 1, 2, 9083, 4))));

        var answer = send(request("/api/v1/quotas?path=/a%20b").DELETE());

        assertThat(answer.statusCode()).isEqualTo(307);
        assertThat(answer.headers().firstValue("Location"))
                .hasValue("http://127.0.0.2:9083/api/v1/quotas?path=/a%20b");
    }

    @Test
    void saysWhenToComeBackWithoutALeader() throws Exception {
        cluster.refusal = Optional.of(new FsError.NotLeader(Optional.empty()));

        var answer = put("{\"path\":\"/data\",\"bytes\":1}");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).hasValue("2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer wrong", "Basic YTpi", "Bearer "})
    void refusesWhoDoesNotBringTheToken(String authorization) throws Exception {
        var request = HttpRequest.newBuilder(uri("/api/v1/status"));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }

        var answer = client.send(request.build(), BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).isPresent();
        assertThat(answer.body()).doesNotContain(token);
        assertThat(cluster.audited).containsExactly("refused GET /api/v1/status");
        assertThat(cluster.refused.getFirst().identity()).isEqualTo(Identity.NOBODY);
        assertThat(cluster.refused.getFirst().trace()).hasToString(trace(answer));
    }

    @Test
    void refusesATokenThatOthersMayRead() throws Exception {
        Path file = directory.resolve("admin.token");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        assertThatThrownBy(() -> AdminToken.read(file))
                .hasMessageContaining("run: chmod 600")
                .hasMessageNotContaining(token);
    }

    @Test
    void refusesABodyThatIsTooLong() throws Exception {
        String padding = " ".repeat(AdminHandler.MAX_BODY_BYTES);

        assertThat(put("{\"path\":\"/data\",\"bytes\":1}" + padding).statusCode()).isEqualTo(413);
        assertThat(cluster.changes).isEmpty();
    }

    @Test
    void refusesAHeaderThatIsTooLongInTheSameFormAsEverythingElse() throws Exception {
        var answer = send(request("/api/v1/status").header("X-Long", "x".repeat(10_000)));

        assertThat(answer.statusCode()).isEqualTo(431);
        assertThat(json(answer).path("code").asString()).isEqualTo("TooLong");
    }

    @Test
    void theManualHasTheStatusesThatTheCatalogueDoesNotHave() throws Exception {
        var answers = new ArrayList<HttpResponse<String>>();
        answers.add(client.send(anonymous("/api/v1/status"), BodyHandlers.ofString()));
        answers.add(send(request("/api/v1/status").DELETE()));
        feed.letGo(20);
        answers.add(get("/api/v1/events?after=12"));
        answers.add(put(" ".repeat(AdminHandler.MAX_BODY_BYTES + 1)));
        answers.add(send(request("/api/v1/status").header("X-Long", "x".repeat(10_000))));
        cluster.refusal =
                Optional.of(
                        new FsError.NotLeader(
                                Optional.of(new MgmAddress("127.0.0.2", 1, 2, 9083, 4))));
        answers.addFirst(put("{\"path\":\"/data\",\"bytes\":1}"));

        assertThat(Files.readAllLines(Path.of("..", "docs", "errors.md")))
                .filteredOn(line -> line.matches("\\| \\d{3} \\| `.*"))
                .extracting(line -> line.substring(0, line.indexOf('|', 8)).strip())
                .containsExactlyElementsOf(
                        answers.stream()
                                .map(answer ->
                                        "| %d | `%s`"
                                                .formatted(
                                                        answer.statusCode(),
                                                        json(answer).path("code").asString()))
                                .toList());
    }

    @ParameterizedTest
    @CsvSource({"/api/v1/none,404", "/,404", "/api/v1/status/,404"})
    void knowsNoOtherPaths(String path, int status) throws Exception {
        assertThat(get(path).statusCode()).isEqualTo(status);
    }

    @Test
    void namesTheMethodsThatAPathHas() throws Exception {
        var answer = send(request("/api/v1/quotas").POST(BodyPublishers.ofString("{}")));

        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("Allow")).hasValue("GET, PUT, DELETE");
    }

    @Test
    void showsHealthToAnybody() throws Exception {
        health.register("leader", () -> Result.ok("mgm1"));
        var well = client.send(anonymous("/health"), BodyHandlers.ofString());
        health.register("volume1", () -> Result.found(HealthCode.VOLUME_UNUSABLE, "not mounted"));
        var ill = client.send(anonymous("/health"), BodyHandlers.ofString());

        assertThat(well.statusCode()).isEqualTo(200);
        assertThat(ill.statusCode()).isEqualTo(503);
        assertThat(json(ill).path("checks").get(1).path("code").asString())
                .isEqualTo("VolumeUnusable");
    }

    @Test
    void showsMetricsToAnybodyOnLoopback() throws Exception {
        var answer = client.send(anonymous("/metrics"), BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("cepheus_up 1\n");
    }

    @Test
    void everyRouteAndMemberIsInTheContract() throws Exception {
        var contract = Contract.read();
        var api = cluster.api(OPERATOR, feed);
        health.register("leader", () -> Result.found(HealthCode.FST_SILENT, "old"));

        assertThat(contract.operations())
                .containsExactlyElementsOf(
                        Stream.concat(
                                        Stream.of("GET /health", "GET /metrics"),
                                        api.operations().stream())
                                .toList());
        for (String target :
                List.of(
                        "/health",
                        "/api/v1/status",
                        "/api/v1/quotas",
                        "/api/v1/namespace?path=/data",
                        "/api/v1/namespace?path=/none",
                        "/api/v1/namespace/entries?path=/data",
                        "/api/v1/errors",
                        "/api/v1/config",
                        "/api/v1/nodes",
                        "/api/v1/fs",
                        "/api/v1/spaces",
                        "/api/v1/sessions",
                        "/api/v1/quotas/check",
                        "/api/v1/namespace/attributes?path=/data",
                        "/api/v1/namespace/checksum?path=/data/run%201.root",
                        "/api/v1/namespace/space?path=/data",
                        "/api/v1/downloads",
                        "/api/v1/transfers")) {
            assertThat(contract.words()).containsAll(Contract.membersOf(json(get(target))));
        }
    }

    private HttpResponse<String> get(String target) throws Exception {
        return send(request(target));
    }

    private HttpResponse<String> put(String body) throws Exception {
        return send(request("/api/v1/quotas").PUT(BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder request(String target) {
        return HttpRequest.newBuilder(uri(target)).header("Authorization", "Bearer " + token);
    }

    private HttpRequest anonymous(String target) {
        return HttpRequest.newBuilder(uri(target)).build();
    }

    private URI uri(String target) {
        return URI.create("http://127.0.0.1:" + server.port() + target);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return new JsonMapper().readTree(answer.body());
    }

    @Test
    void refusesAnAmbiguousUrlInTheSameFormAsEverythingElse() throws Exception {
        var answer = get("/api/v1/fs/a%2Fb");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValue("application/problem+json");
        assertThat(json(answer).path("code").asString()).isEqualTo("InvalidArgument");
    }

    @Test
    void endsASessionThatIsThere() throws Exception {
        assertThat(send(request("/api/v1/sessions/3").DELETE()).statusCode()).isEqualTo(204);
        assertThat(send(request("/api/v1/sessions/4").DELETE()).statusCode()).isEqualTo(404);
        assertThat(cluster.audited)
                .containsExactly("allowed end session 3", "refused end session 4");
    }

    @Test
    void noRouteAnswersWithoutTheToken() throws Exception {
        var operations =
                Contract.read().operations().stream()
                        .filter(operation -> operation.contains("/api/v1/"))
                        .toList();

        assertThat(operations).hasSizeGreaterThan(25);
        for (String operation : operations) {
            String[] words = operation.split(" ", -1);
            String path = words[1].replaceAll("\\{\\w+}", "1");
            for (String authorization : List.of("", "Bearer 0123456789abcdeX")) {
                var request =
                        HttpRequest.newBuilder(uri(path)).method(words[0], BodyPublishers.noBody());
                if (!authorization.isEmpty()) {
                    request.header("Authorization", authorization);
                }
                var answer = client.send(request.build(), BodyHandlers.ofString());

                assertThat(answer.statusCode()).as(operation).isEqualTo(401);
                assertThat(json(answer).path("code").asString()).isEqualTo("PermissionDenied");
            }
        }
        assertThat(cluster.orders).isEmpty();
    }

    @Test
    void streamsEventsUntilTheListenerIsGone() throws Exception {
        feed.happen(FakeFeed.event(10, EventFeed.Type.CREATED, "/a"));
        var answer =
                client.send(
                        request("/api/v1/events?after=9").build(), BodyHandlers.ofInputStream());

        try (var lines = new BufferedReader(new InputStreamReader(answer.body(), UTF_8))) {
            var heard = new ArrayList<String>();
            String line = lines.readLine();
            while (line != null && !line.equals("id: 10")) {
                heard.add(line);
                line = lines.readLine();
            }

            assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/event-stream");
            assertThat(heard).contains("event: hello", "event: created");
        }
    }

    @Test
    void saysThatEventsAreKeptNoMore() throws Exception {
        feed.letGo(20);

        var answer = get("/api/v1/events?after=12");

        assertThat(answer.statusCode()).isEqualTo(410);
        assertThat(json(answer).path("next").asString()).contains("after 20");
    }
}
