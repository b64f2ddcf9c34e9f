package org.cepheus.mgm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cepheus.mgm.Site.ALICE;
import static org.cepheus.mgm.Site.await;
import static org.cepheus.mgm.Site.get;
import static org.cepheus.mgm.Site.upload;
import static org.cepheus.mgm.Site.writing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.cepheus.admin.AdminServer;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Identity;
import org.cepheus.domain.command.Mutation;
import org.cepheus.mgm.Site.Fst;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The REST API before a whole MGM: what needs more than the admin room to be seen. */
final class AdminPortTest {
    private static final Pattern PATH = Pattern.compile("^ {2}(/\\S*):$");
    private static final Pattern METHOD = Pattern.compile("^ {4}(get|put|post|patch|delete):$");

    /** Whoever has the token may ask these. */
    private static final List<String> OPEN = List.of("GET /api/v1/status", "GET /api/v1/errors");

    /**
     * One request that could be meant of every other operation.
     *
     * @param operation as openapi.yaml has it
     */
    private record Order(String operation, String target, String body) {
        static Order of(String operation) {
            return new Order(operation, path(operation), "");
        }

        static Order asking(String operation, String query) {
            return new Order(operation, path(operation) + "?" + query, "");
        }

        static Order at(String operation, String target, String body) {
            return new Order(operation, target, body);
        }

        static Order saying(String operation, String body) {
            return new Order(operation, path(operation), body.replace('\'', '"'));
        }

        private static String path(String operation) {
            return operation.substring(operation.indexOf('/'));
        }

        String method() {
            return operation.substring(0, operation.indexOf(' '));
        }
    }

    private static final String STATE = "{\"state\":\"ro\"}";
    private static final String FILE = "path=/private/f";
    private static final List<Order> ORDERS =
            List.of(
                    Order.of("GET /api/v1/config"),
                    Order.of("GET /api/v1/nodes"),
                    Order.at("PATCH /api/v1/nodes/{node}", "/api/v1/nodes/fst1", STATE),
                    Order.of("GET /api/v1/fs"),
                    Order.at("PATCH /api/v1/fs/{fs}", "/api/v1/fs/1", STATE),
                    Order.of("GET /api/v1/spaces"),
                    Order.of("GET /api/v1/quotas"),
                    Order.saying("PUT /api/v1/quotas", "{'path':'/open','bytes':1}"),
                    Order.asking("DELETE /api/v1/quotas", "path=/open"),
                    Order.of("GET /api/v1/quotas/check"),
                    Order.of("POST /api/v1/quotas/check"),
                    Order.of("DELETE /api/v1/quotas/check"),
                    Order.asking("GET /api/v1/namespace", FILE),
                    Order.saying("PATCH /api/v1/namespace", "{'path':'/private/f','mode':'0777'}"),
                    Order.asking("DELETE /api/v1/namespace", FILE),
                    Order.asking("GET /api/v1/namespace/entries", "path=/private"),
                    Order.at(
                            "GET /api/v1/namespace/inodes/{inode}",
                            "/api/v1/namespace/inodes/1",
                            ""),
                    Order.saying("POST /api/v1/namespace/directories", "{'path':'/private/d'}"),
                    Order.saying(
                            "POST /api/v1/namespace/rename",
                            "{'path':'/private/f','target':'/private/g'}"),
                    Order.asking("GET /api/v1/namespace/attributes", FILE),
                    Order.saying(
                            "PUT /api/v1/namespace/attributes",
                            "{'path':'/private/f','name':'user.a','value':'b'}"),
                    Order.asking("DELETE /api/v1/namespace/attributes", FILE + "&name=user.a"),
                    Order.asking("GET /api/v1/namespace/checksum", FILE),
                    Order.asking("GET /api/v1/namespace/space", FILE),
                    Order.of("GET /api/v1/transfers"),
                    Order.at("DELETE /api/v1/transfers/{transfer}", "/api/v1/transfers/1", ""),
                    Order.of("GET /api/v1/downloads"),
                    Order.at(
                            "DELETE /api/v1/downloads/{fst}/{download}",
                            "/api/v1/downloads/1/1",
                            ""),
                    Order.of("GET /api/v1/sessions"),
                    Order.at("DELETE /api/v1/sessions/{session}", "/api/v1/sessions/1", ""),
                    Order.of("GET /api/v1/events"));

