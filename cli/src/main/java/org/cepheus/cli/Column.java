package org.cepheus.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * One value of every row of a listing, the same for all its forms.
 *
 * @param head its head in a table; empty for a value that only scripts see
 * @param key its name in {@code key=value}, EOS's where EOS has one; empty for what only people see
 */
record Column(String head, String key, boolean isNumber, Function<JsonNode, Cell> cell) {
    private static final Set<String> GOOD =
            Set.of("ok", "online", "rw", "booted", "on", "leader", "usable", "true");
    private static final Set<String> BAD =
            Set.of("error", "exceeded", "offline", "off", "bootfailure", "opserror", "false");
    private static final Set<String> WARN = Set.of("warn", "warning", "drain", "ro", "draining");

    /** A text of the document. */
    static Column text(String head, String key, String member) {
        return of(head, key, row -> present(row, member, Column::word));
    }

    /** A word such as {@code ok} or {@code offline}, in the colour of what it says. */
    static Column state(String head, String key, String member) {
        return of(head, key, row -> present(row, member, value -> state(value.asString())));
    }

    static Cell state(String word) {
        String lower = word.toLowerCase(Locale.ROOT);
        Cell cell = Cell.text(word);
        if (GOOD.contains(lower)) {
            return cell.in(Tone.GOOD);
        }
        return BAD.contains(lower)
                ? cell.in(Tone.BAD)
                : cell.in(WARN.contains(lower) ? Tone.WARN : Tone.PLAIN);
    }

    static Column number(String head, String key, String member) {
        return numbers(head, key, row -> present(row, member, Column::word));
    }

    /** A number of bytes, with a unit for people. */
    static Column bytes(String head, String key, String member) {
        return numbers(head, key, row -> present(row, member, value -> Cell.bytes(value.asLong())));
    }

    /** A time: to the second for people, seconds since 1970 with the fraction for scripts. */
    static Column time(String head, String key, String member) {
        return of(head, key, row -> present(row, member, value -> time(value.asString())));
    }

    private static Cell time(String instant) {
        try {
            Instant at = Instant.parse(instant);
            return new Cell(
                    instant.replaceFirst("\\.\\d+Z$", "Z"),
                    "%d.%09d".formatted(at.getEpochSecond(), at.getNano()),
                    Tone.PLAIN);
        } catch (DateTimeException e) {
            return Cell.text(instant);
        }
    }

    /** The same in each row, such as {@code quota=node}, which tells scripts what a line is. */
    static Column constant(String key, String value) {
        return of("", key, row -> Cell.text(value));
    }

    static Column of(String head, String key, Function<JsonNode, Cell> cell) {
        return new Column(head, key, false, cell);
    }

    /** Numbers stand at the right. */
    static Column numbers(String head, String key, Function<JsonNode, Cell> cell) {
        return new Column(head, key, true, cell);
    }

    private static Cell present(JsonNode row, String member, Function<JsonNode, Cell> cell) {
        JsonNode value = row.path(member);
        return value.isMissingNode() || value.isNull() ? Cell.NONE : cell.apply(value);
    }

    private static Cell word(JsonNode value) {
        return Cell.text(value.isValueNode() ? value.asString() : value.toString());
    }

    /** Whether a person means this column by the word: its head or its key, in any case. */
    boolean isCalled(String word) {
        return word.equalsIgnoreCase(head) || word.equalsIgnoreCase(key);
    }
}
