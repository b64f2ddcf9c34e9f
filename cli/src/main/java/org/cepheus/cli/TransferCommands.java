package org.cepheus.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;

/** {@code cepheus transfer ls}: the uploads that no directory shows yet. */
final class TransferCommands {
    private static final int MAX_ROWS = 10_000;

    private TransferCommands() {}

    static CommandSpec transfer() {
        return CommandTree.noun(
                "transfer",
                "Uploads that are running.",
                ServerOptions.addTo(
                        CommandTree.command(
                                "ls",
                                "List running uploads, oldest first.",
                                TransferCommands::list)));
    }

    private static int list(ParseResult given, PrintWriter out) {
        try (AdminClient client = ServerOptions.client(given)) {
            JsonNode answer = client.get("/api/v1/transfers?max=" + MAX_ROWS);
            if (ServerOptions.isJson(given)) {
                out.println(answer.toPrettyString());
            } else {
                print(answer.path("transfers"), out);
            }
            return ExitCode.OK;
        }
    }

    private static void print(JsonNode transfers, PrintWriter out) {
        var table =
                new Table(
                        "SINCE",
                        ">FST",
                        "STATE",
                        "USER",
                        "CLIENT",
                        ">RESERVED",
                        ">DECLARED",
                        "PATH");
        for (JsonNode each : transfers) {
            JsonNode declared = each.path("declaredBytes");
            table.row(
                    NamespaceCommands.seconds(each.path("since").asString()),
                    each.path("fst").asString(),
                    each.path("state").asString(),
                    each.path("user").asString(),
                    each.path("client").asString(),
                    ByteCount.format(each.path("reservedBytes").asLong()),
                    declared.isMissingNode() ? "-" : ByteCount.format(declared.asLong()),
                    each.path("path").asString());
        }
        table.print(out);
    }
}
