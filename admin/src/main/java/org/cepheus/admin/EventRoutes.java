package org.cepheus.admin;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.cepheus.domain.ErrorKind;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.port.EventFeed;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Live events as Server-Sent Events. The id of an event is its log index and stands at the last
 * event of an index only, so that a listener that comes back with it has had all of them. Nothing
 * is queued for a listener: each reads the feed, and one that is too slow for it is told so and cut
 * off.
 */
final class EventRoutes {
    /** The most listeners at once. */
    static final int MAX_LISTENERS = 32;

    private static final String TYPE = "text/event-stream";
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final int BEATS_BETWEEN_COMMENTS = 30;

    private final EventFeed feed;
    private final Semaphore places = new Semaphore(MAX_LISTENERS);
    private volatile boolean closing;

    EventRoutes(EventFeed feed) {
        this.feed = feed;
    }

    List<Route> routes() {
        return List.of(Route.of("GET", "/events", this::listen, "after", "path", "type"));
    }

    /** Ends every stream, within half a second. */
    void close() {
        closing = true;
    }

    /** What one listener wants. */
    private record Wish(long after, Optional<FsPath> below, Set<EventFeed.Type> types) {
        boolean isFor(EventFeed.Event event) {
            return types.contains(event.type())
                    && (below.isEmpty() || isBelow(event.path(), below.get().value()));
        }

        private static boolean isBelow(String path, String top) {
            return top.equals("/") || path.equals(top) || path.startsWith(top + "/");
        }
    }

    private Answer listen(Route.Request request) {
        Rights.requireOperator(request);
        Wish wish = wish(request);
        long oldest = feed.oldest();
        if (wish.after() < oldest) {
            throw new Gone(new EventFeed.Lost(wish.after(), oldest));
        }
        if (!places.tryAcquire()) {
            throw new FsException(
                    new FsError.Overloaded(
                            "%d listen already, which is the limit".formatted(MAX_LISTENERS), 30));
        }
        return Answer.streaming(TYPE, out -> stream(wish, out));
    }

    /** The refusal of a listener that comes too late; HTTP alone knows this one. */
    static final class Gone extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final long oldest;

        Gone(EventFeed.Lost lost) {
            super(lost.getMessage());
            this.oldest = lost.oldest();
        }

        Problem problem() {
            return Problem.of(410, "NotFound", String.valueOf(getMessage()), advice(oldest));
        }
    }

    private static String advice(long oldest) {
        return "read anew what you need, then listen without Last-Event-ID, or after %d"
                .formatted(oldest);
    }

    private Wish wish(Route.Request request) {
        Query query = request.query();
        Optional<String> after =
                query.has("after")
                        ? Optional.of(query.required("after"))
                        : request.headers().apply("Last-Event-ID");
        return new Wish(
                after.map(EventRoutes::index).orElseGet(feed::newest),
                query.has("path") ? Optional.of(query.path()) : Optional.empty(),
                types(query.text("type")));
    }

    private static long index(String text) {
        try {
            long index = Long.parseLong(text.strip());
            Order.require(index >= -1, "a log index is -1 or more, is '%s'".formatted(text));
            return index;
        } catch (NumberFormatException e) {
            throw Order.refusal(
                    "'after' and 'Last-Event-ID' are the log index of an event, not '%s'"
                            .formatted(text));
        }
    }

    private static Set<EventFeed.Type> types(String words) {
        if (words.isEmpty()) {
            return Set.of(EventFeed.Type.values());
        }
        var types = new HashSet<EventFeed.Type>();
        for (String word : words.split(",", -1)) {
            types.add(
                    Arrays.stream(EventFeed.Type.values())
                            .filter(type -> type.word().equals(word))
                            .findFirst()
                            .orElseThrow(() ->
                                    Order.refusal("'%s' is no type of event".formatted(word))));
        }
        return types;
    }

    private void stream(Wish wish, OutputStream out) throws IOException {
        try {
            write(out, "hello", Optional.of(wish.after()), hello(wish.after()));
            follow(wish, out);
        } catch (EventFeed.Lost lost) {
            write(out, "lost", Optional.empty(), lost(lost));
        } catch (FsException e) {
            write(out, "error", Optional.empty(), error(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            places.release();
        }
    }

    private void follow(Wish wish, OutputStream out)
            throws IOException, EventFeed.Lost, InterruptedException {
        long after = wish.after();
        int quiet = 0;
        while (!closing) {
            EventFeed.Batch batch = feed.after(after, PATIENCE);
            List<EventFeed.Event> events = batch.events().stream().filter(wish::isFor).toList();
            for (int i = 0; i < events.size(); i++) {
                long index = events.get(i).index();
                boolean last = i + 1 == events.size() || events.get(i + 1).index() != index;
                write(
                        out,
                        events.get(i).type().word(),
                        last ? Optional.of(index) : Optional.empty(),
                        Documents.event(events.get(i)));
            }
            after = batch.upTo();
            quiet = events.isEmpty() ? quiet + 1 : 0;
            if (quiet == BEATS_BETWEEN_COMMENTS) {
                // Shows both sides that the other is there. The id moves on where nothing is seen.
                say(out, ": nothing new\nid: " + after + "\n\n");
                quiet = 0;
            }
        }
    }

    private ObjectNode hello(long after) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("after", after)
                .put("oldest", feed.oldest())
                .put("newest", feed.newest());
    }

    private static ObjectNode lost(EventFeed.Lost lost) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("code", "NotFound")
                .put("detail", String.valueOf(lost.getMessage()))
                .put("next", advice(lost.oldest()))
                .put("oldest", lost.oldest());
    }

    private static ObjectNode error(FsException e) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("code", ErrorKind.of(e.error()).word())
                .put("detail", e.error().message())
                .put("next", "listen again after the last id");
    }

    private static void write(OutputStream out, String type, Optional<Long> id, ObjectNode data)
            throws IOException {
        String head = id.map(index -> "id: " + index + "\n").orElse("");
        say(out, "event: %s\n%sdata: %s\n\n".formatted(type, head, data));
    }

    private static void say(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
