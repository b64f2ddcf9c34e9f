package org.cepheus.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.cepheus.domain.FsException;
import org.cepheus.domain.port.Metrics.Row;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Values whose labels are only known when somebody looks. A meter library keeps every series it has
 * ever seen; a quota node that is gone should be gone. One lock guards the list.
 */
final class Tables {
    private static final Logger LOG = LoggerFactory.getLogger(Tables.class);

    private final Map<String, Family> families = new TreeMap<>();

    /** The tables of one name: each part of the process may have one. */
    private record Family(String help, List<Table> tables) {}

    private record Table(String part, List<String> labels, Supplier<List<Row>> rows) {}

    synchronized void add(
            String part, String name, String help, List<String> labels, Supplier<List<Row>> rows) {
        families.computeIfAbsent(name, _ -> new Family(help, new ArrayList<>()))
                .tables()
                .add(new Table(part, List.copyOf(labels), rows));
    }

    /** In Prometheus' text format. */
    synchronized String text() {
        var text = new StringBuilder();
        families.forEach((name, family) -> {
            text.append("# HELP ").append(name).append(' ').append(family.help()).append('\n');
            text.append("# TYPE ").append(name).append(" gauge\n");
            family.tables().forEach(table -> write(text, name, table));
        });
        return text.toString();
    }

    private static void write(StringBuilder text, String name, Table table) {
        for (Row row : read(table)) {
            text.append(name).append("{part=\"").append(table.part()).append('"');
            for (int i = 0; i < table.labels().size(); i++) {
                text.append(',').append(table.labels().get(i)).append("=\"");
                escape(text, row.labels().get(i));
                text.append('"');
            }
            text.append("} ").append(row.value()).append('\n');
        }
    }

    /** What cannot be read just now is left out: the rest of the page is still wanted. */
    private static List<Row> read(Table table) {
        try {
            return table.rows().get();
        } catch (FsException | IllegalStateException e) {
            LOG.debug("a table of {} cannot be read now", table.part(), e);
            return List.of();
        }
    }

    private static void escape(StringBuilder text, String value) {
        for (int i = 0; i < value.length(); i++) {
            switch (value.charAt(i)) {
                case '\\' -> text.append("\\\\");
                case '"' -> text.append("\\\"");
                case '\n' -> text.append("\\n");
                default -> text.append(value.charAt(i));
            }
        }
    }
}
