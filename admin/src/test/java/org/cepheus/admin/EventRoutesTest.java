package org.cepheus.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Identity;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.port.EventFeed;
import org.junit.jupiter.api.Test;

final class EventRoutesTest {
    private static final Identity ROOT = new Identity("root", List.of("root"), true);

    private final FakeFeed feed = new FakeFeed();
    private final RestApi api = new FakeCluster().api(ROOT, feed);

    /** Takes so many lines that begin with {@code event:}, and is gone then. */
    private static final class Listener extends OutputStream {
        private final ByteArrayOutputStream said = new ByteArrayOutputStream();
        private int left;

        Listener(int events) {
            this.left = events;
        }

        @Override
        public void write(int b) {
            throw new UnsupportedOperationException("only in blocks");
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            said.write(bytes, offset, length);
            var text = new String(bytes, offset, length, StandardCharsets.UTF_8);
            left -= text.startsWith("event:") ? 1 : 0;
            if (left <= 0) {
                throw new IOException("gone");
            }
        }

        String text() {
            return said.toString(StandardCharsets.UTF_8);
        }
    }

    @Test
    void beginsWithWhereItBegins() {
        String said = listen(1, Map.of(), Map.of());

        assertThat(said)
                .isEqualTo(
                        "event: hello\nid: 9\ndata: {\"after\":9,\"oldest\":9,\"newest\":9}\n\n");
    }

    @Test
    void putsTheIndexAtTheLastEventOfAnEntry() {
        feed.happen(
                FakeFeed.event(10, EventFeed.Type.CREATED, "/a"),
                FakeFeed.event(10, EventFeed.Type.COMMITTED, "/a/b"),
                FakeFeed.event(11, EventFeed.Type.REMOVED, "/a/b"));

        String said = listen(4, Map.of("after", List.of("9")), Map.of());

        assertThat(said.lines().filter(line -> !line.startsWith("data:") && !line.isEmpty()))
                .containsExactly(
                        "event: hello",
                        "id: 9",
                        "event: created",
                        "event: committed",
                        "id: 10",
                        "event: removed",
                        "id: 11");
        assertThat(said).contains("\"path\":\"/a/b\"").contains("\"sizeBytes\":7");
    }

    @Test
    void goesOnAfterTheLastEventThatWasSeen() {
        feed.happen(
                FakeFeed.event(10, EventFeed.Type.CREATED, "/a"),
                FakeFeed.event(11, EventFeed.Type.REMOVED, "/a"));

        String said = listen(2, Map.of(), Map.of("Last-Event-ID", "10"));

        assertThat(said).contains("event: removed").doesNotContain("event: created");
    }

    @Test
    void showsOnlyWhatIsBelowAPathAndOfATypeThatIsWanted() {
        feed.happen(
                FakeFeed.event(10, EventFeed.Type.CREATED, "/ab"),
                FakeFeed.event(11, EventFeed.Type.CREATED, "/a"),
                FakeFeed.event(12, EventFeed.Type.REMOVED, "/a/b"),
                FakeFeed.event(13, EventFeed.Type.CHANGED, "/a/b"));

        String said =
                listen(
                        3,
                        Map.of(
                                "after",
                                List.of("9"),
                                "path",
                                List.of("/a"),
                                "type",
                                List.of("created,removed")),
                        Map.of());

        assertThat(said.lines().filter(line -> line.startsWith("id:")))
                .containsExactly("id: 9", "id: 11", "id: 12");
    }

    @Test
    void refusesWhoAsksForWhatIsKeptNoMoreAndSaysWhatToDo() {
        feed.letGo(20);

        assertThatThrownBy(() -> listen(1, Map.of(), Map.of("Last-Event-ID", "12")))
                .isInstanceOfSatisfying(
                        EventRoutes.Gone.class,
                        gone -> {
                            assertThat(gone.problem().status()).isEqualTo(410);
                            assertThat(gone.problem().next()).contains("after 20");
                        });
    }

    @Test
    void cutsOffAListenerThatIsTooSlow() {
        var said = new ArrayList<String>();
        var slow =
                new OutputStream() {
                    @Override
                    public void write(int b) {
                        throw new UnsupportedOperationException("only in blocks");
                    }

                    @Override
                    public void write(byte[] bytes, int offset, int length) {
                        said.add(new String(bytes, offset, length, StandardCharsets.UTF_8));
                        feed.letGo(30); // While it takes one event, all others are let go.
                    }
                };

        stream(Map.of(), Map.of(), slow);

        assertThat(said.getLast())
                .startsWith("event: lost\ndata: ")
                .contains("events after log index 9 are kept no more")
                .contains("\"oldest\":30");
    }

    @Test
    void hasOnlySoManyListenersAndFreesTheirPlaces() {
        for (int i = 0; i < EventRoutes.MAX_LISTENERS; i++) {
            answer(Map.of(), Map.of());
        }
        assertThatThrownBy(() -> answer(Map.of(), Map.of()))
                .isInstanceOfSatisfying(
                        FsException.class,
                        e -> assertThat(e.error()).isInstanceOf(FsError.Overloaded.class));

        var other = new FakeCluster().api(ROOT, feed);
        for (int i = 0; i <= EventRoutes.MAX_LISTENERS; i++) {
            stream(other, Map.of(), Map.of(), new Listener(0));
        }
    }

    private String listen(
            int events, Map<String, List<String>> query, Map<String, String> headers) {
        var listener = new Listener(events);
        stream(query, headers, listener);
        return listener.text();
    }

    private void stream(
            Map<String, List<String>> query, Map<String, String> headers, OutputStream to) {
        stream(api, query, headers, to);
    }

    private static void stream(
            RestApi api,
            Map<String, List<String>> query,
            Map<String, String> headers,
            OutputStream to) {
        try {
            answer(api, query, headers).stream().orElseThrow().writeTo(to);
        } catch (IOException e) {
            assertThat(e).hasMessage("gone");
        }
    }

    private Answer answer(Map<String, List<String>> query, Map<String, String> headers) {
        return answer(api, query, headers);
    }

    private static Answer answer(
            RestApi api, Map<String, List<String>> query, Map<String, String> headers) {
        var caller = new Caller(ROOT, "127.0.0.1", TraceId.NONE);
        var found = new HashMap<>(headers);
        var request =
                new Route.Request(
                        new Query(query), "", caller, name -> Optional.ofNullable(found.get(name)));
        return api.answer("GET", "/api/v1/events", request).orElseThrow();
    }
}
