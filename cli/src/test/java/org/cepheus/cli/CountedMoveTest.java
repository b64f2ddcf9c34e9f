package org.cepheus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code mv} of a directory that the server does not rename before it is counted. */
final class CountedMoveTest {
    private static final String RENAME = "POST /api/v1/namespace/rename";
    private static final String ROWS = "GET /api/v1/quotas?filter=path%3D%2F";
    private static final String NOTES = "GET /api/v1/namespace/attributes?path=%2F";
    private static final String NO_ROWS = "{\"quotas\":[]}";
    private static final String COUNTING =
            """
            {"quotas":[{"path":"/big","kind":"project","state":"counting","countedEntries":600,"expectedEntries":1200}]}
            """;
    private static final List<String> BEGIN =
            List.of(
                    "PUT /api/v1/namespace/attributes"
                            + " {\"path\":\"/big\",\"name\":\"sys.cepheus.mv\",\"value\":\"/big\"}",
                    "PUT /api/v1/quotas {\"path\":\"/big\",\"bytes\":null}");
    private static final String MOVE = RENAME + " {\"path\":\"/big\",\"target\":\"/new\"}";

    private final Shell shell;
    private final FakeServer server;

    CountedMoveTest() throws IOException {
        shell = new Shell();
        server = shell.server;
    }

    @BeforeEach
    void serveADirectoryThatIsTooLarge() {
        refuse("CrossDevice", "/big has more than 1000 entries");
        server.answer("GET /api/v1/namespace?path=%2Fbig", 200, "{\"path\":\"/big\"}")
                .answer("GET /api/v1/namespace?path=%2Fnew", 200, "{\"path\":\"/new\"}")
                .answer("PUT /api/v1/namespace/attributes", 204, "")
                .answer("PUT /api/v1/quotas", 204, "")
                .answer(ROWS + "big", 200, NO_ROWS)
                .answer(ROWS + "new", 200, node("/new", ""));
        for (String path : List.of("big", "new")) {
            server.answer(NOTES + path, 200, "{\"attributes\":[]}")
                    .answer("DELETE /api/v1/quotas?path=%2F" + path, 204, "")
                    .answer(
                            "DELETE /api/v1/namespace/attributes?path=%%2F%s&name=sys.cepheus.mv"
                                    .formatted(path),
                            204,
                            "");
        }
    }

    @AfterEach
    void stop() throws IOException {
        shell.close();
    }

    @Test
    void countsTheDirectoryRenamesItAndTakesItsQuotaNodeAwayAgain() {
        shell.withPerson("");
        server.onRequest(
                "PUT /api/v1/quotas",
                () -> {
                    server.answer(ROWS + "big", 200, COUNTING);
                    note("big");
                });
        shell.time.atPause(() -> {
            shell.time.pass(Duration.ofSeconds(2));
            if (shell.err().contains("50.0 %")) {
                counted();
            }
        });

        assertThat(shell.run("mv /big /new")).isEqualTo(ExitCode.OK);

        assertThat(changes())
                .startsWith(MOVE)
                .containsSubsequence(BEGIN)
                .endsWith(
                        MOVE,
                        "DELETE /api/v1/quotas?path=%2Fnew ",
                        "DELETE /api/v1/namespace/attributes?path=%2Fnew&name=sys.cepheus.mv ");
        assertThat(shell.err())
                .contains("/big is large", "counting /big: [#####.....]  50.0 % 600 of 1200");
        assertThat(shell.out()).isEqualTo("/big is renamed to /new\n");
    }

    @Test
    void goesOnWhereItWasInterrupted() {
        server.onRequest(
                "PUT /api/v1/quotas",
                () -> {
                    server.answer(ROWS + "big", 200, COUNTING);
                    note("big");
                });
        assertThat(shell.run("mv /big /new")).isEqualTo(ExitCode.FAILED);
        assertThat(changes()).containsSubsequence(BEGIN).endsWith(BEGIN.getLast());
        server.asked.clear();
        counted();

        assertThat(shell.run("mv /big /new")).isEqualTo(ExitCode.OK);

        assertThat(changes())
                .containsExactly(
                        MOVE,
                        "DELETE /api/v1/quotas?path=%2Fnew ",
                        "DELETE /api/v1/namespace/attributes?path=%2Fnew&name=sys.cepheus.mv ");
    }

    @Test
    void tidiesUpWhatAnEarlierRunHadRenamed() {
        refuse("NotFound", "no such file or directory: /big");
        note("new");

        assertThat(shell.run("mv /big /new")).isEqualTo(ExitCode.OK);

        assertThat(changes()).hasSize(3).contains("DELETE /api/v1/quotas?path=%2Fnew ");
    }

    @Test
    void waitsForTheCountOfSomebodyElseAndLeavesTheNode() {
        server.answer(ROWS + "big", 200, COUNTING);
        shell.time.atPause(() -> {
            server.answer(ROWS + "big", 200, node("/big", ""));
            server.answer(RENAME, 204, "");
        });

        assertThat(shell.run("mv /big /new")).isEqualTo(ExitCode.OK);

        assertThat(changes()).containsExactly(MOVE, MOVE);
    }

    @Test
    void leavesANodeThatGotALimitMeanwhile() {
        server.answer(RENAME, 204, "");
        note("new");
        server.answer(ROWS + "new", 200, node("/new", ",\"limitBytes\":5"));

        assertThat(shell.run("mv /big /new")).isEqualTo(ExitCode.OK);

        assertThat(changes())
                .containsExactly(
                        MOVE,
                        "DELETE /api/v1/namespace/attributes?path=%2Fnew&name=sys.cepheus.mv ");
    }

    @Test
    void leavesNothingWhenTheCountedDirectoryMayNotBeRenamedEither() {
        server.onRequest(
                "PUT /api/v1/quotas",
                () -> {
                    note("big");
                    server.answer(ROWS + "big", 200, node("/big", ""));
                    refuse("QuotaExceeded", "quota exceeded at /new");
                });

        assertThat(shell.run("mv /big /new")).isEqualTo(ExitCode.CONFLICT);

        assertThat(shell.err()).contains("quota exceeded at /new");
        assertThat(changes()).contains("DELETE /api/v1/quotas?path=%2Fbig ");
    }

    @Test
    void tellsARefusalThatACountDoesNotMend() {
        server.answer(ROWS + "big", 200, node("/big", ""));

        assertThat(shell.run("mv /big /new")).isEqualTo(ExitCode.CONFLICT);

        assertThat(changes()).containsExactly(MOVE);
    }

    private void refuse(String code, String detail) {
        server.answer(
                RENAME,
                code.equals("NotFound") ? 404 : 409,
                "{\"code\":\"%s\",\"detail\":\"%s\"}".formatted(code, detail));
    }

    private void counted() {
        server.answer(ROWS + "big", 200, node("/big", "")).answer(RENAME, 204, "");
        note("new");
    }

    private void note(String path) {
        server.answer(
                NOTES + path,
                200,
                "{\"attributes\":[{\"name\":\"sys.cepheus.mv\",\"value\":\"/big\"}]}");
    }

    private static String node(String path, String limits) {
        return "{\"quotas\":[{\"path\":\"%s\",\"kind\":\"project\",\"state\":\"active\"%s}]}"
                .formatted(path, limits);
    }

    /** Methods, targets and bodies of what was not only a question. */
    private List<String> changes() {
        return server.asked.stream()
                .filter(asked -> !asked.request().startsWith("GET"))
                .map(asked -> asked.request() + " " + asked.body())
                .toList();
    }
}
