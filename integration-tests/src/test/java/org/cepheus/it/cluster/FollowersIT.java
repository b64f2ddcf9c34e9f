package org.cepheus.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.SoftAssertions;
import org.cepheus.it.harness.CepheusProcesses;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Heard;
import org.cepheus.it.harness.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every route of the OpenAPI document, asked at a follower: it sends to the leader where the
 * document says so, and answers by itself otherwise.
 */
class FollowersIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String EVENTS = "GET /api/v1/events";

    /** A sound request to each route: what follows the path, and the body. */
    private static final Map<String, Asked> REQUESTS =
            Map.ofEntries(
                    get("/health", ""),
                    get("/metrics", ""),
                    get("/api/v1/status", ""),
                    get("/api/v1/errors", ""),
                    get("/api/v1/config", ""),
                    get("/api/v1/nodes", "?filter=kind%3Dfst&filter=id!%3D%C3%A4&sort=-id&max=2"),
                    order("PATCH /api/v1/nodes/{node}", "/api/v1/nodes/fst1", "{'state':'rw'}"),
                    get("/api/v1/fs", "?sort=id"),
                    order("PATCH /api/v1/fs/{fs}", "/api/v1/fs/1", "{'state':'rw'}"),
                    get("/api/v1/spaces", "?max=1"),
                    get("/api/v1/quotas", "?filter=path%3D%2Fa%20b"),
                    order("PUT", "/api/v1/quotas", "{'path':'/d','bytes':10}"),
                    order("DELETE /api/v1/quotas", "/api/v1/quotas?path=/d", ""),
                    get("/api/v1/quotas/check", ""),
                    order("POST /api/v1/quotas/check", "/api/v1/quotas/check?seconds=60", ""),
                    order("DELETE", "/api/v1/quotas/check", ""),
                    get("/api/v1/namespace", "?path=/d%20%26%20%C3%A4"),
                    order("PATCH", "/api/v1/namespace", "{'path':'/d','mode':'0755'}"),
                    order("DELETE /api/v1/namespace", "/api/v1/namespace?path=/no", ""),
                    get("/api/v1/namespace/entries", "?path=/&after=a&max=10"),
                    order("POST", "/api/v1/namespace/directories", "{'path':'/made'}"),
                    order("POST", "/api/v1/namespace/rename", "{'path':'/no','target':'/b'}"),
                    get("/api/v1/namespace/attributes", "?path=/d"),
                    order(
                            "PUT",
                            "/api/v1/namespace/attributes",
                            "{'path':'/d','name':'user.a','value':'1'}"),
                    order(
                            "DELETE /api/v1/namespace/attributes",
                            "/api/v1/namespace/attributes?path=/d&name=user.b",
                            ""),
                    get("/api/v1/namespace/checksum", "?path=/no&type=adler32"),
                    get("/api/v1/namespace/space", "?path=/"),
                    order("GET /api/v1/namespace/inodes/{inode}", "/api/v1/namespace/inodes/1", ""),
                    get("/api/v1/transfers", "?sort=since"),
                    get("/api/v1/downloads", "?sort=since"),
                    order("DELETE /api/v1/downloads/{fst}/{download}", "/api/v1/downloads/1/7", ""),
                    order("DELETE /api/v1/transfers/{transfer}", "/api/v1/transfers/7", ""),
                    get("/api/v1/sessions", "?sort=id"),
                    order("DELETE /api/v1/sessions/{session}", "/api/v1/sessions/999999", ""),
                    get("/api/v1/events", "?path=/made"));

    @TempDir Path directory;

    /** What is asked of one route. */
    private record Asked(String target, String body) {}

    private static Map.Entry<String, Asked> get(String path, String query) {
        return Map.entry("GET " + path, new Asked(path + query, ""));
    }

    private static Map.Entry<String, Asked> order(String operation, String target, String body) {
        return Map.entry(
                operation.contains(" ") ? operation : operation + " " + target,
                new Asked(target, body.replace('\'', '"')));
    }

    @Test
    void everyRouteOfTheDocumentIsTried() throws IOException {
        assertThat(Operation.ofContract().stream().map(Operation::toString))
                .containsExactlyInAnyOrderElementsOf(REQUESTS.keySet());
    }

    @Test
    void aFollowerSendsToTheLeaderOrAnswersAsTheDocumentSays() throws IOException {
        try (var cluster = CepheusProcesses.start(directory, 3)) {
            int leader = cluster.leader();
            int follower = (leader + 1) % 3;
            Deadline.await(
                    "the follower knows the leader",
                    LIMIT,
                    () -> cluster.status(follower).has("leader"));
            cluster.ask(leader, "POST", "namespace/directories", "{\"path\":\"/d\"}");

            var all = new SoftAssertions();
            for (Operation operation : Operation.ofContract()) {
                Asked asked = Objects.requireNonNull(REQUESTS.get(operation.toString()));
                if (operation.toString().equals(EVENTS)) {
                    answersItself(cluster, follower, asked);
                } else if (operation.statuses().contains(307)) {
                    sendsTo(
                            cluster.admin(leader, asked.target()),
                            asked,
                            cluster.askAt(
                                    follower, operation.method(), asked.target(), asked.body()),
                            all);
                } else {
                    isAnswered(
                            operation,
                            cluster.askAt(
                                    follower, operation.method(), asked.target(), asked.body()),
                            all);
                }
            }
            all.assertAll();
        }
    }

    private static void answersItself(CepheusProcesses cluster, int follower, Asked events) {
        assertThat(
                        Heard.listen(
                                cluster.admin(follower, events.target()),
                                cluster.adminToken(follower),
                                0))
                .isEmpty();
    }

    private static void sendsTo(
            URI leader, Asked asked, HttpResponse<String> answer, SoftAssertions all) {
        all.assertThat(answer.statusCode()).as(asked + ": " + answer.body()).isEqualTo(307);
        all.assertThat(answer.headers().firstValue("Location").map(URI::create))
                .as(asked.toString())
                .hasValue(leader);
        JsonNode problem = JsonMapper.shared().readTree(answer.body());
        all.assertThat(problem.path("code").asString()).isEqualTo("NotLeader");
        all.assertThat(answer.headers().firstValue("X-Trace-Id"))
                .hasValue(problem.path("trace").asString());
    }

    private static void isAnswered(
            Operation operation, HttpResponse<String> answer, SoftAssertions all) {
        all.assertThat(answer.statusCode())
                .as(operation + ": " + answer.body())
                .isIn(200, 204, 404)
                .isIn(operation.statuses());
        all.assertThat(answer.headers().firstValue("X-Trace-Id")).isPresent();
    }

    @Test
    void theLeaderAnswersWhatFollowersSendToIt() throws IOException {
        try (var cluster = CepheusProcesses.start(directory, 1)) {
            cluster.ask(0, "POST", "namespace/directories", "{\"path\":\"/d\"}");
            var all = new SoftAssertions();
            for (Operation operation : Operation.ofContract()) {
                Asked asked = Objects.requireNonNull(REQUESTS.get(operation.toString()));
                if (operation.statuses().contains(307)) {
                    isAnswered(
                            operation,
                            cluster.askAt(0, operation.method(), asked.target(), asked.body()),
                            all);
                }
            }
            all.assertAll();
        }
    }
}
