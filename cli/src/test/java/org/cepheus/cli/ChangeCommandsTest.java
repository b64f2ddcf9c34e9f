package org.cepheus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code mkdir}, {@code mv}, {@code rm}, {@code attr} and {@code checksum}. */
final class ChangeCommandsTest {
    private final Shell shell;
    private final FakeServer server;

    ChangeCommandsTest() throws IOException {
        shell = new Shell();
        server = shell.server;
    }

    @AfterEach
    void stop() throws IOException {
        shell.close();
    }

    @Test
    void makesDirectories() {
        server.answer("POST /api/v1/namespace/directories", 204, "");

        assertThat(shell.run("mkdir /a")).isEqualTo(ExitCode.OK);
        assertThat(shell.run("mkdir -p --mode 0770 /a/b/c")).isEqualTo(ExitCode.OK);

        assertThat(bodies())
                .containsExactly(
                        "{\"path\":\"/a\"}",
                        "{\"path\":\"/a/b/c\",\"mode\":\"0770\",\"parents\":true}");
        assertThat(shell.out()).isEqualTo("/a is made\n/a/b/c is made\n");
    }

    @Test
    void renames() {
        server.answer("POST /api/v1/namespace/rename", 204, "");
        server.answer("GET /api/v1/namespace/attributes?path=%2Fb", 200, "{\"attributes\":[]}");

        assertThat(shell.run("mv /a /b")).isEqualTo(ExitCode.OK);

        assertThat(bodies()).containsExactly("{\"path\":\"/a\",\"target\":\"/b\"}");
        assertThat(shell.out()).isEqualTo("/a is renamed to /b\n");
    }

    @Test
    void tellsScriptsWhatWasDone() {
        server.answer("POST /api/v1/namespace/directories", 204, "");
        server.answer("POST /api/v1/namespace/rename", 204, "");
        server.answer("GET /api/v1/namespace/attributes?path=%2Fb", 200, "{\"attributes\":[]}");
        server.answer("DELETE /api/v1/namespace?path=%2Fb", 204, "");

        shell.run("mkdir /a --json");
        shell.run("mv /a /b --json");
        shell.run("rm /b --yes --json");

        assertThat(
                        new JsonMapper()
                                .readerFor(JsonNode.class)
                                .<JsonNode>readValues(shell.out())
                                .readAll())
                .extracting(JsonNode::toString)
                .containsExactly(
                        "{\"done\":\"made\",\"path\":\"/a\"}",
                        "{\"done\":\"renamed\",\"path\":\"/a\",\"target\":\"/b\"}",
                        "{\"done\":\"removed\",\"path\":\"/b\"}");
    }

    @Test
    void replacesOnlyWhatSomebodySaidYesTo() {
        server.answer("POST /api/v1/namespace/rename", 204, "");
        server.answer("GET /api/v1/namespace/attributes?path=%2Fb", 200, "{\"attributes\":[]}");

        assertThat(shell.run("mv -f /a /b")).isEqualTo(ExitCode.DECLINED);
        assertThat(server.asked).isEmpty();
        assertThat(shell.run("mv -f /a /b --yes")).isEqualTo(ExitCode.OK);
        assertThat(bodies())
                .containsExactly("{\"path\":\"/a\",\"target\":\"/b\",\"replace\":true}");
    }

    @Test
    void sendsAChangeWhoseAnswerIsLostAgainUnderTheSameKey() {
        String mkdir = "POST /api/v1/namespace/directories";
        server.answer(mkdir, 204, "").loseAnswers(mkdir, 2);

        assertThat(shell.run("mkdir /a")).isEqualTo(ExitCode.OK);
        assertThat(keys()).hasSize(3).containsOnly(keys().getFirst());
        assertThat(keys().getFirst()).isPresent();
        assertThat(shell.run("mkdir /a")).isEqualTo(ExitCode.OK);
        assertThat(keys().getLast()).isPresent().isNotEqualTo(keys().getFirst());
    }

    @Test
    void saysThatAChangeMayHaveHappenedWhenNoAnswerCame() {
        String mkdir = "POST /api/v1/namespace/directories";
        server.answer(mkdir, 204, "").loseAnswers(mkdir, 99);

        assertThat(shell.run("mkdir /a")).isEqualTo(ExitCode.UNAVAILABLE);
        assertThat(shell.err()).contains("a change may have happened");
        assertThat(keys()).hasSize(3);
    }

    private List<Optional<String>> keys() {
        return server.asked.stream().map(FakeServer.Asked::key).toList();
    }

