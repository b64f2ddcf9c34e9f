package org.cepheus.app;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.cepheus.runtime.TomlTable;

/** How the lines of a server's log look. */
enum LogFormat {
    /** For people. */
    TEXT,
    /** One object for each line, for collectors of logs. */
    JSON;

    /** As options and files have it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Reads the key {@code log_format}. */
    static LogFormat from(TomlTable table) {
        String word = table.text("log_format").orElse(TEXT.word());
        Optional<LogFormat> found =
                Stream.of(values()).filter(each -> each.word().equals(word)).findFirst();
        table.check(
                found.isPresent(), "log_format", "must be text or json, is '%s'".formatted(word));
        return found.orElse(TEXT);
    }
}
