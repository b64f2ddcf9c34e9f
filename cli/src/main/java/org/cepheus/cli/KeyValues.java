package org.cepheus.cli;

import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * A row as one line of {@code key=value}, for {@code grep} and {@code awk}. A value that is not
 * there is left out; a space, a percent sign and what a terminal would obey are written {@code
 * %20}, {@code %25}, …, so that a line always splits at its spaces.
 */
final class KeyValues {
    private KeyValues() {}

    static String line(List<Column> columns, JsonNode row) {
        return columns.stream()
                .filter(column -> !column.key().isEmpty())
                .map(column -> new String[] {column.key(), column.cell().apply(row).raw()})
                .filter(pair -> !pair[1].isEmpty())
                .map(pair -> pair[0] + "=" + escaped(pair[1]))
                .collect(Collectors.joining(" "));
    }

    static String escaped(String value) {
        var safe = new StringBuilder(value.length());
        value.codePoints()
                .forEach(c -> {
                    if (c == ' ' || c == '%' || c < 0x20 || c == 0x7f) {
                        safe.append("%%%02X".formatted(c));
                    } else {
                        safe.appendCodePoint(Character.isISOControl(c) ? '?' : c);
                    }
                });
        return safe.toString();
    }
}