    @Test
    void removesOneFile() {
        server.answer("DELETE /api/v1/namespace?path=%2Fmy%20file", 204, "");

        assertThat(shell.run("rm", "/my file")).isEqualTo(ExitCode.DECLINED);
        assertThat(server.asked).isEmpty();
        assertThat(shell.run("rm", "/my file", "-y")).isEqualTo(ExitCode.OK);
        assertThat(shell.out()).isEqualTo("/my file is removed\n");
    }

    @Test
    void doesNotRemoveADirectoryWithEntriesUnlessTold() {
        server.answer(
                "DELETE /api/v1/namespace?path=%2Ftree",
                409, "{\"detail\":\"the directory /tree is not empty\"}");

        assertThat(shell.run("rm /tree -y")).isEqualTo(ExitCode.CONFLICT);
    }

    @Test
    void saysHowMuchATreeHoldsAndRemovesItFromItsLeaves() {
        serveTree();
        for (String path : List.of("a", "a%2Fx", "a%2Fe", "b", "")) {
            server.answer(
                    "DELETE /api/v1/namespace?path=%2Ftree" + (path.isEmpty() ? "" : "%2F" + path),
                    204,
                    "");
        }

        assertThat(shell.withPerson("yes\n").run("rm -r /tree")).isEqualTo(ExitCode.OK);

        assertThat(shell.err())
                .isEqualTo(
                        "this removes /tree with 2 files and 2 directories below it, 1.0 KiB. Go on? [y/N] ");
        assertThat(shell.out()).isEqualTo("5 entries are removed\n");
        assertThat(keys()).as("the server remembers few").containsOnly(Optional.empty());
        assertThat(deletions())
                .containsExactly(
                        "%2Ftree%2Fb",
                        "%2Ftree%2Fa%2Fx", "%2Ftree%2Fa%2Fe", "%2Ftree%2Fa", "%2Ftree");
    }

    @Test
    void removesNothingOfATreeWithoutAYes() {
        serveTree();

        assertThat(shell.run("rm -r /tree")).isEqualTo(ExitCode.DECLINED);
        assertThat(deletions()).isEmpty();
    }

    @Test
    void goesOnAfterWhatCannotBeRemovedAndSaysSo() {
        serveTree();
        server.answer("DELETE /api/v1/namespace?path=%2Ftree%2Fb", 423, "{\"detail\":\"in use\"}");
        server.answer("DELETE /api/v1/namespace?path=%2Ftree%2Fa%2Fx", 404, "{\"detail\":\"no\"}");
        server.answer("DELETE /api/v1/namespace?path=%2Ftree%2Fa%2Fe", 204, "");
        server.answer("DELETE /api/v1/namespace?path=%2Ftree%2Fa", 204, "");
        server.answer("DELETE /api/v1/namespace?path=%2Ftree", 409, "{\"detail\":\"not empty\"}");

        assertThat(shell.run("rm -r -y --json /tree")).isEqualTo(ExitCode.PARTIAL);

        assertThat(new JsonMapper().readTree(shell.out()).toString())
                .isEqualTo("{\"done\":\"removed\",\"path\":\"/tree\",\"removed\":3,\"left\":2}");
        assertThat(shell.err()).contains("/tree/b: in use").contains("/tree: not empty");
    }

    private void serveTree() {
        server.answer("GET /api/v1/namespace?path=%2Ftree", 200, "{\"kind\":\"directory\"}");
        entries("%2Ftree", "{\"name\":\"a\",\"kind\":\"directory\"}", file("b"));
        entries("%2Ftree%2Fa", file("x"), "{\"name\":\"e\",\"kind\":\"directory\"}");
        entries("%2Ftree%2Fa%2Fe");
    }

    private void entries(String directory, String... entries) {
        server.answer(
                "GET /api/v1/namespace/entries?path=%s&after=&max=1000".formatted(directory),
                200,
                "{\"entries\":[%s]}".formatted(String.join(",", entries)));
    }

    private static String file(String name) {
        return "{\"name\":\"%s\",\"kind\":\"file\",\"sizeBytes\":512}".formatted(name);
    }

