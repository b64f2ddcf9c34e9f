package org.cepheus.admin;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** One HTTP answer as data; a stream is written after the head and ends when its writer does. */
record Answer(
        int status,
        String type,
        String body,
        Map<String, String> headers,
        Optional<Writer> stream) {
    static final String JSON = "application/json";

    /** Writes a body of unknown length, blocking, on the thread of the request. */
    interface Writer {
        void writeTo(OutputStream out) throws IOException;
    }

    Answer(int status, String type, String body, Map<String, String> headers) {
        this(status, type, body, headers, Optional.empty());
    }

    static Answer json(JsonNode document) {
        return json(200, document);
    }

    static Answer json(int status, JsonNode document) {
        return new Answer(status, JSON, document.toString(), Map.of());
    }

    static Answer text(String type, String body) {
        return new Answer(200, type, body, Map.of());
    }

    static Answer streaming(String type, Writer writer) {
        return new Answer(200, type, "", Map.of(), Optional.of(writer));
    }

    static Answer done() {
        return new Answer(204, "", "", Map.of());
    }

    byte[] bytes() {
        return body.getBytes(StandardCharsets.UTF_8);
    }
}
