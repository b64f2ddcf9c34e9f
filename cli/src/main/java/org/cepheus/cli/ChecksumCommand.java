package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code cepheus checksum}: what the FST computed while the file came in. */
final class ChecksumCommand {
    private static final List<Column> COLUMNS =
            List.of(
                    Column.text("type", "xstype", "type"),
                    Column.text("checksum", "xs", "checksum"),
                    Column.number("", "size", "sizeBytes"),
                    Column.text("path", "path", "path"));

    private ChecksumCommand() {}

    static CommandSpec spec() {
        CommandSpec checksum =
                PathWord.addTo(
                        Form.addKeys(
                                ServerOptions.addTo(
                                        CommandTree.command(
                                                "checksum",
                                                "Print the stored checksums of a file: type, hex digits, path.",
                                                ChecksumCommand::run))));
        checksum.addOption(
                FindCommand.text("--type", "TYPE", "Only adler32, crc32c, md5 or sha-256."));
        return CommandTree.examples(
                checksum,
                "cepheus checksum /data/run1.root",
                "cepheus checksum /data/run1.root --type adler32");
    }

    private static int run(ParseResult given, PrintWriter out) {
        @Nullable String type = given.matchedOptionValue("--type", null);
        String query = "?path=" + PathWord.encoded(given);
        if (type != null) {
            query += "&type=" + AdminClient.encoded(type);
        }
        try (AdminClient client = ServerOptions.client(given)) {
            JsonNode answer = client.get("/api/v1/namespace/checksum" + query);
            if (Form.of(given) == Form.JSON) {
                out.println(answer.toPrettyString());
                return ExitCode.OK;
            }
            for (Map.Entry<String, JsonNode> sum : answer.path("checksums").properties()) {
                ObjectNode row = ((ObjectNode) answer).deepCopy();
                row.put("type", sum.getKey()).put("checksum", sum.getValue().asString());
                out.println(
                        Form.of(given) == Form.KEYS
                                ? KeyValues.line(COLUMNS, row)
                                : Table.printable(
                                        "%-8s %s  %s"
                                                .formatted(
                                                        sum.getKey(),
                                                        sum.getValue().asString(),
                                                        answer.path("path").asString())));
            }
            return ExitCode.OK;
        }
    }
}
