package org.cepheus.runtime;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One table of a configuration file while it is read. Asking for a key makes it known; problems are
 * collected, and a stand-in value is returned for them, so that one reading finds them all.
 */
public final class TomlTable {
    private final String prefix;
    private final ObjectNode node;
    private final List<String> problems;
    private final List<ConfigFile.Setting> settings;
    private final @Nullable List<ConfigFile.Key> described;
    private final Set<String> known = new LinkedHashSet<>();
    private final List<TomlTable> children = new ArrayList<>();

    private TomlTable(
            String prefix,
            ObjectNode node,
            List<String> problems,
            List<ConfigFile.Setting> settings,
            @Nullable List<ConfigFile.Key> described) {
        this.prefix = prefix;
        this.node = node;
        this.problems = problems;
        this.settings = settings;
        this.described = described;
    }

    static TomlTable root(
            ObjectNode node, List<String> problems, List<ConfigFile.Setting> settings) {
        return new TomlTable("", node, problems, settings, null);
    }

    /** A table without anything in it that notes what it is asked for. */
    static TomlTable describing(List<ConfigFile.Key> keys) {
        return new TomlTable("", emptyNode(), new ArrayList<>(), new ArrayList<>(), keys);
    }

    /** Whether the file has the key; asking makes it not known. */
    public boolean has(String key) {
        return node.has(key);
    }

    /** A text that is not blank. */
    public Value<String> text(String key) {
        return value(key, "text", "", found -> textOf(key, found));
    }

    /** A file or directory; a relative one starts at the working directory. */
    public Value<Path> path(String key) {
        return value(key, "path", Path.of(""), found -> textOf(key, found).map(Path::of));
    }

    /** A whole number from {@code min} to {@code max}. */
    public Value<Integer> number(String key, int min, int max) {
        String type = "%d..%d".formatted(min, max);
        return value(
                key,
                type,
                min,
                found -> {
                    if (!found.isIntegralNumber()
                            || !found.canConvertToInt()
                            || found.intValue() < min
                            || found.intValue() > max) {
                        return problem(key, "must be a number %s, is %s".formatted(type, found));
                    }
                    return Optional.of(found.intValue());
                });
    }

    /** A port of this host. */
    public Value<Integer> port(String key) {
        return number(key, 1, 65_535);
    }

    /** A list of texts that are not blank. */
    public Value<List<String>> texts(String key) {
        return value(
                key,
                "list of texts",
                List.of(),
                found -> {
                    if (!found.isArray()) {
                        return problem(key, "must be a list of texts, is " + found);
                    }
                    var texts = new ArrayList<String>();
                    for (JsonNode each : found) {
                        textOf(key, each).ifPresent(texts::add);
                    }
                    return Optional.of(List.copyOf(texts));
                });
    }

    /** The table of that name; a missing one reads as an empty one. */
    public TomlTable table(String key) {
        known.add(key);
        JsonNode found = node.get(key);
        if (found != null && !(found instanceof ObjectNode)) {
            problem(key, "must be a table, [%s%s], is %s".formatted(prefix, key, found));
        }
        return child(prefix + key + ".", found);
    }

    /** Each table of a list of tables, {@code [[key]]}, in order. */
    public <T> List<T> tables(String key, Function<TomlTable, T> reader) {
        known.add(key);
        if (described != null) {
            return List.of(reader.apply(child(prefix + key + "[].", null)));
        }
        JsonNode found = node.get(key);
        if (found == null) {
            return List.of();
        }
        if (!found.isArray()) {
            problem(key, "must be a list of tables, [[%s%s]], is %s".formatted(prefix, key, found));
            return List.of();
        }
        var read = new ArrayList<T>();
        for (int i = 0; i < found.size(); i++) {
            String at = "%s%s[%d]".formatted(prefix, key, i);
            if (!found.get(i).isObject()) {
                problems.add("%s must be a table, is %s".formatted(at, found.get(i)));
            }
            read.add(reader.apply(child(at + ".", found.get(i))));
        }
        return read;
    }

    /** Adds a problem that only the meaning of several keys shows; {@code false} adds it. */
    public void check(boolean holds, String key, String otherwise) {
        if (!holds && described == null) {
            problem(key, otherwise);
        }
    }

    void refuseUnknown() {
        for (String key : node.propertyNames()) {
            if (!known.contains(key)) {
                problem(key, "is not known here; known are " + String.join(", ", known));
            }
        }
        children.forEach(TomlTable::refuseUnknown);
    }

    private TomlTable child(String childPrefix, @Nullable JsonNode found) {
        var table =
                new TomlTable(
                        childPrefix,
                        found instanceof ObjectNode object ? object : emptyNode(),
                        problems,
                        settings,
                        described);
        children.add(table);
        return table;
    }

    private <T> Value<T> value(
            String key, String type, T standIn, Function<JsonNode, Optional<T>> convert) {
        known.add(key);
        JsonNode found = node.get(key);
        Optional<T> converted = found == null ? Optional.empty() : convert.apply(found);
        return new Value<>(this, key, type, standIn, found != null, converted);
    }

    private Optional<String> textOf(String key, JsonNode found) {
        return found.isString() && !found.stringValue().isBlank()
                ? Optional.of(found.stringValue())
                : problem(key, "must be a text, is " + found);
    }

    private <T> Optional<T> problem(String key, String sentence) {
        problems.add(prefix + key + " " + sentence);
        return Optional.empty();
    }

    private static ObjectNode emptyNode() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** One key that was asked for; say what holds when the file does not have it. */
    public static final class Value<T> {
        private final TomlTable table;
        private final String key;
        private final String type;
        private final T standIn;
        private final boolean present;
        private final Optional<T> read;

        private Value(
                TomlTable table,
                String key,
                String type,
                T standIn,
                boolean present,
                Optional<T> read) {
            this.table = table;
            this.key = key;
            this.type = type;
            this.standIn = standIn;
            this.present = present;
            this.read = read;
        }

        /** The value, or this default. */
        public T orElse(T fallback) {
            describe(String.valueOf(fallback));
            note(read.orElse(fallback));
            return read.orElse(fallback);
        }

        /** The value if there is one; {@code otherwise} says in a few words what holds then. */
        public Optional<T> optional(String otherwise) {
            describe(otherwise);
            note(read.isPresent() ? read.get() : otherwise);
            return read;
        }

        /** The value; a missing one is a problem, and what is returned for it is of no use. */
        public T required() {
            describe("required");
            if (!present && table.described == null) {
                table.problem(key, "is missing");
            }
            note(read.orElse(standIn));
            return read.orElse(standIn);
        }

        private void note(Object value) {
            table.settings.add(
                    new ConfigFile.Setting(
                            table.prefix + key, String.valueOf(value), read.isEmpty()));
        }

        private void describe(String fallback) {
            if (table.described != null) {
                table.described.add(new ConfigFile.Key(table.prefix + key, type, fallback));
            }
        }
    }
}
