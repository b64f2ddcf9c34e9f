package org.cepheus.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.fuzz.Corpus;
import org.cepheus.domain.fuzz.StillSite;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that want no good, or are badly broken, or very slow. */
final class HostileClientTest {
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

    @Test
    void aThousandRequestsSentAheadAreAnswered() throws IOException {
        try (Raw raw = Raw.connect(site.manager)) {
            raw.say("HEAD /f HTTP/1.1\nHost:h\n\n".repeat(1000));

            for (int i = 0; i < 1000; i++) {
                assertThat(raw.answer(true).status()).as("answer %d", i).isEqualTo(200);
            }
        }
    }

    @Test
    void aHeadCannotBeDripped() throws IOException {
        String head = "GET /f HTTP/1.1\nHost: h\nX: " + "a".repeat(100);
        try (Raw raw = Raw.connect(site.manager)) {
            assertThat(raw.isClosedWhileDripping(head, 100)).isTrue();
        }
    }

    @Test
    void aFloodOfHeadersIsRefused() throws IOException {
        String flood = "X: y\n".repeat(10_000);

        assertThat(Raw.ask(site.manager, "GET /f HTTP/1.1\nHost: h\n" + flood + "\n").status())
                .isEqualTo(431);
    }

    @Test
    void whoTalksNonsenseFillsNoLog() throws IOException {
        for (int i = 0; i < 100; i++) {
            assertThat(Raw.ask(site.manager, "no such thing\n\n").status()).isEqualTo(400);
        }

        assertThat(site.faults).as("no line for each").hasSize(1);
        assertThat(site.faults.getFirst()).contains("it sent what is no HTTP");
    }

    @Test
    void withoutMemoryNewWorkIsPutOff() throws IOException {
        site.admission.refuses = true;

        for (String head : List.of("GET /f", "PROPFIND /", "PUT /g")) {
            Raw.Answer answer =
                    Raw.ask(site.fst, head + " HTTP/1.1\nHost: h\nDepth: 1\nContent-Length: 0\n\n");
            assertThat(answer.status()).as(head).isEqualTo(503);
            assertThat(answer.header("Retry-After")).isEqualTo("7");
        }
        assertThat(Raw.ask(site.fst, "HEAD /f HTTP/1.1\nHost: h\n\n").status()).isEqualTo(200);
        site.admission.refuses = false;
        assertThat(Raw.ask(site.fst, "GET /f HTTP/1.1\nHost: h\n\n").text()).isEqualTo("hello");
    }

    /** Each recorded session, cut after every byte (and within file data after some). */
    @Test
    void sessionsMayBreakOffAnywhere() throws IOException {
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        var still = new StillSite(new FstAddress(1, "127.0.0.1", 1, 1), StillSite::atOnce);
        try (HttpServer mgm =
                        StillServer.start(loops, new HttpRole.Manager(still, Optional::empty));
                HttpServer fst =
                        StillServer.start(
                                loops, new HttpRole.DataServer(still, still, 1, Optional::empty))) {
            for (Corpus.Capture capture :
                    Corpus.of(HostileClientTest.class, ".client").captures()) {
                HttpServer server = capture.name().contains("-mgm") ? mgm : fst;
                for (int end = 0; end < capture.bytes().length; end += end < 600 ? 1 : 997) {
                    try (Raw client = Raw.connect(server)) {
                        client.send(Arrays.copyOf(capture.bytes(), end)).endSending().drain();
                    }
                }
                assertThat(Raw.ask(server, "HEAD /a.txt HTTP/1.1\nHost: h\n\n").status())
                        .as(capture.name())
                        .isBetween(200, 399);
            }
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }
}
