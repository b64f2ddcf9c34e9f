package org.cepheus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class EventsTest {
    private static final String STREAM =
            """
            : a comment

            event: hello
            data: {"index":16,"oldest":1}

            id: 17
            event: committed
            data: {"index":17,"time":"2026-11-21T12:00:00.5Z","type":"committed","path":"/a b","user":"anna",
            data: "client":"127.0.0.1","trace":"00ab","sizeBytes":2048,"details":{"fst":"1"}}

            id: 18
            event: removed
            data: {"index":18,"time":"2026-11-21T12:00:01Z","type":"removed","path":"/old","user":"root","client":"127.0.0.1","trace":"00ac","details":{}}

            """;

    private final Shell shell;

    EventsTest() throws IOException {
        shell = new Shell();
    }

    @BeforeEach
    void serve() {
        shell.server.answer("GET /api/v1/events", 200, STREAM);
    }

    @AfterEach
    void stop() throws IOException {
        shell.close();
    }

    @Test
    void printsWhatHappensOneLineEach() {
        assertThat(shell.run("events tail -n 2")).isEqualTo(ExitCode.OK);
        assertThat(shell.out())
                .isEqualTo(
                        """
                        2026-11-21T12:00:00Z         17  committed  anna       /a b  2.0 KiB  fst=1
                        2026-11-21T12:00:01Z         18  removed    root       /old
                        """);
    }

    @Test
    void printsEventsForScripts() {
        shell.run("events tail -n 1 --filter type=removed -m");

        assertThat(shell.out())
                .isEqualTo(
                        "index=18 time=1795262401.000000000 type=removed uid=root client=127.0.0.1 trace=00ac path=/old\n");
    }

    @Test
    void printsOneJsonDocumentALine() {
        shell.run("events tail -n 2 --json");

        assertThat(shell.out()).hasLineCount(2).startsWith("{\"index\":17,");
    }

    @Test
    void goesOnAfterABrokenConnectionWhereItWas() {
        shell.server.answer(
                "GET /api/v1/events?after=18",
                200,
                "id: 19\ndata: {\"index\":19,\"time\":\"2026-11-21T12:00:02Z\",\"type\":\"quota\",\"user\":\"root\"}\n\n");

        assertThat(shell.run("events tail -n 3 -m")).isEqualTo(ExitCode.OK);
        assertThat(shell.out()).hasLineCount(3).contains("index=19");
        assertThat(shell.err())
                .isEqualTo("cepheus: the connection ended; going on when it is back\n");
    }

    @Test
    void beginsWhereItIsTold() {
        shell.server.answer("GET /api/v1/events?after=3", 200, STREAM);

        assertThat(shell.run("events tail --from 3 -n 1")).isEqualTo(ExitCode.OK);
    }

    @Test
    void saysThatItWasTooSlow() {
        shell.server.answer("GET /api/v1/events", 200, "event: lost\ndata: {\"oldest\":100}\n\n");

        assertThat(shell.run("events tail")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(shell.err()).contains("too slow");
    }

    @Test
    void asksForOnePathOnly() {
        shell.server.answer("GET /api/v1/events?path=%2Fa%20b&type=removed", 200, STREAM);

        assertThat(shell.run("events", "tail", "/a b", "--type", "removed", "-n", "1"))
                .isEqualTo(ExitCode.OK);
    }

    @Test
    void endsWhenTheServerKeepsThemNoMore() {
        shell.server.answer(
                "GET /api/v1/events?after=3",
                410,
                "{\"detail\":\"events after log index 3 are kept no more\",\"next\":\"ask from 100\",\"trace\":\"00ab\"}");

        assertThat(shell.run("events tail --from 3")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(shell.err()).contains("kept no more").contains("ask from 100");
    }
}