    @Test
    void listsAttributes() {
        serveAttributes();

        assertThat(shell.run("attr ls /a")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        name          value
                        user.comment  raw data
                        user.key      base64:AP8=
                        """);
    }

    @Test
    void printsOneAttribute() {
        serveAttributes();

        assertThat(shell.run("attr get user.comment /a")).isEqualTo(ExitCode.OK);
        assertThat(shell.out()).isEqualTo("raw data\n");
        assertThat(shell.run("attr get user.colour /a")).isEqualTo(ExitCode.NOT_FOUND);
    }

    private void serveAttributes() {
        server.answer(
                "GET /api/v1/namespace/attributes?path=%2Fa",
                200,
                """
                {"path":"/a","attributes":[{"name":"user.comment","value":"raw data"},
                 {"name":"user.key","base64":"AP8="}]}
                """);
    }

    @Test
    void setsAnAttributeWithEqualsSignsInItsValue() {
        server.answer("PUT /api/v1/namespace/attributes", 204, "");

        assertThat(shell.run("attr", "set", "user.sum=a=b c", "/a")).isEqualTo(ExitCode.OK);
        assertThat(bodies())
                .containsExactly("{\"path\":\"/a\",\"name\":\"user.sum\",\"value\":\"a=b c\"}");
    }

    @Test
    void removesAnAttributeAfterAYes() {
        server.answer("DELETE /api/v1/namespace/attributes?path=%2Fa&name=user.x", 204, "");

        assertThat(shell.run("attr rm user.x /a")).isEqualTo(ExitCode.DECLINED);
        assertThat(shell.run("attr rm user.x /a -y")).isEqualTo(ExitCode.OK);
    }

    @Test
    void printsChecksums() {
        String sums =
                """
                {"path":"/a b","sizeBytes":7,"version":2,
                 "checksums":{"adler32":"00000abc","md5":"0cc175b9c0f1b6a831c399e269772661"}}
                """;
        server.answer("GET /api/v1/namespace/checksum?path=%2Fa%20b", 200, sums);

        assertThat(shell.run("checksum", "/a b")).isEqualTo(ExitCode.OK);
        assertThat(shell.run("checksum", "/a b", "-m")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        adler32  00000abc  /a b
                        md5      0cc175b9c0f1b6a831c399e269772661  /a b
                        xstype=adler32 xs=00000abc size=7 path=/a%20b
                        xstype=md5 xs=0cc175b9c0f1b6a831c399e269772661 size=7 path=/a%20b
                        """);
        assertThat(shell.run("checksum", "/a b", "--json")).isEqualTo(ExitCode.OK);
    }

    @Test
    void printsOneTypeOfChecksum() {
        server.answer(
                "GET /api/v1/namespace/checksum?path=%2Fa&type=md5",
                404, "{\"detail\":\"no md5 is stored of /a\"}");

        assertThat(shell.run("checksum /a --type md5")).isEqualTo(ExitCode.NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mkdir",
                "mv /a",
                "rm",
                "attr set user.x /a",
                "attr set =x /a",
                "attr get a"
            })
    void explainsUsage(String line) {
        assertThat(shell.run(line)).isEqualTo(ExitCode.USAGE);
        assertThat(server.asked).isEmpty();
    }

    private List<String> bodies() {
        return server.asked.stream()
                .map(FakeServer.Asked::body)
                .filter(body -> !body.isEmpty())
                .toList();
    }

    private List<String> deletions() {
        return server.asked.stream()
                .map(FakeServer.Asked::request)
                .filter(each -> each.startsWith("DELETE"))
                .map(each -> each.replaceFirst(".*path=", ""))
                .toList();
    }

    @Test
    void endsUploadsAndSessionsAfterAYes() {
        server.answer("DELETE /api/v1/transfers/12", 204, "");
        server.answer("DELETE /api/v1/downloads/1/12", 204, "");
        server.answer("DELETE /api/v1/sessions/3", 204, "");

        assertThat(shell.run("transfer kill 12")).isEqualTo(ExitCode.DECLINED);
        assertThat(server.asked).isEmpty();
        assertThat(shell.run("transfer kill 12 --yes")).isEqualTo(ExitCode.OK);
        assertThat(shell.run("transfer kill 1/12 --yes")).isEqualTo(ExitCode.OK);
        assertThat(shell.run("session kill 3 --yes")).isEqualTo(ExitCode.OK);
        assertThat(keys())
                .as("a session is at one member and not in the log")
                .last()
                .isEqualTo(Optional.empty());
    }

    @Test
    void listsSessions() {
        server.answer(
                "GET /api/v1/sessions",
                200,
                """
                {"sessions":[{"id":3,"protocol":"xrootd","user":"anna","client":"127.0.0.1",
                 "since":"2026-11-21T12:00:00Z"}],"total":1}
                """);

        assertThat(shell.run("session ls")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        id  since                 protocol  user  client
                         3  2026-11-21T12:00:00Z  xrootd    anna  127.0.0.1
                        """);
    }

    @Test
    void answersInJsonWhenAsked() {
        serveAttributes();

        shell.run("attr ls /a --json");

        assertThat(new JsonMapper().readTree(shell.out()).path("attributes").size()).isEqualTo(2);
    }
}
