package org.cepheus.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections: order, limits, and what is no HTTP. */
final class ConnectionTest {
    private Site site;

    @BeforeEach
    void start() throws IOException {
        site = Site.open(Duration.ofMillis(800), Duration.ofMillis(500));
        site.namespace.file("/f", "hello".getBytes(StandardCharsets.US_ASCII));
    }

    @AfterEach
    void stop() {
        site.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET /../etc/passwd HTTP/1.1 | 400",
                "GET /a/../f HTTP/1.1 | 400",
                "GET /%2e%2e/f HTTP/1.1 | 400",
                "GET /a%2f..%2ff HTTP/1.1 | 400",
                "GET /f%00 HTTP/1.1 | 400",
                "GET /f%0a HTTP/1.1 | 400",
                "GET /f%7f HTTP/1.1 | 400",
                "GET /f%zz HTTP/1.1 | 400",
                "GET /f% HTTP/1.1 | 400",
                "GET /f%c3 HTTP/1.1 | 400",
                "GET /f%c0%af HTTP/1.1 | 400",
                "GET /f#g HTTP/1.1 | 400",
                "GET f HTTP/1.1 | 400",
                "GET * HTTP/1.1 | 400",
                "GET /f HTTP/2.7 | 400",
                "GET /f | 400",
                "nonsense | 400",
                "HEAD http://h/f HTTP/1.1 | 200",
                "HEAD //.//f/ HTTP/1.1 | 200",
                "HEAD /%66 HTTP/1.1 | 200",
                "OPTIONS * HTTP/1.1 | 200",
            })
    void answersRequestLines(String line, int status) throws IOException {
        assertThat(Raw.ask(site.manager, line + "\nHost: h\n\n").status()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Host: h~Host: g | 400",
                "X: y | 400",
                "Host: h~Content-Length: 5~Content-Length: 6 | 400",
                "Host: h~Content-Length: -1 | 400",
                "Host: h~Content-Length: 99999999999999999999 | 400",
                "Host: h~Content-Length: 5~Transfer-Encoding: chunked | 400",
                "Host: h~Transfer-Encoding: gzip, chunked | 501",
                "Host: h~no colon | 400",
            })
    void refusesHeadersThatCanBeReadInTwoWays(String headers, int status) throws IOException {
        Raw.Answer answer =
                Raw.ask(site.manager, "HEAD /f HTTP/1.1\n" + headers.replace("~", "\n") + "\n\n");

        assertThat(answer.status()).isEqualTo(status);
    }

    @Test
    void knowsItsLimitsOfLengths() throws IOException {
        String name = "%C3%A4".repeat(127);
        String longName = "x".repeat(256);
        String longLine = "/" + "x".repeat(9000);
        String header = "\nHost: h\nX: " + "y".repeat(17_000) + "\n\n";

        assertThat(status("HEAD /" + name + " HTTP/1.1\nHost: h\n\n")).isEqualTo(404);
        assertThat(status("GET /" + longName + " HTTP/1.1\nHost: h\n\n")).isEqualTo(414);
        assertThat(status("GET " + longLine + " HTTP/1.1\nHost: h\n\n")).isEqualTo(414);
        assertThat(status("GET /f HTTP/1.1" + header)).isEqualTo(431);
    }

    private int status(String request) throws IOException {
        return Raw.ask(site.manager, request).status();
    }

    @Test
    void answersRequestsSentAheadInOrder() throws IOException {
        for (int i = 0; i < 50; i++) {
            site.namespace.file("/n" + i, new byte[i]);
        }
        try (Raw raw = Raw.connect(site.fst)) {
            var all = new StringBuilder();
            for (int i = 0; i < 50; i++) {
                all.append("GET /n").append(i).append(" HTTP/1.1\nHost: h\n\n");
            }
            raw.say(all.toString());

            for (int i = 0; i < 50; i++) {
                assertThat(raw.answer().bytes()).hasSize(i);
            }
        }
    }

    @Test
    void answersAfterAnError() throws IOException {
        try (Raw raw = Raw.connect(site.manager)) {
            raw.say("GET /no HTTP/1.1\nHost: h\n\n");
            assertThat(raw.answer().status()).isEqualTo(404);

            raw.say("HEAD /f HTTP/1.1\nHost: h\n\n");
            assertThat(raw.answer(true).status()).isEqualTo(200);
        }
    }

    @Test
    void closesWhenTheClientWantsIt() throws IOException {
        try (Raw raw = Raw.connect(site.manager)) {
            raw.say("HEAD /f HTTP/1.1\nHost: h\nConnection: close\n\n");

            assertThat(raw.answer(true).header("Connection")).isEqualTo("close");
            assertThat(raw.isClosed()).isTrue();
        }
    }

    @Test
    void closesOnAClientThatSendsItsHeadTooSlowly() throws IOException {
        try (Raw raw = Raw.connect(site.manager)) {
            raw.say("GET /f HTTP/1.1\nHost: h\n");

            assertThat(raw.isClosed()).isTrue();
        }
    }

    @Test
    void abortsAnUploadThatStandsStill() throws IOException {
        try (Raw raw = Raw.connect(site.fst)) {
            raw.say("PUT /new HTTP/1.1\nHost: h\nContent-Length: 100\n\nsome");

            assertThat(raw.isClosed()).isTrue();
        }
        DataServerTest.waitFor("the abort", () -> site.data.aborts().size() == 1);
    }

    @Test
    void givesUpAReaderThatTakesNothing() throws IOException {
        site.namespace.file("/big", new byte[30_000_000]);
        try (Raw raw = Raw.connect(site.fst)) {
            raw.say("GET /big HTTP/1.1\nHost: h\n\n");
            DataServerTest.waitFor("the file is open", () -> site.data.openFiles() == 1);

            DataServerTest.waitFor("the file is closed", () -> site.data.openFiles() == 0);
        }
    }

    @Test
    void answers503AboveTheLimitOfConnections() throws IOException {
        var open = new ArrayList<Raw>();
        for (int i = 0; i < 20; i++) {
            open.add(Raw.connect(site.manager));
        }
        DataServerTest.waitFor("20 connections", () -> site.manager.connections() == 20);

        try (Raw raw = Raw.connect(site.manager)) {
            Raw.Answer answer = raw.answer();

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("Retry-After")).isNotEmpty();
        }
        for (Raw each : open) {
            each.close();
        }
    }
}
