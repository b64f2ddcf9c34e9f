package org.cepheus.cli;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** What a row about an FST shows. */
final class NodeColumns {
    static final List<Column> OF_STATUS =
            List.of(
                    Column.constant("type", "nodesview"),
                    Column.number("fst", "id", "id"),
                    Column.of("hostport", "hostport", NodeColumns::hostport),
                    Column.number("http", "http", "httpPort"),
                    Column.of("status", "status", NodeColumns::status),
                    Column.number("streams", "streams", "streams"),
                    Column.time("heartbeat", "heartbeat", "lastSeen"));

    private NodeColumns() {}

    static Cell hostport(JsonNode fst) {
        return Cell.text(
                "%s:%d".formatted(fst.path("host").asString(), fst.path("xrootdPort").asInt()));
    }

    static Cell status(JsonNode fst) {
        return Column.state(fst.path("alive").asBoolean() ? "online" : "offline");
    }
}
