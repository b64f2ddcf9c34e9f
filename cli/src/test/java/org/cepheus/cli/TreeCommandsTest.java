package org.cepheus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** {@code find} and {@code du} over a tree of two pages in one directory and two levels below. */
final class TreeCommandsTest {
    private final Shell shell;

    TreeCommandsTest() throws IOException {
        shell = new Shell();
    }

    @BeforeEach
    void serve() {
        page("/data", "", "b", directory("a"), file("b", 10, "2026-11-21T11:00:00Z"));
        page("/data", "b", "", directory("c"), file("d.root", 5_000, "2020-01-01T00:00:00Z"));
        page("/data/a", "", "", file("x.root", 200, "2026-11-01T00:00:00Z"), directory("e"));
        page("/data/a/e", "", "", file("y", 3, "2026-11-21T11:59:00Z"));
        page("/data/c", "", "");
    }

    @AfterEach
    void stop() throws IOException {
        shell.close();
    }

    @Test
    void findsEverythingBelowADirectory() {
        assertThat(shell.run("find /data")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        /data/a
                        /data/b
                        /data/a/x.root
                        /data/a/e
                        /data/a/e/y
                        /data/c
                        /data/d.root
                        """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "-d; /data/a /data/a/e /data/c",
                "-f --name *.root; /data/a/x.root /data/d.root",
                "-f --older 30d; /data/d.root",
                "-f --newer 2h; /data/b /data/a/e/y",
                "-f --filter size>=200; /data/a/x.root /data/d.root",
                "-f --maxdepth 1; /data/b /data/d.root",
                "-f --maxdepth 2 --filter owner=anna; /data/b /data/a/x.root /data/d.root"
            })
    void findsWhatIsAskedFor(String options, String paths) {
        assertThat(shell.run("find /data " + options)).isEqualTo(ExitCode.OK);
        assertThat(shell.out().strip().replace("\n", " ")).isEqualTo(paths);
    }

    @Test
    void findsForScripts() {
        shell.run("find /data -m --name y");

        assertThat(shell.out())
                .isEqualTo(
                        "path=/data/a/e/y name=y type=file size=3 mode=0644 uid=anna gid=users"
                                + " mtime=1795262340.000000000 fxid=00000005 xstype=adler32 xs=00000abc\n");
    }

    @Test
    void findsAsOneJsonDocument() {
        shell.run("find /data --json -f");

        var found = new JsonMapper().readTree(shell.out());
        assertThat(found.path("path").asString()).isEqualTo("/data");
        assertThat(found.path("entries").values().stream().map(e -> e.path("path").asString()))
                .containsExactly("/data/b", "/data/a/x.root", "/data/a/e/y", "/data/d.root");
    }

    @Test
    void findsNothingAsOneJsonDocument() {
        shell.run("find /data --json --name nothing");

        assertThat(new JsonMapper().readTree(shell.out()).path("entries").size()).isZero();
    }

    @Test
    void countsWhatItFinds() {
        shell.run("find /data -f --count");

        assertThat(shell.out()).isEqualTo("4 found, 5.1 KiB\n");
    }

    @Test
    void passesOverADirectoryThatIsGone() {
        shell.server.answer(entries("/data/a", ""), 404, "{\"detail\":\"gone\"}");

        assertThat(shell.run("find /data -f")).isEqualTo(ExitCode.OK);
        assertThat(shell.out()).isEqualTo("/data/b\n/data/d.root\n");
    }

    @Test
    void saysThatTheDirectoryItselfIsNotThere() {
        shell.server.answer(entries("/data", ""), 404, "{\"detail\":\"no such thing\"}");

        assertThat(shell.run("find /data")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(shell.run("du /data")).isEqualTo(ExitCode.NOT_FOUND);
    }

    @ParameterizedTest
    @CsvSource({"--older soon", "--maxdepth 0", "--name [", "--filter colour=red"})
    void explainsUsageOfFind(String options) {
        assertThat(shell.run("find /data " + options)).isEqualTo(ExitCode.USAGE);
        assertThat(shell.server.asked).isEmpty();
    }

    @Test
    void addsUpEachDirectoryAndTheWhole() {
        assertThat(shell.run("du /data")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo(
                        """
                             203 B           2 files         1 directories  /data/a
                               0 B           0 files         0 directories  /data/c
                           5.1 KiB           4 files         3 directories  /data
                        """);
    }

    @Test
    void addsUpForScripts() {
        shell.run("du /data -m --depth 0");

        assertThat(shell.out())
                .isEqualTo("treesize=5213 treefiles=4 treecontainers=3 path=/data\n");
    }

    @Test
    void addsUpAsJson() {
        shell.run("du /data --json --depth 2");

        assertThat(new JsonMapper().readTree(shell.out()).path("entries").size()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"du /data", "find /data -f", "rm -r /data"})
    void guessesHowLongItTakesFromTheDirectoriesThatAreDone(String command) {
        shell.server.onRequest(
                entries("/data/a/e", ""), () -> shell.time.pass(Duration.ofSeconds(10)));

        shell.server.answer("GET /api/v1/namespace?path=%2Fdata", 200, "{\"kind\":\"directory\"}");

        shell.run(command);

        assertThat(shell.err())
                .as("the first of two parts is done, with 5 entries in it")
                .contains("50.0 % 5 of about 10 entries, 1/s, about 10s left");
    }

    private void page(String directory, String after, String next, String... entries) {
        shell.server.answer(
                entries(directory, after),
                200,
                "{\"path\":\"%s\",\"entries\":[%s]%s}"
                        .formatted(
                                directory,
                                Stream.of(entries).collect(Collectors.joining(",")),
                                next.isEmpty() ? "" : ",\"next\":\"" + next + "\""));
    }

    private static String entries(String directory, String after) {
        return "GET /api/v1/namespace/entries?path=%s&after=%s&max=1000"
                .formatted(AdminClient.encoded(directory), after);
    }

    private static String directory(String name) {
        return "{\"name\":\"%s\",\"kind\":\"directory\",\"sizeBytes\":0,\"owner\":\"root\"}"
                .formatted(name);
    }

    private static String file(String name, long size, String modified) {
        return """
        {"name":"%s","kind":"file","inode":5,"sizeBytes":%d,"mode":"0644","owner":"anna",
         "group":"users","modified":"%s","checksums":{"adler32":"00000abc"}}
        """
                .formatted(name, size, modified);
    }
}
