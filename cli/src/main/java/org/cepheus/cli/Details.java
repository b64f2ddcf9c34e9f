package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;

/** One thing with its values below each other; absent ones are left out. */
record Details(List<Column> columns) {
    Details {
        columns = List.copyOf(columns);
    }

    /** Prints it in the form the options ask for. */
    void print(ParseResult given, JsonNode thing, PrintWriter out, boolean colours) {
        switch (Form.of(given)) {
            case TABLE -> printLines(thing, out, colours);
            case KEYS -> out.println(KeyValues.line(columns, thing));
            case JSON -> out.println(thing.toPrettyString());
        }
    }

    /** The values that people see. */
    void printLines(JsonNode thing, PrintWriter out, boolean colours) {
        List<Column> shown =
                columns.stream()
                        .filter(each -> !each.head().isEmpty())
                        .filter(each -> !each.cell().apply(thing).equals(Cell.NONE))
                        .toList();
        int width = shown.stream().mapToInt(each -> each.head().length()).max().orElse(0);
        for (Column column : shown) {
            Cell cell = column.cell().apply(thing);
            String name = column.head() + " ".repeat(width - column.head().length());
            out.println(
                    Tone.HEAD.paint(name, colours)
                            + "  "
                            + cell.tone().paint(Table.printable(cell.shown()), colours));
        }
    }
}
