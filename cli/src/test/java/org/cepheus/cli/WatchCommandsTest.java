package org.cepheus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code health} and {@code top}. */
final class WatchCommandsTest {
    private static final String SICK =
            """
            {"status":"error","checks":[
             {"name":"leader","status":"ok","message":"the leader is at 127.0.0.1"},
             {"name":"fsts","status":"error","message":"no FST is alive","code":"NoFst","advice":"start an FST"}]}
            """;

    private final Shell shell;

    WatchCommandsTest() throws IOException {
        shell = new Shell();
    }

    @BeforeEach
    void serve() {
        shell.server
                .answer(
                        "GET /health",
                        200,
                        "{\"status\":\"warn\",\"checks\":[{\"name\":\"fsts\",\"status\":\"warn\",\"message\":\"1 of 2 do not answer\"}]}")
                .answer(
                        "GET /api/v1/transfers?max=10",
                        200,
                        """
                        {"transfers":[{"id":7,"path":"/new","fst":1,"user":"anna","client":"127.0.0.1",
                          "since":"2026-11-20T12:00:00Z","reservedBytes":4096,"state":"active","trace":"ab"}],
                         "total":42}
                        """)
                .answer(
                        "GET /api/v1/quotas",
                        200,
                        """
                        {"quotas":[
                         {"path":"/a","kind":"project","principal":"","limitBytes":1000,"usedBytes":100,
                          "usedFiles":1,"reservedBytes":0,"reservedFiles":0,
                          "levelBytes":"ok","levelFiles":"ok"},
                         {"path":"/b","kind":"user","principal":"anna","limitFiles":10,"usedBytes":0,
                          "usedFiles":9,"reservedBytes":0,"reservedFiles":0,
                          "levelBytes":"ok","levelFiles":"warning"}],"total":2}
                        """);
        status(100, 1_000);
    }

    private void status(int files, int bytes) {
        shell.server.answer(
                "GET /api/v1/status",
                200,
                """
                {"cluster":"3f0c","member":"mgm1","role":"leader","term":3,"appliedIndex":77,
                 "members":[{"id":"mgm1","role":"leader","lagEntries":0}],"files":%d,"directories":2,"usedBytes":%d,
                 "fsts":[{"id":1,"host":"127.0.0.1","xrootdPort":1095,"httpPort":8081,"alive":false,
                          "lastSeen":"2026-11-20T12:00:00Z","streams":4}],
                 "volumes":[{"id":1,"totalBytes":1000,"freeBytes":50,"usable":true}]}
                """
                        .formatted(files, bytes));
    }

    @AfterEach
    void stop() throws IOException {
        shell.close();
    }

    @Test
    void showsWhatIsWrongAndWhatToDo() {
        shell.server.answer("GET /health", 503, SICK);

        assertThat(shell.run("health")).isEqualTo(ExitCode.FAILED);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        health: error

                        status  check   code   finding                     what to do
                        ok      leader  -      the leader is at 127.0.0.1  -
                        error   fsts    NoFst  no FST is alive             start an FST
                        """);
    }

    @Test
    void warningsAreNoFailure() {
        assertThat(shell.run("health -m")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo("status=warn name=fsts message=1%20of%202%20do%20not%20answer\n");
    }

    @Test
    void tellsADeadServerFromASickOne() {
        shell.server.answer("GET /health", 503, "{\"detail\":\"stopping\"}");

        assertThat(shell.run("health")).isEqualTo(ExitCode.UNAVAILABLE);
    }

    @Test
    void showsWhatHappensNow() {
        assertThat(shell.run("top -n 1")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        mgm1 leader, term 3  health: warn
                          fsts: 1 of 2 do not answer
                        files 100   directories 2   used 1000 B   log 77

                        fst  hostport        http  status   streams  heartbeat
                          1  127.0.0.1:1095  8081  offline        4  2026-11-20T12:00:00Z

                        volume  active   used  free  capacity  usage
                             1  online  950 B  50 B    1000 B  [#########.]  95.0 %

                        uploads: 42 running, the oldest first
                        id  since                 fst  state   user  client     reserved  declared  path
                         7  2026-11-20T12:00:00Z    1  active  anna  127.0.0.1   4.0 KiB         -  /new

                        quota nodes next to their limits
                        node  who        used bytes  reserved  soft bytes  aval bytes  filled[%]             vol-status  used files  aval files  ino-status
                        /b    user anna         0 B       0 B           -           -  -                     -                    9          10  warning
                        /a    project         100 B       0 B           -      1000 B  [#.........]  10.0 %  ok                   1           -  -
                        """);
    }

    @Test
    void showsRatesFromTheSecondPictureOn() {
        shell.time.atPause(() -> status(120, 3_049));

        assertThat(shell.run("top -n 2 -s 4")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .contains(
                        "files 120 (+5.0/s)   directories 2   used 3.0 KiB (+512 B/s)   log 77 (+0.0/s)");
    }
}
