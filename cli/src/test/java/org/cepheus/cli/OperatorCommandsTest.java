package org.cepheus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cepheus.domain.loopback.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class OperatorCommandsTest {
    private static final String FILE =
            """
            {"kind":"file","inode":5,"version":7,"sizeBytes":1536,"mode":"0640","owner":"anna",
             "group":"users","modified":"2026-11-20T12:00:00.5Z","changed":"2026-11-20T12:00:00Z",
             "born":"2026-11-20T12:00:00Z","underUpdate":false,"checksums":{"adler32":"00000abc"},
             %s}\
            """;

    private static final String ROWS_OF_DATA = "GET /api/v1/quotas?filter=path%3D%2Fdata";
    private static final String COUNTING =
            """
            {"quotas":[{"path":"/data","kind":"project","principal":"","limitBytes":1024,
              "state":"counting","countedEntries":600,"expectedEntries":1200}]}
            """;

    private final Shell shell;
    private final FakeServer server;
    private final Path data;

    OperatorCommandsTest() throws IOException {
        shell = new Shell();
        server = shell.server;
        data = shell.data;
    }

    @AfterEach
    void stop() throws IOException {
        shell.close();
    }

    @Test
    void showsTheClusterAsATable() {
        server.answer(
                "GET /api/v1/status",
                200,
                """
                {"cluster":"3f0c","member":"mgm1","role":"leader","term":3,"appliedIndex":77,
                 "leader":{"host":"127.0.0.1","xrootdPort":1094,"httpPort":8080,"adminPort":9080},
                 "committedIndex":77,
                 "members":[{"id":"mgm1","role":"leader","lagEntries":0}],"files":12,"directories":2,"usedBytes":2048,
                 "fsts":[{"id":1,"host":"127.0.0.1","xrootdPort":1095,"httpPort":8081,"alive":true,
                          "lastSeen":"2026-11-20T12:00:00Z","streams":4}],
                 "volumes":[{"id":1,"totalBytes":1073741824,"freeBytes":1023,"usable":true}]}
                """);

        int code = run("status");

        assertThat(code).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        cluster  3f0c
                        member   mgm1, leader, term 3, applied 77
                        leader   root://127.0.0.1:1094 and http://127.0.0.1:8080
                        holds    12 files, 2 directories, 2.0 KiB

                        mgm   role    status  lag
                        mgm1  leader  online    0

                        fst  hostport        http  status  streams  heartbeat
                          1  127.0.0.1:1095  8081  online        4  2026-11-20T12:00:00Z

                        volume  active     used    free  capacity  usage
                             1  online  1.0 GiB  1023 B   1.0 GiB  [#########.] 100.0 %
                        """);
        assertThat(server.asked.getFirst().authorization()).isEqualTo("Bearer the-secret");
    }

    @Test
    void aFollowersStatusShowsWhatItsLeaderKnows() throws IOException {
        try (var leader = new FakeServer()) {
            leader.answer(
                    "GET /api/v1/status",
                    200,
                    """
                    {"members":[{"id":"mgm1","role":"leader","lagEntries":0},
                                {"id":"mgm2","role":"follower","lagEntries":12,"silentMillis":11000}],
                     "fsts":[{"alive":true}],"volumes":[{"id":7}]}
                    """);
            answerAsFollowerOf(URI.create(leader.url()).getPort());

            assertThat(run("status", "--json")).isEqualTo(ExitCode.OK);

            JsonNode status = new JsonMapper().readTree(shell.out());
            assertThat(status.path("member").asString()).isEqualTo("mgm2");
            assertThat(status.at("/fsts/0/alive").asBoolean()).isTrue();
            assertThat(status.at("/volumes/0/id").asInt()).isEqualTo(7);
            assertThat(status.at("/members/1/lagEntries").asInt()).isEqualTo(12);

            assertThat(run("status")).isEqualTo(ExitCode.OK);
            assertThat(shell.out()).containsPattern("mgm2 +follower +offline +12");
        }
    }

    @Test
    void aFollowersStatusIsShownAlthoughItsLeaderHasGone() throws IOException {
        int port;
        try (var gone = new FakeServer()) {
            port = URI.create(gone.url()).getPort();
        }
        answerAsFollowerOf(port);

        assertThat(run("status")).isEqualTo(ExitCode.OK);

        assertThat(shell.out()).contains("mgm2, follower");
    }

    private void answerAsFollowerOf(int adminPort) {
        server.answer(
                "GET /api/v1/status",
                200,
                """
                {"cluster":"3f0c","member":"mgm2","role":"follower","term":3,"appliedIndex":77,
                 "leader":{"host":"127.0.0.1","xrootdPort":1094,"httpPort":8080,"adminPort":%d},
                 "members":[{"id":"mgm1","role":"leader"},
                            {"id":"mgm2","role":"follower","lagEntries":0}],"files":12,"directories":2,"usedBytes":2048,
                 "fsts":[],"volumes":[]}
                """
                        .formatted(adminPort));
    }

    @Test
    void listsAllPagesOfADirectory() {
        serveTwoPages();

        int code = run("ls", "/my data");

        assertThat(code).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        -0640  anna       users         1.5 KiB  2026-11-20T12:00:00Z  a
                        -0640  anna       users         1.5 KiB  2026-11-20T12:00:00Z  b & c
                        """);
    }

    @Test
    void listsAllPagesAsOneJsonDocument() {
        serveTwoPages();

        int code = run("ls", "/my data", "--json");

        assertThat(code).isEqualTo(ExitCode.OK);
        JsonNode listing = new JsonMapper().readTree(shell.out());
        assertThat(listing.path("path").asString()).isEqualTo("/my data");
        assertThat(listing.path("entries").size()).isEqualTo(2);
        assertThat(listing.path("entries").get(1).path("name").asString()).isEqualTo("b & c");
    }

    private void serveTwoPages() {
        String base = "GET /api/v1/namespace/entries?path=%2Fmy%20data&after=";
        server.answer(
                base,
                200,
                "{\"path\":\"/my data\",\"entries\":[%s],\"next\":\"a\"}"
                        .formatted(FILE.formatted("\"name\":\"a\"")));
        server.answer(
                base + "a",
                200,
                "{\"path\":\"/my data\",\"entries\":[%s]}"
                        .formatted(FILE.formatted("\"name\":\"b & c\"")));
    }

    @Test
    void showsOneFile() {
        server.answer("GET /api/v1/namespace?path=%2Fa", 200, FILE.formatted("\"path\":\"/a\""));

        assertThat(run("stat", "/a")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .contains("size      1.5 KiB (1536 bytes)\n")
                .contains("adler32   00000abc\n");
    }

    @Test
    void showsTheFileOfAnInode() {
        server.answer(
                "GET /api/v1/namespace/inodes/4711", 200, FILE.formatted("\"path\":\"/was/b\""));

        assertThat(run("stat", "inode:4711")).isEqualTo(ExitCode.OK);
        assertThat(run("stat", "fxid:00001267")).isEqualTo(ExitCode.OK);
        assertThat(shell.out().lines().filter("path      /was/b"::equals)).hasSize(2);
        assertThat(run("stat", "fxid:none")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void neverLetsANameTalkToTheTerminal() {
        server.answer(
                "GET /api/v1/namespace?path=%2Fa",
                200, FILE.formatted("\"path\":\"/a\\u009b31mred\""));

        run("stat", "/a");

        assertThat(shell.out()).contains("path      /a?31mred\n");
    }

    @Test
    void listsWhatRunsInBothDirections() {
        server.answer(
                "GET /api/v1/transfers",
                200,
                """
                {"transfers":[{"id":7,"path":"/new","fst":1,"user":"anna","client":"127.0.0.1",
                  "since":"2026-11-20T12:00:00Z","reservedBytes":4096,"state":"active","trace":"ab"}],
                 "total":1}
                """);
        server.answer(
                "GET /api/v1/downloads",
                200,
                """
                {"downloads":[{"fst":2,"number":41,"path":"/old","user":"ben","client":"::1",
                  "since":"2026-11-20T11:00:00Z","sizeBytes":2048,"readBytes":1024,"trace":"cd"}],
                 "total":1,"leftOut":0,"silentFsts":[]}
                """);

        assertThat(run("transfer", "ls")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo(
                        """
                          id  since                 way   fst  state   user  client     reserved  declared     read     size  path
                        2/41  2026-11-20T11:00:00Z  down    2  -       ben   ::1               -         -  1.0 KiB  2.0 KiB  /old
                           7  2026-11-20T12:00:00Z  up      1  active  anna  127.0.0.1   4.0 KiB         -        -        -  /new
                        """);
    }

    @Test
    void listsQuotas() {
        server.answer(
                "GET /api/v1/quotas",
                200,
                """
                {"quotas":[{"path":"/data","kind":"user","principal":"anna","limitBytes":10240,
                  "usedBytes":1024,"usedFiles":1,"reservedBytes":512,"reservedFiles":1,
                  "levelBytes":"ok","levelFiles":"ok"},
                 {"path":"/data","kind":"project","principal":"","limitFiles":9,
                  "usedBytes":1024,"usedFiles":1,"reservedBytes":512,"reservedFiles":1,
                  "levelBytes":"ok","levelFiles":"ok"}]}
                """);

        assertThat(run("quota", "ls")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        Quota Node: /data/
                        who        used bytes  reserved  soft bytes  aval bytes  filled[%]             vol-status  used files  aval files  ino-status
                        user anna     1.0 KiB     512 B           -    10.0 KiB  [#.........]  15.0 %  ok                   1           -  -
                        project       1.0 KiB     512 B           -           -  -                     -                    1           9  ok
                        """);
    }

    @Test
    void setsAQuotaInBytesAndFiles() {
        server.answer("PUT /api/v1/quotas", 204, "");

        int code = run("quota", "set", "/data", "--bytes", "10GiB", "--files", "none");

        assertThat(code).isEqualTo(ExitCode.OK);
        assertThat(server.asked.getFirst().body())
                .isEqualTo(
                        "{\"path\":\"/data\",\"kind\":\"project\",\"bytes\":10737418240,\"files\":null}");
    }

    @Test
    void setsAQuotaOfAGroup() {
        server.answer("PUT /api/v1/quotas", 204, "");

        run("quota", "set", "--group=atlas", "--files=7", "/data");

        assertThat(server.asked.getFirst().body())
                .isEqualTo(
                        "{\"path\":\"/data\",\"kind\":\"group\",\"principal\":\"atlas\",\"files\":7}");
    }

    @Test
    void setsSoftLimitsAndThoseOfEverybodyElse() {
        server.answer("PUT /api/v1/quotas", 204, "");

        shell.run("quota set /data --default users --bytes 1KiB --soft-bytes 900 --soft-files 5");
        shell.run("quota set /data --user anna --bytes default --files none");

        assertThat(server.asked)
                .filteredOn(asked -> asked.request().startsWith("PUT"))
                .extracting(FakeServer.Asked::body)
                .containsExactly(
                        "{\"path\":\"/data\",\"kind\":\"user\",\"default\":true,\"bytes\":1024,\"softBytes\":900,\"softFiles\":5}",
                        "{\"path\":\"/data\",\"kind\":\"user\",\"principal\":\"anna\",\"bytes\":\"default\",\"files\":null}");
    }

    @Test
    void saysThatALimitOverMuchContentIsStillBeingCounted() {
        server.answer("PUT /api/v1/quotas", 204, "").answer(ROWS_OF_DATA, 200, COUNTING);

        assertThat(shell.run("quota set /data/ --bytes 1KiB")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .contains("being counted (600 of at most 1200 entries)")
                .contains("cepheus quota ls /data/ --watch");
    }

    @Test
    void showsScriptsTheRowsOfWhatWasSet() {
        server.answer("PUT /api/v1/quotas", 204, "").answer(ROWS_OF_DATA, 200, COUNTING);

        assertThat(shell.run("quota set /data --bytes 1KiB --json")).isEqualTo(ExitCode.OK);

        JsonNode set = new JsonMapper().readTree(shell.out());
        assertThat(set.path("done").asString()).isEqualTo("set");
        assertThat(set.at("/quotas/0/state").asString()).isEqualTo("counting");
    }

    @Test
    void waitsUntilWhatIsThereIsCountedIfAsked() {
        server.answer("PUT /api/v1/quotas", 204, "").answer(ROWS_OF_DATA, 200, COUNTING);
        shell.time.atPause(
                () -> server.answer(ROWS_OF_DATA, 200, COUNTING.replace("counting", "active")));

        assertThat(shell.run("quota set /data --bytes 1KiB --wait")).isEqualTo(ExitCode.OK);
        assertThat(shell.out()).isEqualTo("limits of /data are set\n");
    }

    @Test
    void aLimitIsSetAlsoWhenNobodySaysHowTheNodeIsThen() {
        server.answer("PUT /api/v1/quotas", 204, "").answer(ROWS_OF_DATA, 503, "{}");

        assertThat(shell.run("quota set /data --bytes 1KiB")).isEqualTo(ExitCode.OK);
        assertThat(shell.out()).isEqualTo("limits of /data are set\n");
    }

    @Test
    void removesAQuota() {
        server.answer("DELETE /api/v1/quotas?path=%2Fdata", 204, "");

        assertThat(run("quota", "rm", "/data", "--yes", "--json")).isEqualTo(ExitCode.OK);
        assertThat(new JsonMapper().readTree(shell.out()).path("done").asString())
                .isEqualTo("removed");
    }

    @ParameterizedTest
    @CsvSource({"404,3", "401,4", "403,4", "507,5", "503,6", "400,2", "409,8", "423,8", "500,1"})
    void endsWithACodeThatScriptsCanTell(int status, int exitCode) {
        server.answer(
                "GET /api/v1/namespace?path=%2Fa",
                status, "{\"detail\":\"it is so\",\"next\":\"do this\",\"trace\":\"00ab\"}");

        assertThat(run("stat", "/a")).isEqualTo(exitCode);
        assertThat(shell.err()).isEqualTo("cepheus: it is so\n  next: do this (trace 00ab)\n");
        assertThat(shell.out()).isEmpty();
    }

    @Test
    void followsAMemberToTheLeader() throws Exception {
        try (var leader = new FakeServer()) {
            server.redirect("PUT /api/v1/quotas", leader.url() + "/api/v1/quotas");
            leader.answer("PUT /api/v1/quotas", 204, "");

            assertThat(run("quota", "set", "/data", "--files=1")).isEqualTo(ExitCode.OK);
            assertThat(leader.asked.getFirst().body()).contains("\"files\":1");
            assertThat(leader.asked.getFirst().authorization()).isEqualTo("Bearer the-secret");
        }
    }

    @Test
    void doesNotRunInCirclesAfterTheLeader() {
        server.redirect("GET /api/v1/quotas", "/api/v1/quotas");

        assertThat(run("quota", "ls")).isEqualTo(ExitCode.UNAVAILABLE);
    }

    @Test
    void saysThatNobodyAnswers() throws Exception {
        int free = FreePorts.firstOf(1);
        Files.writeString(data.resolve(ServerOptions.CLIENT_FILE), "url=http://127.0.0.1:" + free);

        assertThat(run("status")).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(shell.err()).contains("no server answers at http://127.0.0.1:" + free);
    }

    @Test
    void saysHowToNameAServerWhenNoneIsKnown() throws Exception {
        Files.delete(data.resolve(ServerOptions.CLIENT_FILE));

        assertThat(run("status")).isEqualTo(ExitCode.USAGE);
        assertThat(shell.err()).contains("start './cepheus up'").contains("--url");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ls",
                "ls /a /b",
                "nonsense",
                "quota",
                "quota set /a",
                "quota set /a --bytes=many",
                "quota set /a --bytes=5iB",
                "quota set /a --bytes=16EiB",
                "quota set /a --files=-1",
                "quota set /a --files=1 --user=a --group=b",
                "quota set /a --files=1 --user=a --default=users",
                "quota set /a --files=1 --default=everybody",
                "quota verify --seconds=0",
                "transfer kill all",
                "session kill -y x",
                "status --colour",
                "status --url=http://127.0.0.1:1"
            })
    void explainsUsage(String words) {
        assertThat(run(words.split(" "))).isEqualTo(ExitCode.USAGE);
        assertThat(shell.err()).isNotBlank();
        assertThat(server.asked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "4096,4096",
        "5B,5",
        "1KiB,1024",
        "10GiB,10737418240",
        "10g,10737418240",
        "10GB,10000000000",
        "1.5 TiB,1649267441664"
    })
    void readsSizesAsPeopleWriteThem(String written, long bytes) {
        assertThat(ByteCount.parse(written)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "0,0 B",
        "1023,1023 B",
        "1024,1.0 KiB",
        "1048575,1.0 MiB",
        "1073741824,1.0 GiB",
        "9223372036854775807,8.0 EiB"
    })
    void showsSizesAsPeopleReadThem(long bytes, String shown) {
        assertThat(ByteCount.format(bytes)).isEqualTo(shown);
    }

    private int run(String... words) {
        boolean isComplete =
                String.join(" ", words).contains("--url")
                        || List.of(words).equals(List.of("quota"));
        return isComplete ? shell.runAsIs(words) : shell.run(words);
    }
}
