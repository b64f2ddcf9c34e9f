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

    /** A member that is silent for longer is told as offline. */
    private static final long SILENT_MILLIS = 10_000;

    private NodeColumns() {}

    static Cell hostport(JsonNode fst) {
        return Cell.text(
                "%s:%d".formatted(fst.path("host").asString(), fst.path("xrootdPort").asInt()));
    }

    /** Of an MGM: nothing where the member that was asked cannot know. */
    static Cell memberStatus(JsonNode member) {
        if (!member.has("silentMillis") && !member.has("lagEntries")) {
            return Cell.NONE;
        }
        return Column.state(
                member.path("silentMillis").asLong() > SILENT_MILLIS ? "offline" : "online");
    }

    static Cell status(JsonNode fst) {
        return Column.state(fst.path("alive").asBoolean() ? "online" : "offline");
    }
}
