package org.cepheus.admin;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** One HTTP answer as data. */
record Answer(int status, String type, String body, Map<String, String> headers) {
    static final String JSON = "application/json";

    static Answer json(int status, JsonNode document) {
        return new Answer(status, JSON, document.toString(), Map.of());
    }

    static Answer text(String type, String body) {
        return new Answer(200, type, body, Map.of());
    }

    static Answer done() {
        return new Answer(204, "", "", Map.of());
    }

    byte[] bytes() {
        return body.getBytes(StandardCharsets.UTF_8);
    }
}
