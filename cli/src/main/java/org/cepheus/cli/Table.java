package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows in columns as wide as they need; columns whose head starts with {@code >} are numbers. */
final class Table {
    private final List<String> heads;
    private final boolean[] isNumber;
    private final List<List<String>> rows = new ArrayList<>();

    Table(String... heads) {
        this.heads = Arrays.stream(heads).map(h -> h.startsWith(">") ? h.substring(1) : h).toList();
        this.isNumber = new boolean[heads.length];
        for (int i = 0; i < heads.length; i++) {
            isNumber[i] = heads[i].startsWith(">");
        }
    }

    Table row(String... cells) {
        if (cells.length != heads.size()) {
            throw new IllegalArgumentException(
                    "%d cells for %d columns".formatted(cells.length, heads.size()));
        }
        rows.add(Arrays.stream(cells).map(Table::printable).toList());
        return this;
    }

    /** What a terminal would obey instead of show is replaced. */
    static String printable(String text) {
        var safe = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c ->
                        safe.appendCodePoint(Character.isISOControl(c) && c != '\n' ? '?' : c));
        return safe.toString();
    }

    void print(PrintWriter out) {
        print(out, heads);
        rows.forEach(row -> print(out, row));
    }

    private void print(PrintWriter out, List<String> cells) {
        var line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String cell = cells.get(i);
            int padding = width(i) - cell.length();
            line.append(isNumber[i] ? " ".repeat(padding) + cell : cell + " ".repeat(padding));
            line.append("  ");
        }
        out.println(line.toString().stripTrailing());
    }

    private int width(int column) {
        int width = heads.get(column).length();
        for (List<String> row : rows) {
            width = Math.max(width, row.get(column).length());
        }
        return width;
    }
}
