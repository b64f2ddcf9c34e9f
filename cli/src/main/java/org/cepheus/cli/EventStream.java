package org.cepheus.cli;

import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Server-sent events of the REST API. The last event of a log entry carries its index as id; after
 * a broken connection the next one begins there, so that nothing is missing, and an entry that was
 * cut short comes again.
 */
final class EventStream {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final List<String> query;
    private final PrintWriter err;
    private final Terminal.Time time;
    private final JsonMapper json = new JsonMapper();
    private OptionalLong after;
    private boolean isAway;

    /**
     * A stream that has not begun.
     *
     * @param query what is asked for besides, each {@code name=value} and encoded
     * @param after the first events are those after this index; empty for what happens next
     */
    EventStream(List<String> query, OptionalLong after, PrintWriter err, Terminal.Time time) {
        this.query = List.copyOf(query);
        this.after = after;
        this.err = err;
        this.time = time;
    }

    /**
     * Hands on each event until {@code sink} says false.
     *
     * @throws CommandFailure if the server refuses, or does not keep what comes next any more
     */
    void read(AdminClient client, Predicate<JsonNode> sink) throws InterruptedException {
        while (true) {
            try {
                if (!readOnce(client, sink)) {
                    return;
                }
                tellOnce("the connection ended");
            } catch (CommandFailure e) {
                if (e.exitCode() != ExitCode.UNAVAILABLE) {
                    throw e;
                }
                tellOnce(String.valueOf(e.getMessage()));
            }
            time.pause(PATIENCE);
        }
    }

    private void tellOnce(String why) {
        if (!isAway) {
            err.println("cepheus: %s; going on when it is back".formatted(why));
            err.flush();
            isAway = true;
        }
    }

    private boolean readOnce(AdminClient client, Predicate<JsonNode> sink) {
        var asked = new ArrayList<>(query);
        after.ifPresent(index -> asked.add("after=" + index));
        String target = "/api/v1/events" + (asked.isEmpty() ? "" : "?" + String.join("&", asked));
        try (Stream<String> lines = client.lines(target)) {
            var data = new StringBuilder();
            String name = "";
            String id = "";
            for (Iterator<String> each = lines.iterator(); each.hasNext(); ) {
                String line = each.next();
                isAway = false;
                if (line.startsWith("data:")) {
                    data.append(line.substring("data:".length()).strip());
                } else if (line.startsWith("id:")) {
                    id = line.substring("id:".length()).strip();
                } else if (line.startsWith("event:")) {
                    name = line.substring("event:".length()).strip();
                } else if (line.isEmpty()) {
                    if (!data.isEmpty() && !take(name, data.toString(), sink)) {
                        return false;
                    }
                    note(id);
                    data.setLength(0);
                    name = "";
                    id = "";
                }
            }
            return true;
        } catch (UncheckedIOException e) {
            return true;
        }
    }

    /** Whether to go on. "hello" begins a stream and "lost" ends one; neither happened. */
    private boolean take(String name, String data, Predicate<JsonNode> sink) {
        return switch (name) {
            case "hello" -> true;
            case "lost" ->
                    throw new CommandFailure(
                            ExitCode.NOT_FOUND,
                            "this listener was too slow and events were lost: "
                                    + Table.printable(data));
            default -> sink.test(document(data));
        };
    }

    private void note(String id) {
        if (id.matches("[0-9]{1,18}")) {
            after = OptionalLong.of(Long.parseLong(id));
        }
    }

    private JsonNode document(String data) {
        try {
            return json.readTree(data);
        } catch (JacksonException e) {
            throw new CommandFailure(
                    ExitCode.FAILED, "an event is no JSON: " + Table.printable(data));
        }
    }
}
