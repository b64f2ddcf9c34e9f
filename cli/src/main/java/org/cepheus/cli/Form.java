package org.cepheus.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** What an answer is printed as: a table for people, or lines or JSON for scripts. */
enum Form {
    TABLE,
    KEYS,
    JSON;

    static CommandSpec addJson(CommandSpec command) {
        return command.addOption(
                OptionSpec.builder("--json")
                        .description("Print the answer of the REST API as JSON.")
                        .build());
    }

    static CommandSpec addKeys(CommandSpec command) {
        return command.addOption(
                OptionSpec.builder("-m", "--monitoring")
                        .description("Print one line of key=value for each row.")
                        .build());
    }

    static Form of(ParseResult given) {
        boolean keys = isGiven(given, "-m");
        boolean json = isGiven(given, "--json");
        if (keys && json) {
            throw new CommandFailure(ExitCode.USAGE, "give -m or --json, not both");
        }
        return keys ? KEYS : json ? JSON : TABLE;
    }

    private static boolean isGiven(ParseResult given, String option) {
        return given.hasMatchedOption(option);
    }
}
