package org.cepheus.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.cepheus.domain.FsError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** DELETE, COPY and MOVE of directories and over what is there (RFC 4918 section 9). */
final class TreeMethodsTest {
    private Site site;

    @BeforeEach
    void start() throws IOException {
        site = Site.open();
        site.namespace.directory("/t");
        site.namespace.directory("/t/sub");
        site.namespace.directory("/t/sub/deep");
        file("/t/a", "aaa");
        file("/t/sub/b", "bb");
        file("/f", "hello");
    }

    @AfterEach
    void stop() {
        site.close();
    }

    private void file(String path, String text) {
        site.namespace.file(path, text.getBytes(StandardCharsets.US_ASCII));
    }

    private String text(String path) {
        return new String(site.namespace.bytes(path), StandardCharsets.US_ASCII);
    }

    private Raw.Answer ask(String method, String path, String... headers) throws IOException {
        return Raw.ask(
                site.fst,
                "%s %s HTTP/1.1\nHost: h\n%s\n\n"
                        .formatted(method, path, String.join("\n", headers).strip())
                        .replace("\n\n\n", "\n\n"));
    }

    private Raw.Answer relocate(String method, String from, String to, String... headers)
            throws IOException {
        String more = headers.length == 0 ? "" : "\n" + String.join("\n", headers);
        return ask(method, from, "Destination: http://h" + to + more);
    }

    // ---- DELETE

    @Test
    void deletesADirectoryWithAllThatIsInIt() throws IOException {
        for (int i = 0; i < 2500; i++) {
            file("/t/sub/n" + i, "");
        }

        assertThat(ask("DELETE", "/t/").status()).isEqualTo(204);

        assertThat(site.namespace.exists("/t")).isFalse();
        assertThat(site.namespace.exists("/t/sub/n7")).isFalse();
        assertThat(text("/f")).isEqualTo("hello");
    }

    @Test
    void namesWhatCouldNotBeDeletedAndLeavesTheRest() throws IOException {
        site.namespace.protect("/t/sub/b");

        Raw.Answer answer = ask("DELETE", "/t");

        assertThat(answer.status()).isEqualTo(207);
        assertThat(answer.text())
                .contains("<D:href>/t/sub/b</D:href>")
                .contains("HTTP/1.1 403 Forbidden")
                .contains("protected");
        assertThat(site.namespace.exists("/t/sub/b")).isTrue();
        assertThat(site.namespace.exists("/t")).isTrue();
    }

    @Test
    void refusesToDeleteADirectoryWithoutWhatIsInIt() throws IOException {
        assertThat(ask("DELETE", "/t", "Depth: 0").status()).isEqualTo(400);
        assertThat(ask("DELETE", "/t", "Depth: infinity").status()).isEqualTo(204);
    }

    @Test
    void waitsOutAnElectionInTheMiddleOfATree() throws IOException {
        site.namespace.failChangesAfterDoingThem(3);

        assertThat(ask("DELETE", "/t").status()).isEqualTo(204);
        assertThat(site.namespace.exists("/t")).isFalse();
    }

    // ---- COPY

    @Test
    void copiesAFileWithItsChecksum() throws IOException {
        byte[] content = new byte[1_300_000];
        new Random(5).nextBytes(content);
        site.namespace.file("/big", content);

        assertThat(relocate("COPY", "/big", "/t/copy").status()).isEqualTo(201);

        assertThat(site.namespace.bytes("/t/copy")).isEqualTo(content);
        assertThat(site.namespace.bytes("/big")).isEqualTo(content);
        assertThat(site.audited()).containsExactly("allowed COPY /big");
        DataServerTest.waitFor("the files are closed", () -> site.data.openFiles() == 0);
    }

    @Test
    void copiesOverAFileUnlessToldNotTo() throws IOException {
        assertThat(relocate("COPY", "/f", "/t/a", "Overwrite: F").status()).isEqualTo(412);
        assertThat(text("/t/a")).isEqualTo("aaa");

        assertThat(relocate("COPY", "/f", "/t/a").status()).isEqualTo(204);
        assertThat(text("/t/a")).isEqualTo("hello");
    }

    @Test
    void copiesATree() throws IOException {
        for (int i = 0; i < 600; i++) {
            file("/t/sub/n" + i, "n" + i);
        }

        assertThat(relocate("COPY", "/t/", "/copy/").status()).isEqualTo(201);

        assertThat(text("/copy/a")).isEqualTo("aaa");
        assertThat(text("/copy/sub/n599")).isEqualTo("n599");
        assertThat(site.namespace.exists("/copy/sub/deep")).isTrue();
        assertThat(text("/t/sub/b")).isEqualTo("bb");
    }

    @Test
    void copiesADirectoryAloneWithDepth0() throws IOException {
        assertThat(relocate("COPY", "/t", "/copy", "Depth: 0").status()).isEqualTo(201);

        assertThat(site.namespace.exists("/copy")).isTrue();
        assertThat(site.namespace.exists("/copy/a")).isFalse();
        assertThat(relocate("COPY", "/t", "/copy2", "Depth: 1").status()).isEqualTo(400);
    }

