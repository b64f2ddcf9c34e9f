package org.cepheus.runtime;

import java.nio.file.Path;
import java.util.List;

/** A configuration that cannot be used, with everything that is wrong with it at once. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    public ConfigException(Path file, List<String> problems) {
        super("%s: %s".formatted(file, String.join("; ", problems)), null, false, false);
        this.problems = List.copyOf(problems);
    }

    /** One sentence per problem, each starting with the key it is about. */
    public List<String> problems() {
        return problems;
    }
}
