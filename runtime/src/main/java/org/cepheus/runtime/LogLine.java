package org.cepheus.runtime;

import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * One line of a log, for whoever collects logs by machine.
 *
 * @param pairs what the line is about beside its message, such as {@code trace}
 * @param exception with its stack and causes
 */
public record LogLine(
        Instant time,
        String level,
        String logger,
        String thread,
        String message,
        Map<String, String> pairs,
        Optional<String> exception) {
    private static final JsonFactory JSON = new JsonFactory();

    /** With milliseconds always, so that the text sorts as the time does. */
    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

    /** Keeps the pairs. */
    public LogLine {
        pairs = Map.copyOf(pairs);
    }

    /**
     * A JSON object and the end of its line, in UTF-8: {@code time}, {@code level}, {@code logger},
     * {@code thread}, {@code message}, the pairs by their names, and {@code exception} if there is
     * one.
     */
    public byte[] toJson() {
        var line = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), line)) {
            json.writeStartObject();
            json.writeStringProperty("time", TIME.format(time));
            json.writeStringProperty("level", level);
            json.writeStringProperty("logger", logger);
            json.writeStringProperty("thread", thread);
            json.writeStringProperty("message", message);
            new TreeMap<>(pairs).forEach(json::writeStringProperty);
            exception.ifPresent(text -> json.writeStringProperty("exception", text));
            json.writeEndObject();
        }
        line.write('\n');
        return line.toByteArray();
    }
}
