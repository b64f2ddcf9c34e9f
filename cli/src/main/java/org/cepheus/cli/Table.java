package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows in columns as wide as they need, in sections that share the widths. */
final class Table {
    private static final int GAP = 2;

    private record Line(String title, List<Cell> cells) {}

    private final List<Column> columns;
    private final List<Line> lines = new ArrayList<>();

    Table(List<Column> columns) {
        this.columns = List.copyOf(columns);
    }

    /** Begins a section with a line of its own. */
    void title(String title) {
        lines.add(new Line(title, List.of()));
    }

    void row(List<Cell> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException(
                    "%d cells for %d columns".formatted(cells.size(), columns.size()));
        }
        lines.add(new Line("", List.copyOf(cells)));
    }

    /** What a terminal would obey instead of show is replaced. */
    static String printable(String text) {
        var safe = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c ->
                        safe.appendCodePoint(Character.isISOControl(c) && c != '\n' ? '?' : c));
        return safe.toString();
    }

    /** Prints the heads once, or below each title if there are some. */
    void print(PrintWriter out, boolean colours) {
        int[] widths = widths();
        List<Cell> heads =
                columns.stream().map(each -> Cell.text(each.head()).in(Tone.HEAD)).toList();
        boolean isFirst = true;
        if (lines.isEmpty() || lines.getFirst().title().isEmpty()) {
            out.println(text(heads, widths, colours));
        }
        for (Line line : lines) {
            if (line.title().isEmpty()) {
                out.println(text(line.cells(), widths, colours));
            } else {
                if (!isFirst) {
                    out.println();
                }
                out.println(Tone.HEAD.paint(printable(line.title()), colours));
                out.println(text(heads, widths, colours));
            }
            isFirst = false;
        }
    }

    private String text(List<Cell> cells, int[] widths, boolean colours) {
        var line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String shown = printable(cells.get(i).shown());
            String padding = " ".repeat(widths[i] - width(shown));
            String painted = cells.get(i).tone().paint(shown, colours);
            line.append(columns.get(i).isNumber() ? padding + painted : painted + padding);
            line.append(" ".repeat(GAP));
        }
        return line.toString().stripTrailing();
    }

    private int[] widths() {
        var widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = width(columns.get(i).head());
            for (Line line : lines) {
                if (line.title().isEmpty()) {
                    widths[i] = Math.max(widths[i], width(line.cells().get(i).shown()));
                }
            }
        }
        return widths;
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
