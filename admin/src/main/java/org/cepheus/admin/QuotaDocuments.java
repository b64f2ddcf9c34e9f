package org.cepheus.admin;

import java.util.Locale;
import java.util.OptionalLong;
import org.cepheus.domain.port.QuotaCheck;
import org.cepheus.domain.port.QuotaReport;
import org.cepheus.domain.port.QuotaReport.NodeState;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The JSON of quotas; a limit that is none is left out. */
final class QuotaDocuments {
    private QuotaDocuments() {}

    static ObjectNode quota(QuotaReport row) {
        ObjectNode node =
                object().put("path", row.node().value())
                        .put("kind", row.kind().word())
                        .put("principal", row.principal());
        putIfPresent(node, "limitBytes", row.limitBytes());
        putIfPresent(node, "limitFiles", row.limitFiles());
        putIfPresent(node, "softBytes", row.softBytes());
        putIfPresent(node, "softFiles", row.softFiles());
        node.put("usedBytes", row.usedBytes())
                .put("usedFiles", row.usedFiles())
                .put("reservedBytes", row.reservedBytes())
                .put("reservedFiles", row.reservedFiles())
                .put("isDefault", row.isDefault())
                .put("byDefault", row.byDefault())
                .put("level", word(row.level()))
                .put("levelBytes", word(row.levelOfBytes()))
                .put("levelFiles", word(row.levelOfFiles()));
        switch (row.state()) {
            case NodeState.Active _ -> node.put("state", "active");
            case NodeState.Counting counting ->
                    node.put("state", "counting")
                            .put("countingSince", counting.since().toString())
                            .put("countedEntries", counting.seenEntries())
                            .put("expectedEntries", counting.mostEntries());
        }
        return node;
    }

    static ObjectNode check(QuotaCheck check) {
        ObjectNode node =
                object().put("state", word(check.state()))
                        .put("id", check.id())
                        .put("index", check.index())
                        .put("started", check.started().toString())
                        .put("deadline", check.deadline().toString())
                        .put("tookMillis", check.took().toMillis())
                        .put("seenEntries", check.seenEntries())
                        .put("expectedEntries", check.expectedEntries())
                        .put("nodes", check.nodes())
                        .put("rows", check.rows())
                        .put("differences", check.differences());
        ArrayNode examples = node.putArray("examples");
        for (QuotaCheck.Difference each : check.examples()) {
            ObjectNode row =
                    object().put("path", each.node().value())
                            .put("kind", each.kind().word())
                            .put("principal", each.principal());
            row.set("counter", use(each.counter()));
            row.set("recounted", use(each.recounted()));
            examples.add(row);
        }
        ArrayNode counting = node.putArray("counting");
        check.counting().forEach(path -> counting.add(path.value()));
        return node.put("message", check.message());
    }

    private static ObjectNode use(QuotaCheck.Use use) {
        return object().put("usedBytes", use.usedBytes())
                .put("usedFiles", use.usedFiles())
                .put("reservedBytes", use.reservedBytes())
                .put("reservedFiles", use.reservedFiles());
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static void putIfPresent(ObjectNode node, String name, OptionalLong value) {
        if (value.isPresent()) {
            node.put(name, value.getAsLong());
        }
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
