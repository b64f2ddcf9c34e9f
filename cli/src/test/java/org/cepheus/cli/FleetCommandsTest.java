package org.cepheus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code node}, {@code fs} and {@code space}. */
final class FleetCommandsTest {
    private final Shell shell;
    private final FakeServer server;

    FleetCommandsTest() throws IOException {
        shell = new Shell();
        server = shell.server;
    }

    @AfterEach
    void stop() throws IOException {
        shell.close();
    }

    @Test
    void listsMgmsAndFstsWithTheAgeOfTheirLastSign() {
        server.answer(
                "GET /api/v1/nodes",
                200,
                """
                {"nodes":[
                 {"kind":"mgm","id":"mgm1","host":"127.0.0.1","xrootdPort":1094,"httpPort":8080,"role":"leader","lagEntries":0},
                 {"kind":"mgm","id":"mgm2","host":"127.0.0.1","xrootdPort":1099,"httpPort":8085,"role":"follower",
                  "lagEntries":12,"silentMillis":75000},
                 {"kind":"fst","id":"fst1","number":1,"host":"127.0.0.1","xrootdPort":1095,"httpPort":8081,"state":"rw","alive":true,
                  "lastSeen":"2026-11-21T11:59:57.500Z","streams":4,"volumes":[1,2]},
                 {"kind":"fst","id":"fst2","number":2,"host":"127.0.0.1","xrootdPort":1096,"httpPort":8082,"state":"drain","alive":false,
                  "streams":0,"volumes":[]}],"total":4}
                """);

        assertThat(shell.run("node ls")).isEqualTo(ExitCode.OK);
        assertThat(shell.run("node ls -m --filter kind=fst")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        kind  id    hostport        http  status   activated  heartbeat  role      lag  streams  nofs  fs
                        mgm   mgm1  127.0.0.1:1094  8080  online   -                  -  leader      0        -     -  -
                        mgm   mgm2  127.0.0.1:1099  8085  offline  -             1m 15s  follower   12        -     -  -
                        fst   fst1  127.0.0.1:1095  8081  online   rw              2.5s  -           -        4     2  1,2
                        fst   fst2  127.0.0.1:1096  8082  offline  drain              -  -           -        0     0  -
                        type=nodesview kind=fst id=fst1 hostport=127.0.0.1:1095 http=8081 status=online configstatus=rw heartbeatdelta=2 streams=4 nofs=2 fs=1,2
                        type=nodesview kind=fst id=fst2 hostport=127.0.0.1:1096 http=8082 status=offline configstatus=drain streams=0 nofs=0
                        """);
    }

    @Test
    void listsFileSystemsAsEosDoes() {
        server.answer(
                "GET /api/v1/fs",
                200,
                """
                {"fs":[
                 {"id":1,"uuid":"5f0c","state":"rw","usable":true,"totalBytes":1099511627776,"freeBytes":549755813888,
                  "fsts":[1,2],"uploads":3},
                 {"id":2,"uuid":"6f0c","state":"ro","usable":false,"totalBytes":0,"freeBytes":0,"fsts":[],"uploads":0}],
                 "total":2}
                """);

        assertThat(shell.run("fs ls")).isEqualTo(ExitCode.OK);
        assertThat(shell.run("fs ls -m --filter active=online")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        host  id  boot    configstatus  active   wopen       used       free  capacity  usage
                        1,2    1  booted  rw            online       3  512.0 GiB  512.0 GiB   1.0 TiB  [#####.....]  50.0 %
                        -      2  down    ro            offline      0        0 B        0 B       0 B  [..........]   0.0 %
                        host=1,2 id=1 uuid=5f0c stat.boot=booted configstatus=rw stat.active=online stat.wopen=3 stat.statfs.usedbytes=549755813888 stat.statfs.freebytes=549755813888 stat.statfs.capacity=1099511627776 stat.statfs.filled=50.00
                        """);
    }

    @Test
    void listsSpaces() {
        server.answer(
                "GET /api/v1/spaces",
                200,
                """
                {"spaces":[{"name":"default","totalBytes":2048,"freeBytes":1024,"usedBytes":1000,"files":7,
                 "writable":1,"volumes":[1,2]}],"total":1}
                """);

        assertThat(shell.run("space ls")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        name     N(fs)  N(fs-rw)  files    used     free  capacity  usage
                        default      2         1      7  1000 B  1.0 KiB   2.0 KiB  [#####.....]  50.0 %
                        """);
    }

    @Test
    void saysWhatAnFstOrAVolumeIsUsedFor() {
        server.answer("PATCH /api/v1/nodes/fst2", 204, "");
        server.answer("PATCH /api/v1/fs/3", 204, "");

        assertThat(shell.run("node set fst2 drain")).isEqualTo(ExitCode.OK);
        assertThat(shell.run("fs set 3 ro")).isEqualTo(ExitCode.OK);

        assertThat(server.asked)
                .extracting(FakeServer.Asked::body)
                .containsExactly("{\"state\":\"drain\"}", "{\"state\":\"ro\"}");
    }

    @Test
    void asksBeforeFilesBecomeUnreachable() {
        server.answer("PATCH /api/v1/fs/3", 204, "");

        assertThat(shell.run("fs set 3 off")).isEqualTo(ExitCode.DECLINED);
        assertThat(server.asked).isEmpty();
        assertThat(shell.run("fs set 3 off --yes")).isEqualTo(ExitCode.OK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fs set 3 sleepy", "fs set one ro", "node set 1", "node"})
    void explainsUsage(String line) {
        assertThat(line.equals("node") ? shell.runAsIs("node") : shell.run(line))
                .isEqualTo(ExitCode.USAGE);
        assertThat(server.asked).isEmpty();
    }
}