    @TempDir private Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private Site site;

    @BeforeEach
    void makeSite() throws IOException {
        site = new Site(directory.resolve("site"), 1);
    }

    @AfterEach
    void closeSite() {
        http.close();
        site.close();
    }

    @Test
    void everyRouteAnswersWhoHasNoRightsThere403() throws Exception {
        site.operator = new Identity("nobody", List.of("nogroup"), false);
        try (Mgm mgm = site.start(0);
                Fst fst = site.fst(1)) {
            await(() -> mgm.isLeading() && mgm.hasFst(1), "it serves");
            upload(mgm.namespace(), fst, "/private/f", 5);
            get(mgm.namespace().change(ALICE, mode("/private", 0700)));
            upload(mgm.namespace(), fst, "/open/f", 5);

            for (Order order : ORDERS) {
                HttpResponse<String> answer = send(order.method(), order.target(), order.body());

                assertThat(answer.statusCode()).as("%s: %s", order, answer.body()).isEqualTo(403);
                assertThat(answer.body()).contains("\"code\":\"PermissionDenied\"");
            }

            for (String operation : OPEN) {
                assertThat(send("GET", Order.path(operation), "").statusCode()).isEqualTo(200);
            }
            assertThat(operations())
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.concat(OPEN.stream(), ORDERS.stream().map(Order::operation))
                                    .toList());
            assertThat(get(mgm.namespace().list(Caller.SYSTEM, FsPath.parse("/private"), "", 9)))
                    .satisfies(page -> assertThat(page.entries()).hasSize(1));
        }
    }

    @Test
    void theFstHearsAtOnceOfAnUploadThatIsEnded() throws Exception {
        try (Mgm mgm = site.start(0);
                Fst fst = site.fst(1)) {
            await(() -> mgm.isLeading() && mgm.hasFst(1), "it serves");
            get(mgm.namespace().open(ALICE, writing("/f", 77)));
            long id =
                    get(mgm.operators().transfers(Caller.SYSTEM, 1)).getFirst().id().orElseThrow();

            assertThat(send("DELETE", "/api/v1/transfers/" + id, "").statusCode()).isEqualTo(204);

            await(() -> !fst.ended.isEmpty(), "the FST was told");
            assertThat(fst.ended).containsExactly(id + " ended by starter");
            assertThat(get(mgm.operators().transfers(Caller.SYSTEM, 1))).isEmpty();
        }
    }

    private static Mutation mode(String path, int mode) {
        return new Mutation.SetMode(FsPath.parse(path), mode);
    }

    private HttpResponse<String> send(String method, String target, String body) throws Exception {
        String token = Files.readString(directory.resolve("site/admin.token")).strip();
        var at = site.config(0).self().address();
        var request =
                HttpRequest.newBuilder(
                                URI.create(
                                        "http://127.0.0.1:%d%s".formatted(at.adminPort(), target)))
                        .header("Authorization", "Bearer " + token)
                        .method(method, BodyPublishers.ofString(body))
                        .build();
        return http.send(request, BodyHandlers.ofString());
    }

    /** What openapi.yaml has below {@code /api/v1}. */
    private static List<String> operations() throws IOException {
        var operations = new ArrayList<String>();
        try (var yaml = AdminServer.class.getResourceAsStream("/openapi.yaml")) {
            String text =
                    new String(Objects.requireNonNull(yaml).readAllBytes(), StandardCharsets.UTF_8);
            String path = "";
            for (String line : text.split("\n", -1)) {
                var pathLine = PATH.matcher(line);
                var methodLine = METHOD.matcher(line);
                if (pathLine.find()) {
                    path = pathLine.group(1);
                } else if (methodLine.find() && path.startsWith("/api/v1/")) {
                    operations.add(methodLine.group(1).toUpperCase(Locale.ROOT) + " " + path);
                }
            }
        }
        return operations;
    }
}
