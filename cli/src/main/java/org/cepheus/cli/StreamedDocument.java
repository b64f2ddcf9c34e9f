package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/**
 * {@code {"path": ..., "entries": [...]}} written while the entries come, so that a script sees all
 * pages as one list and nobody holds them.
 */
final class StreamedDocument {
    private final PrintWriter out;
    private boolean isBegun;
    private boolean hasEntries;

    StreamedDocument(PrintWriter out) {
        this.out = out;
    }

    void add(String path, List<JsonNode> entries) {
        if (!isBegun) {
            out.println("{\"path\":" + StringNode.valueOf(path) + ",\"entries\":[");
            isBegun = true;
        }
        for (JsonNode entry : entries) {
            out.println((hasEntries ? "," : "") + entry);
            hasEntries = true;
        }
    }

    void end() {
        out.println("]}");
    }
}
