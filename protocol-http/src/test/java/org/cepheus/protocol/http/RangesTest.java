package org.cepheus.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.StringJoiner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several ranges in one request (RFC 9110 section 14). */
final class RangesTest {
    private static final int SIZE = 2_000_000;

    private final byte[] content = new byte[SIZE];
    private Site site;

    @BeforeEach
    void start() throws IOException {
        site = Site.open();
        new Random(11).nextBytes(content);
        site.namespace.file("/f", content);
    }

    @AfterEach
    void stop() {
        site.close();
    }

    private Raw.Answer get(String ranges) throws IOException {
        return Raw.ask(site.fst, "GET /f HTTP/1.1\nHost: h\nRange: bytes=" + ranges + "\n\n");
    }

    private byte[] expected(String boundary, int... offsetsAndLengths) {
        var all = new ByteArrayOutputStream();
        for (int i = 0; i < offsetsAndLengths.length; i += 2) {
            int offset = offsetsAndLengths[i];
            int length = offsetsAndLengths[i + 1];
            all.writeBytes(
                    """
                    \r
                    --%s\r
                    Content-Type: application/octet-stream\r
                    Content-Range: bytes %d-%d/%d\r
                    \r
                    """
                            .formatted(boundary, offset, offset + length - 1, SIZE)
                            .getBytes(StandardCharsets.US_ASCII));
            all.write(content, offset, length);
        }
        all.writeBytes("\r\n--%s--\r\n".formatted(boundary).getBytes(StandardCharsets.US_ASCII));
        return all.toByteArray();
    }

    @Test
    void sendsThePartsInTheOrderOfTheRequest() throws IOException {
        Raw.Answer answer = get("1000-1099, 0-0,-5,600000-1599999, 3000000-");

        assertThat(answer.status()).isEqualTo(206);
        assertThat(answer.header("Content-Range")).isEmpty();
        assertThat(answer.header("Content-Type")).startsWith("multipart/byteranges; boundary=");
        String boundary = answer.header("Content-Type").split("boundary=", 2)[1];
        assertThat(answer.bytes())
                .isEqualTo(expected(boundary, 1000, 100, 0, 1, SIZE - 5, 5, 600_000, 1_000_000));
        DataServerTest.waitFor("the file is closed", () -> site.data.openFiles() == 0);
    }

    @Test
    void saysBeforehandHowLongAllPartsAre() throws IOException {
        try (Raw raw = Raw.connect(site.fst)) {
            raw.say("HEAD /f HTTP/1.1\nHost: h\nRange: bytes=0-9\n\n").answer(true);
            Raw.Answer parts =
                    raw.say("GET /f HTTP/1.1\nHost: h\nRange: bytes=0-9,20-29\n\n").answer();
            Raw.Answer next = raw.say("GET /f HTTP/1.1\nHost: h\n\n").answer();

            assertThat(parts.header("Content-Length"))
                    .isEqualTo(Integer.toString(parts.bytes().length));
            assertThat(next.bytes()).isEqualTo(content);
        }
    }

    @Test
    void sendsOnePartPlainlyWhenTheOthersLieBehindTheFile() throws IOException {
        Raw.Answer answer = get("5000000-, 7-8, 2000000-2000001");

        assertThat(answer.status()).isEqualTo(206);
        assertThat(answer.header("Content-Range")).isEqualTo("bytes 7-8/2000000");
        assertThat(answer.bytes()).containsExactly(content[7], content[8]);
    }

    @Test
    void servesAsManyRangesAsRootAndDavixSend() throws IOException {
        var ranges = new StringJoiner(",");
        for (int i = 0; i < 800; i++) {
            ranges.add(i * 100 + "-" + (i * 100 + 9));
        }

        Raw.Answer answer = get(ranges.toString());

        assertThat(answer.status()).isEqualTo(206);
        assertThat(answer.body().split("Content-Range: bytes ", -1)).hasSize(801);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0-,0-,0-,0-", "0-99,50-149,100-199,150-249", "-1,-1,-1,-1"})
    void refusesAFloodOfOverlaps(String ranges) throws IOException {
        Raw.Answer answer = get(ranges);

        assertThat(answer.status()).isEqualTo(416);
        assertThat(answer.text()).contains("overlap");
        assertThat(answer.header("Content-Range")).isEqualTo("bytes */2000000");
    }

    @Test
    void refusesMoreRangesThanTheLimit() throws IOException {
        var ranges = new StringJoiner(",");
        for (int i = 0; i <= RangeSet.MAX_PARTS; i++) {
            ranges.add(i * 2 + "-" + i * 2);
        }

        Raw.Answer answer = get(ranges.toString());

        assertThat(answer.status()).isEqualTo(416);
        assertThat(answer.text()).contains("1024");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0-1,x", "0-1,9-3", "0-1,-", "1-2 3-4", "0-1,2-99999999999999999999"})
    void sendsTheWholeFileWhenOneRangeCannotBeRead(String ranges) throws IOException {
        assertThat(get(ranges).status()).isEqualTo(200);
    }

    @Test
    void refusesAPartOfAFileAsAnUpload() throws IOException {
        Raw.Answer answer =
                Raw.ask(
                        site.fst,
                        "PUT /f HTTP/1.1\nHost: h\nContent-Length: 2\nContent-Range: bytes 2-3/4\n\nhi");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains("Content-Range");
        assertThat(site.namespace.bytes("/f")).isEqualTo(content);
    }
}
