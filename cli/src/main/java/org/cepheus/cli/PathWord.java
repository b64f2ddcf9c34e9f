package org.cepheus.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** The word PATH of a command: where in the namespace. */
final class PathWord {
    private PathWord() {}

    static CommandSpec addTo(CommandSpec command) {
        return addTo(command, 0, "PATH", "Absolute path in the namespace.");
    }

    static CommandSpec addTo(CommandSpec command, int index, String label, String about) {
        return command.addPositional(
                PositionalParamSpec.builder()
                        .index(Integer.toString(index))
                        .required(true)
                        .type(String.class)
                        .paramLabel(label)
                        .description(about)
                        .build());
    }

    static String of(ParseResult given) {
        return of(given, 0);
    }

    static String of(ParseResult given, int index) {
        return given.matchedPositionalValue(index, "");
    }

    /** For a query parameter. */
    static String encoded(ParseResult given) {
        return AdminClient.encoded(of(given));
    }

    /** The path of an entry of a directory. */
    static String join(String directory, String name) {
        return directory.endsWith("/") ? directory + name : directory + "/" + name;
    }
}
