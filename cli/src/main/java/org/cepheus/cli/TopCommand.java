package org.cepheus.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;

/** {@code cepheus top}: what happens now, drawn again every two seconds. */
final class TopCommand {
    private static final int ROWS = 10;
    private static final double USUAL_SECONDS = 2;

    private static final List<Column> FULLEST =
            Stream.concat(
                            Stream.of(Column.text("node", "space", "path")),
                            QuotaColumns.ALL.stream())
                    .toList();

    private final Terminal terminal;

    TopCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    CommandSpec spec() {
        CommandSpec top =
                ServerOptions.addServerTo(
                        CommandTree.command(
                                "top",
                                "Show what happens now: health, rates, FSTs, volumes, the oldest uploads, and the quota"
                                        + " nodes next to their limits; again every two seconds until Ctrl-C.",
                                this::run));
        top.addOption(
                        OptionSpec.builder("-s", "--seconds")
                                .type(Double.class)
                                .paramLabel("SECONDS")
                                .description("How often (2).")
                                .build())
                .addOption(
                        OptionSpec.builder("-n")
                                .type(Integer.class)
                                .paramLabel("N")
                                .description("End after N pictures.")
                                .build());
        return CommandTree.examples(top, "cepheus top", "cepheus top -s 1", "cepheus top -n 1");
    }

    private int run(ParseResult given, PrintWriter out) {
        Duration pause = Watch.pause(given.matchedOptionValue("--seconds", USUAL_SECONDS));
        int pictures = given.matchedOptionValue("-n", Integer.MAX_VALUE);
        try (AdminClient client = ServerOptions.client(given)) {
            var picture = new Picture(client, terminal);
            return Watch.repeat(given, out, terminal, pause, pictures, picture::show);
        }
    }

    /** The state between two pictures, which rates come from. */
    private static final class Picture {
        private final AdminClient client;
        private final Terminal terminal;
        private Optional<JsonNode> before = Optional.empty();
        private long beforeNanos;

        private Picture(AdminClient client, Terminal terminal) {
            this.client = client;
            this.terminal = terminal;
        }

        private int show(PrintWriter out) {
            JsonNode health = client.report("/health");
            JsonNode status = client.get("/api/v1/status");
            JsonNode transfers = client.get("/api/v1/transfers?max=" + ROWS);
            JsonNode quotas = client.all("/api/v1/quotas", "quotas");
            long now = terminal.time().nanos();
            printHead(health, status, (now - beforeNanos) / 1e9, out);
            print(NodeColumns.OF_STATUS, status.path("fsts").values().stream(), out);
            out.println();
            print(VolumeColumns.OF_STATUS, status.path("volumes").values().stream(), out);
            long running = transfers.path("total").asLong(transfers.path("transfers").size());
            out.println();
            out.println("uploads: %d running, the oldest first".formatted(running));
            print(SessionCommands.UPLOADS, transfers.path("transfers").values().stream(), out);
            out.println();
            out.println("quota nodes next to their limits");
            print(FULLEST, fullest(quotas), out);
            before = Optional.of(status);
            beforeNanos = now;
            return ExitCode.OK;
        }

        private void printHead(JsonNode health, JsonNode status, double seconds, PrintWriter out) {
            Cell state = Column.state(health.path("status").asString());
            out.println(
                    Table.printable(
                                    "%s %s, term %d  health: "
                                            .formatted(
                                                    status.path("member").asString(),
                                                    status.path("role").asString(),
                                                    status.path("term").asLong()))
                            + state.tone().paint(state.shown(), terminal.hasColours()));
            for (JsonNode check : health.path("checks")) {
                if (!check.path("status").asString().equals("ok")) {
                    Cell finding = Column.state(check.path("status").asString());
                    out.println(
                            "  "
                                    + finding.tone()
                                            .paint(
                                                    Table.printable(
                                                            check.path("name").asString()
                                                                    + ": "
                                                                    + check.path("message")
                                                                            .asString()),
                                                    terminal.hasColours()));
                }
            }
            out.println(
                    "files %d%s   directories %d   used %s%s   log %d%s"
                            .formatted(
                                    status.path("files").asLong(),
                                    rate(status, "files", seconds),
                                    status.path("directories").asLong(),
                                    ByteCount.format(status.path("usedBytes").asLong()),
                                    byteRate(status, seconds),
                                    status.path("appliedIndex").asLong(),
                                    rate(status, "appliedIndex", seconds)));
            out.println();
        }

        private String rate(JsonNode status, String member, double seconds) {
            return before.map(old ->
                            String.format(
                                    Locale.ROOT,
                                    " (%+.1f/s)",
                                    (status.path(member).asLong() - old.path(member).asLong())
                                            / seconds))
                    .orElse("");
        }

        private String byteRate(JsonNode status, double seconds) {
            return before.map(old ->
                            " (%s/s)"
                                    .formatted(
                                            signed(
                                                    Math.round(
                                                            (status.path("usedBytes").asLong()
                                                                            - old.path("usedBytes")
                                                                                    .asLong())
                                                                    / seconds))))
                    .orElse("");
        }

        private static String signed(long bytes) {
            return (bytes < 0 ? "-" : "+") + ByteCount.format(Math.abs(bytes));
        }

        private Stream<JsonNode> fullest(JsonNode quotas) {
            return quotas.path("quotas").values().stream()
                    .filter(row -> QuotaColumns.fullness(row) > 0)
                    .sorted(Comparator.comparingDouble(QuotaColumns::fullness).reversed())
                    .limit(ROWS);
        }

        private void print(List<Column> columns, Stream<JsonNode> rows, PrintWriter out) {
            List<Column> shown = columns.stream().filter(each -> !each.head().isEmpty()).toList();
            var table = new Table(shown);
            rows.forEach(row ->
                    table.row(shown.stream().map(column -> column.cell().apply(row)).toList()));
            table.print(out, terminal.hasColours());
        }
    }
}
