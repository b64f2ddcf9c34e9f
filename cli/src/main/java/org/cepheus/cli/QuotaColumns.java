package org.cepheus.cli;

import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** What a row of a quota node shows: EOS's columns and keys, and what running uploads hold. */
final class QuotaColumns {
    static final List<Column> ALL =
            List.of(
                    Column.constant("quota", "node"),
                    Column.of("who", "", QuotaColumns::who),
                    Column.of("", "uid", row -> principal(row, "user")),
                    Column.of("", "gid", row -> principal(row, "group")),
                    Column.of("", "space", row -> Cell.text(node(row))),
                    Column.bytes("used bytes", "usedbytes", "usedBytes"),
                    Column.bytes("", "usedlogicalbytes", "usedBytes"),
                    Column.bytes("reserved", "reservedbytes", "reservedBytes"),
                    Column.numbers("soft bytes", "softbytes", row -> limit(row, "softBytes")),
                    Column.numbers("aval bytes", "maxbytes", row -> limit(row, "limitBytes")),
                    Column.numbers("", "maxlogicalbytes", row -> limit(row, "limitBytes")),
                    Column.of("filled[%]", "percentageusedbytes", QuotaColumns::filled),
                    Column.of("vol-status", "statusbytes", row -> status(row, "Bytes")),
                    Column.number("used files", "usedfiles", "usedFiles"),
                    Column.number("", "reservedfiles", "reservedFiles"),
                    Column.numbers("", "softfiles", row -> count(row, "softFiles")),
                    Column.numbers("aval files", "maxfiles", row -> count(row, "limitFiles")),
                    Column.of("ino-status", "statusfiles", row -> status(row, "Files")));

    private QuotaColumns() {}

    /** The heading of a node's rows. */
    static String title(JsonNode row) {
        return "Quota Node: " + node(row);
    }

    private static String node(JsonNode row) {
        String path = row.path("path").asString();
        return path.endsWith("/") ? path : path + "/";
    }

    private static Cell who(JsonNode row) {
        String kind = row.path("kind").asString();
        String principal = row.path("principal").asString();
        if (kind.equals("project")) {
            return Cell.text(kind);
        }
        return Cell.text(
                principal.isEmpty() ? "every other " + kind : "%s %s".formatted(kind, principal));
    }

    /** EOS counts the project as a group of that name. */
    private static Cell principal(JsonNode row, String kind) {
        String of = row.path("kind").asString();
        if (of.equals("project")) {
            return kind.equals("group") ? Cell.text("project") : Cell.NONE;
        }
        String principal = row.path("principal").asString();
        return of.equals(kind) ? Cell.text(principal.isEmpty() ? "*" : principal) : Cell.NONE;
    }

    /** No limit is 0 for scripts, as EOS writes it; the status then says that it is ignored. */
    private static Cell limit(JsonNode row, String member) {
        return row.has(member)
                ? Cell.bytes(row.path(member).asLong())
                : new Cell("-", "0", Tone.PLAIN);
    }

    private static Cell count(JsonNode row, String member) {
        return row.has(member)
                ? Cell.number(row.path(member).asLong())
                : new Cell("-", "0", Tone.PLAIN);
    }

    private static Cell filled(JsonNode row) {
        if (!row.has("limitBytes")) {
            return new Cell("-", "0.00", Tone.PLAIN);
        }
        return Bar.cell(taken(row, "Bytes"), row.path("limitBytes").asLong(), tone(row, "Bytes"));
    }

    /** Used and reserved: what a limit is compared with. */
    private static long taken(JsonNode row, String what) {
        return row.path("used" + what).asLong() + row.path("reserved" + what).asLong();
    }

    /** The larger part of its two hard limits that is taken; 0 without any. */
    static double fullness(JsonNode row) {
        double fullness = 0;
        for (String what : List.of("Bytes", "Files")) {
            if (row.has("limit" + what)) {
                double part = Bar.percent(taken(row, what), row.path("limit" + what).asLong());
                fullness = Math.max(fullness, part);
            }
        }
        return fullness;
    }

    private static Tone tone(JsonNode row, String what) {
        return status(row, what).tone();
    }

    /**
     * EOS's words: ok, warning from a soft limit or nine tenths of the hard one, exceeded when
     * nothing more fits, ignored without a limit.
     */
    private static Cell status(JsonNode row, String what) {
        if (row.path("state").asString().equals("counting")) {
            return counting(row);
        }
        if (!row.has("limit" + what) && !row.has("soft" + what)) {
            return new Cell("-", "ignored", Tone.PLAIN);
        }
        return Column.state(row.path("level" + what).asString());
    }

    /** Nothing is refused until what was there when the first limit came is counted. */
    private static Cell counting(JsonNode row) {
        double percent =
                Bar.percent(
                        row.path("countedEntries").asLong(), row.path("expectedEntries").asLong());
        return new Cell(
                String.format(Locale.ROOT, "counting %.0f %%", percent), "counting", Tone.WARN);
    }
}
