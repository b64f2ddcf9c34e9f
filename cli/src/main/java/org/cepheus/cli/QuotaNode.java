package org.cepheus.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A directory as a quota node, by the rows that the server has of it. */
final class QuotaNode {
    private static final String QUOTAS = "/api/v1/quotas";
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final AdminClient client;
    private final String path;

    /** Asks nothing yet. */
    QuotaNode(AdminClient client, String path) {
        this.client = client;
        this.path = path.length() > 1 ? path.replaceFirst("/+$", "") : path;
    }

    /** What the server says now; empty if the directory is no quota node. */
    List<JsonNode> rows() {
        // A star in a filter stands for anything, so the answer may have more.
        String filter = path.contains("*") ? "" : "?filter=" + AdminClient.encoded("path=" + path);
        return client.all(QUOTAS + filter, "quotas").path("quotas").values().stream()
                .filter(row -> row.path("path").asString().equals(path))
                .toList();
    }

    /** True while what lay below when the first limit came is being counted. */
    static boolean isCounting(List<JsonNode> rows) {
        return rows.stream().anyMatch(row -> row.path("state").asString().equals("counting"));
    }

    static boolean hasLimit(JsonNode row) {
        return Stream.of("limitBytes", "limitFiles", "softBytes", "softFiles").anyMatch(row::has);
    }

    /** Waits until the count is done, with progress; answers the rows after it. */
    List<JsonNode> awaitCount(PrintWriter err, Terminal terminal) throws InterruptedException {
        try (var progress = new Progress("counting " + path, "entries", err, terminal)) {
            List<JsonNode> rows = rows();
            while (isCounting(rows)) {
                JsonNode row = rows.getFirst();
                progress.at(
                        row.path("countedEntries").asLong(),
                        OptionalLong.of(row.path("expectedEntries").asLong()));
                terminal.time().pause(PAUSE);
                rows = rows();
            }
            return rows;
        }
    }
}