    @Test
    void replacesATreeByACopyAndMixesNothing() throws IOException {
        site.namespace.directory("/old");
        file("/old/left", "x");

        assertThat(relocate("COPY", "/t", "/old", "Overwrite: F").status()).isEqualTo(412);
        assertThat(relocate("COPY", "/t", "/old").status()).isEqualTo(204);
        assertThat(site.namespace.exists("/old/left")).isFalse();
        assertThat(text("/old/a")).isEqualTo("aaa");

        assertThat(relocate("COPY", "/f", "/old").status()).isEqualTo(204);
        assertThat(text("/old")).isEqualTo("hello");
        assertThat(relocate("COPY", "/t", "/old").status()).isEqualTo(204);
        assertThat(text("/old/sub/b")).isEqualTo("bb");
    }

    @Test
    void namesTheFileThatCouldNotBeCopied() throws IOException {
        site.data.failWrites(new FsError.NoSpace("no volume has room"));

        Raw.Answer tree = relocate("COPY", "/t", "/copy");
        Raw.Answer file = relocate("COPY", "/f", "/g");

        assertThat(tree.status()).isEqualTo(207);
        assertThat(tree.text()).contains("507 ").contains("<D:href>/t/");
        assertThat(file.status()).isEqualTo(507);
        assertThat(site.namespace.exists("/g")).isFalse();
        DataServerTest.waitFor("the files are closed", () -> site.data.openFiles() == 0);
    }

    @ParameterizedTest
    @CsvSource({
        "COPY, /no, /x, 404",
        "MOVE, /no, /x, 404",
        "COPY, /f, /no/x, 409",
        "MOVE, /f, /no/x, 409",
        "COPY, /t, /no/x, 409",
        "COPY, /f, /f, 403",
        "MOVE, /f, /f, 403",
        "COPY, /t, /t/sub/in, 403",
        "MOVE, /t, /t/sub/in, 403",
        "COPY, /t/sub, /t, 403",
        "MOVE, /t/sub/b, /t, 403",
    })
    void refusesWhatCannotBe(String method, String from, String to, int status) throws IOException {
        assertThat(relocate(method, from, to).status()).isEqualTo(status);
        assertThat(text("/t/sub/b")).isEqualTo("bb");
        assertThat(text("/f")).isEqualTo("hello");
    }

    @Test
    void refusesACopyToAnotherServer() throws IOException {
        Raw.Answer answer = ask("COPY", "/f", "Destination: http://elsewhere/x");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.text()).contains("elsewhere");
    }

    @Test
    void sendsACopyFromTheMgmToADoorThatKnowsItsName() throws IOException {
        Raw.Answer answer =
                Raw.ask(
                        site.manager,
                        "COPY /f HTTP/1.1\nHost: mgm:8080\nDestination: http://mgm:8080/g\n\n");
        String location = answer.header("Location");
        assertThat(answer.status()).isEqualTo(307);
        assertThat(location).startsWith(site.doorUrl("/f?"));

        Raw.Answer done =
                ask(
                        "COPY",
                        location.substring(site.doorUrl("").length()),
                        "Destination: http://mgm:8080/g");

        assertThat(done.status()).isEqualTo(201);
        assertThat(text("/g")).isEqualTo("hello");
        assertThat(
                        Raw.ask(
                                        site.manager,
                                        "COPY /no HTTP/1.1\nHost: h\nDestination: http://h/g\n\n")
                                .status())
                .isEqualTo(404);
    }

    // ---- MOVE

    @Test
    void movesOverADirectoryAndRemovesIt() throws IOException {
        site.namespace.directory("/old");
        file("/old/left", "x");

        assertThat(relocate("MOVE", "/t", "/old", "Overwrite: F").status()).isEqualTo(412);
        assertThat(relocate("MOVE", "/t", "/old").status()).isEqualTo(204);

        assertThat(text("/old/sub/b")).isEqualTo("bb");
        assertThat(site.namespace.exists("/old/left")).isFalse();
        assertThat(site.namespace.exists("/t")).isFalse();
        assertThat(site.namespace.names()).noneMatch(name -> name.contains(".replaced"));
    }

    @Test
    void movesAFileOverADirectoryAndADirectoryOverAFile() throws IOException {
        assertThat(relocate("MOVE", "/f", "/t").status()).isEqualTo(204);
        assertThat(text("/t")).isEqualTo("hello");

        site.namespace.directory("/d");
        assertThat(relocate("MOVE", "/d", "/t").status()).isEqualTo(204);
        assertThat(ask("PROPFIND", "/t", "Depth: 0").text()).contains("<D:collection/>");
    }

    @Test
    void leavesBothWhereTheyWereWhenAMoveOverADirectoryFails() throws IOException {
        site.namespace.directory("/old");
        file("/old/left", "x");
        site.namespace.protect("/t");

        Raw.Answer answer = relocate("MOVE", "/t", "/old");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(text("/old/left")).isEqualTo("x");
        assertThat(text("/t/a")).isEqualTo("aaa");
    }
}
