package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;

/** {@code cepheus events tail}: what happens, as the replicated log has it. */
final class EventsCommand {
    private static final List<Column> COLUMNS =
            List.of(
                    Column.number("index", "index", "index"),
                    Column.time("time", "time", "time"),
                    Column.text("type", "type", "type"),
                    Column.text("user", "uid", "user"),
                    Column.text("client", "client", "client"),
                    Column.bytes("size", "size", "sizeBytes"),
                    Column.text("trace", "trace", "trace"),
                    Column.text("path", "path", "path"),
                    Column.of("details", "details", EventsCommand::details));

    private final Terminal terminal;

    EventsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    CommandSpec events() {
        return CommandTree.noun("events", "What happens in the namespace, live.", tail());
    }

    private CommandSpec tail() {
        CommandSpec tail =
                Selection.addFilterTo(
                        Form.addKeys(
                                ServerOptions.addTo(
                                        CommandTree.command(
                                                "tail",
                                                "Print creations, commits, removals, renames and changes of quotas as they"
                                                        + " happen, until Ctrl-C. After a broken connection it goes on where it"
                                                        + " was; --json prints one document a line.",
                                                this::run))));
        tail.addPositional(
                        PositionalParamSpec.builder()
                                .index("0")
                                .arity("0..1")
                                .type(String.class)
                                .paramLabel("PATH")
                                .description("Only what happens at this path or below it.")
                                .build())
                .addOption(
                        FindCommand.text(
                                "--type",
                                "TYPES",
                                "Only these, with commas: created, committed, aborted, removed, renamed, changed,"
                                        + " quota, state."))
                .addOption(
                        OptionSpec.builder("--from")
                                .type(Long.class)
                                .paramLabel("INDEX")
                                .description(
                                        "Begin after this index of the log, as far back as the server keeps events;"
                                                + " otherwise with what happens next.")
                                .build())
                .addOption(
                        OptionSpec.builder("-n")
                                .type(Integer.class)
                                .paramLabel("N")
                                .description("End after N events.")
                                .build());
        return CommandTree.examples(
                tail,
                "cepheus events tail",
                "cepheus events tail /data --type removed,renamed",
                "cepheus events tail --from 1200 -n 100 --json");
    }

    private int run(ParseResult given, PrintWriter out) throws InterruptedException {
        @Nullable Long from = given.matchedOptionValue("--from", null);
        Form form = Form.of(given);
        Predicate<JsonNode> wanted = Selection.of(given).wanted(COLUMNS);
        int enough = given.matchedOptionValue("-n", Integer.MAX_VALUE);
        var stream =
                new EventStream(
                        query(given),
                        from == null ? OptionalLong.empty() : OptionalLong.of(from),
                        given.commandSpec().commandLine().getErr(),
                        terminal.time());
        var printed = new AtomicInteger();
        try (AdminClient client = ServerOptions.client(given)) {
            stream.read(
                    client,
                    event -> {
                        if (wanted.test(event)) {
                            print(event, form, out);
                            printed.incrementAndGet();
                        }
                        return printed.get() < enough && !out.checkError();
                    });
        }
        return ExitCode.OK;
    }

    /** What is asked for besides where to begin. */
    private static List<String> query(ParseResult given) {
        var query = new ArrayList<String>();
        if (!PathWord.of(given).isEmpty()) {
            query.add("path=" + PathWord.encoded(given));
        }
        @Nullable String types = given.matchedOptionValue("--type", null);
        if (types != null) {
            query.add("type=" + AdminClient.encoded(types));
        }
        return query;
    }

    private void print(JsonNode event, Form form, PrintWriter out) {
        switch (form) {
            case TABLE -> out.println(line(event));
            case KEYS -> out.println(KeyValues.line(COLUMNS, event));
            case JSON -> out.println(event);
        }
        out.flush();
    }

    /** Columns of fixed widths, because nobody knows what comes next. */
    private String line(JsonNode event) {
        String type = event.path("type").asString();
        return Table.printable("%s %10d  ".formatted(seconds(event), event.path("index").asLong()))
                + toneOf(type).paint("%-9s".formatted(Table.printable(type)), terminal.hasColours())
                + Table.printable(
                        "  %-10s %s%s%s"
                                .formatted(
                                        event.path("user").asString(),
                                        event.path("path").asString("-"),
                                        event.has("sizeBytes")
                                                ? "  "
                                                        + ByteCount.format(
                                                                event.path("sizeBytes").asLong())
                                                : "",
                                        details(event).raw().isEmpty()
                                                ? ""
                                                : "  " + details(event).raw()));
    }

    private static String seconds(JsonNode event) {
        return event.path("time").asString().replaceFirst("\\.\\d+Z$", "Z");
    }

    private static Tone toneOf(String type) {
        return switch (type) {
            case "committed", "created" -> Tone.GOOD;
            case "removed", "aborted" -> Tone.BAD;
            default -> Tone.PLAIN;
        };
    }

    private static Cell details(JsonNode event) {
        String all =
                event.path("details").properties().stream()
                        .map(each -> each.getKey() + "=" + text(each))
                        .collect(Collectors.joining(" "));
        return all.isEmpty() ? Cell.NONE : Cell.text(all);
    }

    private static String text(Map.Entry<String, JsonNode> detail) {
        return detail.getValue().asString();
    }
}
