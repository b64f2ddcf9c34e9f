package org.cepheus.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditional requests (RFC 9110 section 13), byte by byte, at an MGM and at a door. */
final class PreconditionsTest {
    /** When every file of the fake was changed. */
    private static final String THEN = "Fri, 20 Nov 2026 12:00:00 GMT";

    private static final String BEFORE = "Fri, 20 Nov 2026 11:59:59 GMT";

    private Site site;

    @BeforeEach
    void start() throws IOException {
        site = Site.open();
        site.namespace.directory("/d");
        site.namespace.file("/d/f", "hello".getBytes(StandardCharsets.US_ASCII));
    }

    @AfterEach
    void stop() {
        site.close();
    }

    private Raw.Answer door(String head) throws IOException {
        return Raw.ask(site.fst, head + "\nHost: h\n\n");
    }

    private Raw.Answer manager(String head) throws IOException {
        return Raw.ask(site.manager, head + "\nHost: h\n\n");
    }

    private Raw.Answer put(String path, String condition) throws IOException {
        return Raw.ask(
                site.fst,
                "PUT %s HTTP/1.1\nHost: h\nContent-Length: 2\n%s\n\nhi".formatted(path, condition));
    }

    private String tag() throws IOException {
        return manager("HEAD /d/f HTTP/1.1").header("ETag");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "If-Match: TAG; 200",
                "If-Match: *; 200",
                "If-Match: \"a,b\", TAG; 200",
                "If-Match: \"other\"; 412",
                "If-Match: W/TAG; 412",
                "If-None-Match: TAG; 304",
                "If-None-Match: W/TAG; 304",
                "If-None-Match: \"x\" , TAG; 304",
                "If-None-Match: *; 304",
                "If-None-Match: \"other\"; 200",
                "If-Modified-Since: THEN; 304",
                "If-Modified-Since: BEFORE; 200",
                "If-Modified-Since: yesterday; 200",
                "If-Unmodified-Since: THEN; 200",
                "If-Unmodified-Since: BEFORE; 412",
            })
    void answersGetAndHeadAsTheirConditionsSay(String condition, int status) throws IOException {
        String header =
                condition.replace("TAG", tag()).replace("THEN", THEN).replace("BEFORE", BEFORE);

        assertThat(door("GET /d/f HTTP/1.1\n" + header).status()).isEqualTo(status);
        assertThat(manager("HEAD /d/f HTTP/1.1\n" + header).status()).isEqualTo(status);
        DataServerTest.waitFor("the file is closed", () -> site.data.openFiles() == 0);
    }

    @Test
    void looksAtDatesOnlyWhenNoTagsWereSent() throws IOException {
        String newer = "If-None-Match: \"other\"\nIf-Modified-Since: " + THEN;
        String same = "If-Match: " + tag() + "\nIf-Unmodified-Since: " + BEFORE;

        assertThat(door("GET /d/f HTTP/1.1\n" + newer).status()).isEqualTo(200);
        assertThat(door("GET /d/f HTTP/1.1\n" + same).status()).isEqualTo(200);
    }

    @Test
    void describesWhatIsUnchanged() throws IOException {
        Raw.Answer answer = door("GET /d/f HTTP/1.1\nIf-None-Match: " + tag());

        assertThat(answer.header("ETag")).isEqualTo(tag());
        assertThat(answer.header("Last-Modified")).isEqualTo(THEN);
        assertThat(answer.header("Content-Length")).isEmpty();
    }

    @Test
    void saysWhetherAFileIsNewOrReplaced() throws IOException {
        assertThat(put("/d/new", "X-Nothing: 1").status()).isEqualTo(201);
        Raw.Answer again = put("/d/new", "X-Nothing: 1");

        assertThat(again.status()).isEqualTo(204);
        assertThat(again.header("ETag")).isEqualTo(door("HEAD /d/new HTTP/1.1").header("ETag"));
    }

    @Test
    void replacesOnlyWhatTheClientKnows() throws IOException {
        String tag = tag();

        assertThat(put("/d/f", "If-Match: \"old\"").status()).isEqualTo(412);
        assertThat(put("/d/f", "If-Match: " + tag).status()).isEqualTo(204);
        assertThat(put("/d/f", "If-Match: " + tag).status()).isEqualTo(412);
        assertThat(put("/d/none", "If-Match: *").status()).isEqualTo(412);
        assertThat(put("/d/f", "If-None-Match: *").status()).isEqualTo(412);
        assertThat(put("/d/f", "If-Unmodified-Since: " + BEFORE).status()).isEqualTo(412);
        assertThat(put("/d/none", "If-None-Match: *").status()).isEqualTo(201);
        assertThat(new String(site.namespace.bytes("/d/f"), StandardCharsets.US_ASCII))
                .isEqualTo("hi");
    }

    @Test
    void changesNothingThatSomebodyElseHasReplacedMeanwhile() throws IOException {
        String properties =
                "<propertyupdate xmlns='DAV:'><set><prop><a xmlns='urn:x'>b</a></prop></set></propertyupdate>";
        for (String request :
                List.of(
                        "DELETE /d/f HTTP/1.1\nIf-Match: TAG\nHost: h\n\n",
                        "PROPPATCH /d/f HTTP/1.1\nContent-Length: %d\nIf-Match: TAG\nHost: h\n\n%s"
                                .formatted(properties.length(), properties),
                        "MOVE /d/f HTTP/1.1\nDestination: /d/g\nIf-Match: TAG\nHost: h\n\n")) {
            String known = request.replace("TAG", tag());
            byte[] others = "others".getBytes(StandardCharsets.US_ASCII);
            site.namespace.replaceBeforeTheNextChange("/d/f", others);

            assertThat(Raw.ask(site.fst, known).status()).as(request).isEqualTo(412);
            assertThat(site.namespace.bytes("/d/f")).isEqualTo(others);
            assertThat(site.namespace.exists("/d/g")).isFalse();
            assertThat(Raw.ask(site.fst, request.replace("TAG", tag())).status())
                    .as(request)
                    .isIn(201, 204, 207);
            site.namespace.file("/d/f", others);
        }
    }

    @Test
    void redirectsAnUploadOnlyWhenItsConditionHolds() throws IOException {
        String head = "PUT /d/f HTTP/1.1\nHost: h\nContent-Length: 2\nExpect: 100-continue\n";

        assertThat(Raw.ask(site.manager, head + "If-Match: " + tag() + "\n\n").status())
                .isEqualTo(307);
        Raw.Answer refused = Raw.ask(site.manager, head + "If-Match: \"old\"\n\n");
        assertThat(refused.status()).isEqualTo(412);
        assertThat(refused.text()).contains("/d/f");
    }

    @Test
    void changesNothingWhenTheConditionFails() throws IOException {
        assertThat(door("DELETE /d/f HTTP/1.1\nIf-Match: \"old\"").status()).isEqualTo(412);
        assertThat(door("MOVE /d/f HTTP/1.1\nDestination: /d/g\nIf-None-Match: " + tag()).status())
                .isEqualTo(412);
        assertThat(site.namespace.exists("/d/f")).isTrue();

        assertThat(door("DELETE /d/f HTTP/1.1\nIf-Match: " + tag()).status()).isEqualTo(204);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "([TAG]); 204",
                "([\"other\"]) ([TAG]); 204",
                "(Not [\"other\"]); 204",
                "</d/f> ([TAG]); 204",
                "<http://h/d/f> ([TAG]); 204",
                "(<opaquelocktoken:x>) (Not <DAV:no-lock>); 204",
                "([\"other\"]); 412",
                "([TAG] Not [TAG]); 412",
                "(<opaquelocktoken:x>); 412",
                "</d/other> ([TAG]); 412",
                "([TAG]; 400",
                "nonsense; 400",
            })
    void deletesAsTheIfHeaderSays(String header, int status) throws IOException {
        String tag = tag();
        assertThat(door("DELETE /d/f HTTP/1.1\nIf: " + header.replace("TAG", tag)).status())
                .isEqualTo(status);
    }

    @Test
    void servesARangeByTheDateTheClientKnows() throws IOException {
        String get = "GET /d/f HTTP/1.1\nRange: bytes=0-1\nIf-Range: ";

        assertThat(door(get + THEN).status()).isEqualTo(206);
        assertThat(door(get + BEFORE).status()).isEqualTo(200);
        assertThat(door(get + "W/" + tag()).status()).isEqualTo(200);
    }
}
