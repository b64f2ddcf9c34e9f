package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rows of an answer: a table, lines or JSON from one list of columns, so that all say the same.
 *
 * @param member which member of the answer is the list of rows
 * @param title the section a row belongs to, empty for a table without sections; rows of a section
 *     follow each other
 */
record Listing(String member, List<Column> columns, Function<JsonNode, String> title) {
    Listing {
        columns = List.copyOf(columns);
    }

    Listing(String member, List<Column> columns) {
        this(member, columns, row -> "");
    }

    /** The options that every listing has. */
    static CommandSpec addTo(CommandSpec command) {
        return Watch.addTo(Selection.addTo(Form.addKeys(ServerOptions.addTo(command))));
    }

    /** A command {@code ls} that shows all pages of a resource. */
    CommandSpec command(String about, String target, Terminal terminal) {
        return addTo(
                CommandTree.command(
                        "ls", about, (given, out) -> run(given, out, target, terminal)));
    }

    private int run(ParseResult given, PrintWriter out, String target, Terminal terminal) {
        return show(given, out, terminal, client -> client.all(target, member));
    }

    /** Asks and prints, once or again and again. */
    int show(
            ParseResult given,
            PrintWriter out,
            Terminal terminal,
            Function<AdminClient, JsonNode> question) {
        try (AdminClient client = ServerOptions.client(given)) {
            return Watch.run(
                    given,
                    out,
                    terminal,
                    frame -> {
                        print(given, question.apply(client), frame, terminal.hasColours());
                        return ExitCode.OK;
                    });
        }
    }

    /** Prints the rows that the options ask for, in the form they ask for. */
    void print(ParseResult given, JsonNode answer, PrintWriter out, boolean colours) {
        Selection selection = Selection.of(given);
        List<JsonNode> rows = selection.of(columns, answer.path(member));
        switch (Form.of(given)) {
            case TABLE -> printTable(rows, selection.sort().isEmpty(), out, colours);
            case KEYS -> rows.forEach(row -> out.println(KeyValues.line(columns, row)));
            case JSON -> out.println(with(rows, answer).toPrettyString());
        }
    }

    private void printTable(
            List<JsonNode> rows, boolean inSections, PrintWriter out, boolean colours) {
        List<Column> shown = columns.stream().filter(each -> !each.head().isEmpty()).toList();
        var table = new Table(shown);
        String section = "";
        for (JsonNode row : rows) {
            String heading = title.apply(row);
            if (inSections && !heading.equals(section)) {
                table.title(heading);
                section = heading;
            }
            table.row(shown.stream().map(column -> column.cell().apply(row)).toList());
        }
        table.print(out, colours);
    }

    /** The whole answer with only these rows in it. */
    private JsonNode with(List<JsonNode> rows, JsonNode answer) {
        if (!(answer instanceof ObjectNode document)) {
            return answer;
        }
        ObjectNode copy = document.deepCopy();
        ArrayNode kept = copy.putArray(member);
        rows.forEach(kept::add);
        return copy;
    }
}
