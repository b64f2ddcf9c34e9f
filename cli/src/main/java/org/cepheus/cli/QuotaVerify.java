package org.cepheus.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;

/** {@code cepheus quota verify}: every counter against the sum of what is there. */
final class QuotaVerify {
    private static final String CHECK = "/api/v1/quotas/check";
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int USUAL_SECONDS = 3_600;
    private static final int MOST_SECONDS = 86_400;

    private static final List<Column> DIFFERENCES =
            List.of(
                    Column.text("node", "space", "path"),
                    Column.text("kind", "kind", "kind"),
                    Column.text("who", "principal", "principal"),
                    use("used bytes", "usedbytes", "counter", "usedBytes"),
                    use("recounted", "recountedbytes", "recounted", "usedBytes"),
                    use("used files", "usedfiles", "counter", "usedFiles"),
                    use("recounted", "recountedfiles", "recounted", "usedFiles"),
                    use("reserved", "reservedbytes", "counter", "reservedBytes"),
                    use("recounted", "recountedreserved", "recounted", "reservedBytes"));

    private final Terminal terminal;

    QuotaVerify(Terminal terminal) {
        this.terminal = terminal;
    }

    /** To the byte: a unit would hide the difference. */
    private static Column use(String head, String key, String side, String member) {
        return Column.numbers(head, key, row -> Cell.number(row.path(side).path(member).asLong()));
    }

    CommandSpec spec() {
        CommandSpec verify =
                Form.addKeys(
                        ServerOptions.addTo(
                                CommandTree.command(
                                        "verify",
                                        "Recount every quota node on a snapshot, while the cluster works, and compare with the"
                                                + " counters of the same moment, to the byte. Ends with 0 if all are equal and"
                                                + " with 1 if one differs, which is a bug. Ctrl-C leaves the recount running.",
                                        this::run)));
        verify.addOption(
                        OptionSpec.builder("--seconds")
                                .type(Integer.class)
                                .paramLabel("N")
                                .description("Give up after so long, 1..86400 (3600).")
                                .build())
                .addOption(
                        FindCommand.flag(
                                "--status",
                                "Start nothing; show the recount that runs or ran last."))
                .addOption(FindCommand.flag("--cancel", "End the recount that runs."));
        return CommandTree.examples(
                verify, "cepheus quota verify", "cepheus quota verify --status -m");
    }

    private int run(ParseResult given, PrintWriter out) throws InterruptedException {
        int seconds = given.matchedOptionValue("--seconds", USUAL_SECONDS);
        if (seconds < 1 || seconds > MOST_SECONDS) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--seconds must be 1..%d".formatted(MOST_SECONDS));
        }
        try (AdminClient client = ServerOptions.client(given)) {
            JsonNode check =
                    given.hasMatchedOption("--cancel")
                            ? client.end(CHECK)
                            : given.hasMatchedOption("--status")
                                    ? client.get(CHECK)
                                    : untilDone(given, client, seconds);
            print(given, check, out);
            return switch (check.path("state").asString()) {
                case "equal", "running", "none" -> ExitCode.OK;
                case "canceled" ->
                        given.hasMatchedOption("--cancel") ? ExitCode.OK : ExitCode.FAILED;
                default -> ExitCode.FAILED;
            };
        }
    }

    private JsonNode untilDone(ParseResult given, AdminClient client, int seconds)
            throws InterruptedException {
        JsonNode check = client.start(CHECK + "?seconds=" + seconds);
        try (var progress =
                new Progress(
                        "recounting quotas",
                        "entries",
                        given.commandSpec().commandLine().getErr(),
                        terminal)) {
            while (check.path("state").asString().equals("running")) {
                progress.at(
                        check.path("seenEntries").asLong(),
                        OptionalLong.of(check.path("expectedEntries").asLong()));
                terminal.time().pause(PAUSE);
                check = client.get(CHECK);
            }
        }
        return check;
    }

    private void print(ParseResult given, JsonNode check, PrintWriter out) {
        switch (Form.of(given)) {
            case JSON -> out.println(check.toPrettyString());
            case KEYS -> printKeys(check, out);
            case TABLE -> printText(check, out);
        }
    }

    private static void printKeys(JsonNode check, PrintWriter out) {
        out.println(
                KeyValues.line(
                        List.of(
                                Column.constant("quota", "verify"),
                                Column.text("", "state", "state"),
                                Column.number("", "index", "index"),
                                Column.number("", "seen", "seenEntries"),
                                Column.number("", "expected", "expectedEntries"),
                                Column.number("", "nodes", "nodes"),
                                Column.number("", "rows", "rows"),
                                Column.number("", "differences", "differences")),
                        check));
        check.path("examples")
                .forEach(example -> out.println(KeyValues.line(DIFFERENCES, example)));
    }

    private void printText(JsonNode check, PrintWriter out) {
        String state = check.path("state").asString();
        Tone tone =
                switch (state) {
                    case "equal" -> Tone.GOOD;
                    case "different", "failed" -> Tone.BAD;
                    default -> Tone.WARN;
                };
        out.println(
                tone.paint(Table.printable(state), terminal.hasColours())
                        + Table.printable(sentence(state, check)));
        for (JsonNode node : check.path("counting")) {
            out.println(
                    Table.printable(
                            "left out, because its first count is not done yet: "
                                    + node.asString()));
        }
        if (!check.path("examples").isEmpty()) {
            var table = new Table(DIFFERENCES);
            check.path("examples")
                    .forEach(row ->
                            table.row(
                                    DIFFERENCES.stream()
                                            .map(column -> column.cell().apply(row))
                                            .toList()));
            table.print(out, terminal.hasColours());
        }
    }

    private static String sentence(String state, JsonNode check) {
        String counted =
                "%d rows of %d quota nodes at log index %d, %d entries in %s"
                        .formatted(
                                check.path("rows").asLong(),
                                check.path("nodes").asLong(),
                                check.path("index").asLong(),
                                check.path("seenEntries").asLong(),
                                Ages.of(Duration.ofMillis(check.path("tookMillis").asLong())));
        return switch (state) {
            case "none" -> ": no recount ran at this member yet";
            case "equal" -> ": " + counted;
            case "running" ->
                    ": %d of %d entries"
                            .formatted(
                                    check.path("seenEntries").asLong(),
                                    check.path("expectedEntries").asLong());
            case "different" ->
                    ": %d of %s; please report this with the rows below"
                            .formatted(check.path("differences").asLong(), counted);
            default -> ": " + check.path("message").asString("it did not come to an end");
        };
    }
}
