package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A rename that also takes a large directory across quota nodes: as a quota node of its own, which
 * it is only for that, the directory moves with its sums (docs/adr/0011). An attribute of the
 * directory notes for whom it became one, so that the same command goes on after an end in between,
 * and takes away nobody else's node.
 */
final class CountedMove {
    /**
     * The attribute of a directory that is a quota node for its rename; its value is the source.
     */
    static final String NOTE = "sys.cepheus.mv";

    private static final String NAMESPACE = "/api/v1/namespace";
    private static final String ATTRIBUTES = NAMESPACE + "/attributes";
    private static final String QUOTAS = "/api/v1/quotas";
    private static final String NEEDS_COUNT = "CrossDevice";

    private final AdminClient client;
    private final String source;
    private final String target;
    private final Runnable rename;
    private final PrintWriter err;
    private final Terminal terminal;

    /** Does nothing yet; {@code rename} asks the server for it once. */
    CountedMove(
            AdminClient client,
            String source,
            String target,
            Runnable rename,
            PrintWriter err,
            Terminal terminal) {
        this.client = client;
        this.source = source;
        this.target = target;
        this.rename = rename;
        this.err = err;
        this.terminal = terminal;
    }

    /**
     * Renames, at once if it can be.
     *
     * @throws CommandFailure the server's refusal; nothing of ours is left then, unless nobody
     *     answered
     */
    void run() throws InterruptedException {
        try {
            rename.run();
        } catch (CommandFailure refusal) {
            if (refusal.code().equals(NEEDS_COUNT)) {
                countAndRename(refusal);
            } else if (!isDone(refusal)) {
                throw refusal;
            }
        }
        // Also what an earlier run, which had counted, left.
        if (note(target).isPresent()) {
            tidyUp(pathOf(target));
        }
    }

    /** True if an earlier run was ended between the rename and the tidying up. */
    private boolean isDone(CommandFailure refusal) {
        return refusal.exitCode() == ExitCode.NOT_FOUND
                && note(target).filter(source::equals).isPresent();
    }

    private void countAndRename(CommandFailure refusal) throws InterruptedException {
        String path = pathOf(source);
        var node = new QuotaNode(client, path);
        List<JsonNode> rows = node.rows();
        if (rows.isEmpty()) {
            begin(path);
        } else if (!QuotaNode.isCounting(rows) && note(path).isEmpty()) {
            throw refusal; // A count is not what is missing.
        }
        node.awaitCount(err, terminal);
        try {
            rename.run();
        } catch (CommandFailure later) {
            if (later.exitCode() != ExitCode.UNAVAILABLE && note(path).isPresent()) {
                tidyUp(path);
            }
            throw later;
        }
    }

    private void begin(String path) {
        err.println(
                Table.printable(
                        "%s is large and changes its quota node: it is counted first; if that is interrupted, the same command goes on"
                                .formatted(path)));
        err.flush();
        client.put(
                ATTRIBUTES,
                JsonNodeFactory.instance
                        .objectNode()
                        .put("path", path)
                        .put("name", NOTE)
                        .put("value", source));
        client.put(
                QUOTAS, JsonNodeFactory.instance.objectNode().put("path", path).putNull("bytes"));
    }

    /** Takes away the node that was made for the rename, unless it has limits by now. */
    private void tidyUp(String path) {
        List<JsonNode> rows = new QuotaNode(client, path).rows();
        if (!rows.isEmpty() && rows.stream().noneMatch(QuotaNode::hasLimit)) {
            client.delete(QUOTAS + "?path=" + AdminClient.encoded(path));
        }
        client.delete(attribute(path));
    }

    /** As the server writes it. */
    private String pathOf(String given) {
        return client.get(NAMESPACE + "?path=" + AdminClient.encoded(given))
                .path("path")
                .asString();
    }

    private Optional<String> note(String path) {
        try {
            return client
                    .get(ATTRIBUTES + "?path=" + AdminClient.encoded(path))
                    .path("attributes")
                    .values()
                    .stream()
                    .filter(each -> each.path("name").asString().equals(NOTE))
                    .map(each -> each.path("value").asString())
                    .findFirst();
        } catch (CommandFailure e) {
            if (e.exitCode() == ExitCode.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static String attribute(String path) {
        return "%s?path=%s&name=%s"
                .formatted(ATTRIBUTES, AdminClient.encoded(path), AdminClient.encoded(NOTE));
    }
}
