package org.cepheus.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.toml.TomlMapper;

/**
 * Reads one TOML file into a tree of records. The reader asks a {@link TomlTable} for every key it
 * knows, with its default beside it; what it did not ask for is refused.
 */
public final class ConfigFile {
    /** More than any configuration needs: a wrong file is refused before it is read. */
    static final long MAX_BYTES = 1 << 20;

    /** A key that a reader knows. {@code fallback} is its default, or how it may be absent. */
    public record Key(String path, String type, String fallback) {}

    /** What holds for a key; {@code value} of one that may be absent says what holds then. */
    public record Setting(String path, String value, boolean isDefault) {}

    private ConfigFile() {}

    /**
     * Reads the file.
     *
     * @throws ConfigException with every problem: a file that is missing or no TOML, unknown keys,
     *     missing keys, wrong types, values out of range
     */
    public static <T> T read(Path file, Function<TomlTable, T> reader) throws ConfigException {
        return read(file, reader, new ArrayList<>());
    }

    /**
     * Every key that a reader asks of a file, in that order, with the value that holds.
     *
     * @throws ConfigException as {@link #read}
     */
    public static List<Setting> settings(Path file, Function<TomlTable, ?> reader)
            throws ConfigException {
        var settings = new ArrayList<Setting>();
        var _ = read(file, reader, settings);
        return List.copyOf(settings);
    }

    private static <T> T read(Path file, Function<TomlTable, T> reader, List<Setting> settings)
            throws ConfigException {
        var problems = new ArrayList<String>();
        TomlTable root = TomlTable.root(parse(file), problems, settings);
        T config = reader.apply(root);
        root.refuseUnknown();
        if (!problems.isEmpty()) {
            throw new ConfigException(file, problems);
        }
        return config;
    }

    /** The keys a reader asks for, in that order: what the manual has to list. */
    public static List<Key> keys(Function<TomlTable, ?> reader) {
        var keys = new ArrayList<Key>();
        var _ = reader.apply(TomlTable.describing(keys));
        return List.copyOf(keys);
    }

    private static ObjectNode parse(Path file) throws ConfigException {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new ConfigException(
                        file,
                        List.of(
                                "the file has %d bytes, the limit is %d"
                                        .formatted(Files.size(file), MAX_BYTES)));
            }
            JsonNode tree = new TomlMapper().readTree(Files.readString(file));
            return tree instanceof ObjectNode table ? table : new TomlMapper().createObjectNode();
        } catch (NoSuchFileException e) {
            throw new ConfigException(file, List.of("there is no such file"));
        } catch (IOException e) {
            throw new ConfigException(file, List.of("cannot be read: " + e.getMessage()));
        } catch (JacksonException e) {
            var at = e.getLocation();
            throw new ConfigException(
                    file,
                    List.of(
                            "line %d, column %d: %s"
                                    .formatted(
                                            at.getLineNr(),
                                            at.getColumnNr(),
                                            e.getOriginalMessage())));
        }
    }
}
