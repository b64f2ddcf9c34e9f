package org.cepheus.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;

/** {@code cepheus status}: the cluster at one glance. */
final class StatusCommand {
    private StatusCommand() {}

    static CommandSpec spec() {
        return ServerOptions.addTo(
                CommandTree.command(
                        "status",
                        "Show the cluster: leader, members, FSTs, volumes.",
                        StatusCommand::run));
    }

    private static int run(ParseResult given, PrintWriter out) {
        try (AdminClient client = ServerOptions.client(given)) {
            JsonNode status = client.get("/api/v1/status");
            if (ServerOptions.isJson(given)) {
                out.println(status.toPrettyString());
            } else {
                print(status, out);
            }
            return ExitCode.OK;
        }
    }

    private static void print(JsonNode status, PrintWriter out) {
        Field.print(out, "cluster", status.path("cluster").asString());
        Field.print(
                out,
                "member",
                "%s, %s, term %d, applied %d"
                        .formatted(
                                status.path("member").asString(),
                                status.path("role").asString(),
                                status.path("term").asLong(),
                                status.path("appliedIndex").asLong()));
        Field.print(out, "leader", leader(status.path("leader")));
        Field.print(
                out,
                "holds",
                "%d files, %d directories, %s"
                        .formatted(
                                status.path("files").asLong(),
                                status.path("directories").asLong(),
                                ByteCount.format(status.path("usedBytes").asLong())));
        out.println();
        printFsts(status.path("fsts"), out);
        out.println();
        printVolumes(status.path("volumes"), out);
    }

    private static String leader(JsonNode leader) {
        return leader.isMissingNode()
                ? "none known"
                : "root://%s:%d and http://%s:%d"
                        .formatted(
                                leader.path("host").asString(),
                                leader.path("xrootdPort").asInt(),
                                leader.path("host").asString(),
                                leader.path("httpPort").asInt());
    }

    private static void printFsts(JsonNode fsts, PrintWriter out) {
        var table = new Table("FST", "STATE", "HOST", ">XROOTD", ">HTTP", ">STREAMS", "LAST SEEN");
        for (JsonNode fst : fsts) {
            table.row(
                    fst.path("id").asString(),
                    fst.path("alive").asBoolean() ? "alive" : "dead",
                    fst.path("host").asString(),
                    fst.path("xrootdPort").asString(),
                    fst.path("httpPort").asString(),
                    fst.path("streams").asString(),
                    fst.path("lastSeen").asString());
        }
        table.print(out);
    }

    private static void printVolumes(JsonNode volumes, PrintWriter out) {
        var table = new Table("VOLUME", "STATE", ">TOTAL", ">FREE");
        for (JsonNode volume : volumes) {
            table.row(
                    volume.path("id").asString(),
                    volume.path("usable").asBoolean() ? "usable" : "not usable",
                    ByteCount.format(volume.path("totalBytes").asLong()),
                    ByteCount.format(volume.path("freeBytes").asLong()));
        }
        table.print(out);
    }
}
