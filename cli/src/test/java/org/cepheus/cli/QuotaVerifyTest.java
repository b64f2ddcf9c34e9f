package org.cepheus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code quota verify}, and how {@code quota ls} shows a node that is being counted. */
final class QuotaVerifyTest {
    private static final String START = "POST /api/v1/quotas/check?seconds=3600";
    private static final String STATUS = "GET /api/v1/quotas/check";
    private static final String RUNNING =
            "{\"state\":\"running\",\"seenEntries\":500,\"expectedEntries\":1000}";
    private static final String EQUAL =
            """
            {"state":"equal","index":77,"tookMillis":61000,"seenEntries":1000,"expectedEntries":1000,"nodes":2,
             "rows":5,"differences":0,"examples":[],"counting":["/new"],"message":"all rows are equal"}
            """;
    private static final String DIFFERENT =
            """
            {"state":"different","index":77,"tookMillis":1500,"seenEntries":1000,"expectedEntries":1000,"nodes":2,
             "rows":5,"differences":1,"counting":[],"examples":[
              {"path":"/a","kind":"user","principal":"anna",
               "counter":{"usedBytes":1001,"usedFiles":2,"reservedBytes":0,"reservedFiles":0},
               "recounted":{"usedBytes":1000,"usedFiles":2,"reservedBytes":0,"reservedFiles":0}}]}
            """;

    private final Shell shell;

    QuotaVerifyTest() throws IOException {
        shell = new Shell();
    }

    @AfterEach
    void stop() throws IOException {
        shell.close();
    }

    @Test
    void waitsForTheRecountAndSaysThatAllIsEqual() {
        shell.server.answer(START, 200, RUNNING);
        shell.server.answer(STATUS, 200, RUNNING);
        shell.time.atPause(() -> shell.server.answer(STATUS, 200, EQUAL));

        assertThat(shell.run("quota verify")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        equal: 5 rows of 2 quota nodes at log index 77, 1000 entries in 1m 01s
                        left out, because its first count is not done yet: /new
                        """);
    }

    @Test
    void failsAndShowsWhatDiffersToTheByte() {
        shell.server.answer(START, 200, DIFFERENT);

        assertThat(shell.run("quota verify")).isEqualTo(ExitCode.FAILED);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        different: 1 of 5 rows of 2 quota nodes at log index 77, 1000 entries in 1.5s; please report this with the rows below
                        node  kind  who   used bytes  recounted  used files  recounted  reserved  recounted
                        /a    user  anna        1001       1000           2          2         0          0
                        """);
    }

    @Test
    void tellsScriptsTheSame() {
        shell.server.answer(STATUS, 200, DIFFERENT);

        assertThat(shell.run("quota verify --status -m")).isEqualTo(ExitCode.FAILED);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        quota=verify state=different index=77 seen=1000 expected=1000 nodes=2 rows=5 differences=1
                        space=/a kind=user principal=anna usedbytes=1001 recountedbytes=1000 usedfiles=2 recountedfiles=2 reservedbytes=0 recountedreserved=0
                        """);
        assertThat(shell.server.asked).hasSize(1);
    }

    @Test
    void endsARecount() {
        shell.server.answer(
                "DELETE /api/v1/quotas/check",
                200,
                "{\"state\":\"canceled\",\"message\":\"an operator ended it\"}");

        assertThat(shell.run("quota verify --cancel")).isEqualTo(ExitCode.OK);
        assertThat(shell.out()).isEqualTo("canceled: an operator ended it\n");
    }

    @Test
    void showsHowFarAFirstCountIs() {
        shell.server.answer(
                "GET /api/v1/quotas",
                200,
                """
                {"quotas":[{"path":"/a","kind":"project","principal":"","limitBytes":1000,"usedBytes":0,"usedFiles":0,
                 "reservedBytes":0,"reservedFiles":0,"isDefault":false,"byDefault":false,"level":"ok",
                 "state":"counting","countedEntries":40,"expectedEntries":100},
                 {"path":"/a","kind":"user","principal":"","limitFiles":0,"usedBytes":0,"usedFiles":0,
                 "reservedBytes":0,"reservedFiles":0,"isDefault":true,"byDefault":true,"level":"ok","state":"active"}],
                 "total":2}
                """);

        shell.run("quota ls");
        shell.run("quota ls -m");

        assertThat(shell.out())
                .contains("project", "counting 40 %", "every other user")
                .contains("gid=project", "statusbytes=counting", "uid=*")
                .doesNotContain("exceeded");
    }
}
