package org.cepheus.cli;

import java.io.PrintWriter;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Commands as picocli's model, written out instead of annotated: nothing is found by reflection,
 * and a command is an option list and a function.
 */
public final class CommandTree {
    /** What a command does. */
    public interface Action {
        /**
         * Runs to its end.
         *
         * @param given the options and words of this command
         * @param out for data; talk goes to the error stream
         * @return one of {@link ExitCode}
         * @throws CommandFailure with the sentence to print
         */
        int run(ParseResult given, PrintWriter out) throws Exception;
    }

    private static final int HELP_WIDTH = 100;

    private CommandTree() {}

    /** A command that does something. Options and words are added by the caller. */
    public static CommandSpec command(String name, String about, Action action) {
        return described(CommandSpec.wrapWithoutInspection(action), name, about);
    }

    /** Adds lines to its help that work as they stand. */
    public static CommandSpec examples(CommandSpec command, String... lines) {
        command.usageMessage()
                .footerHeading("%nExamples:%n")
                .footer(Stream.of(lines).map(CommandTree::literal).toArray(String[]::new));
        return command;
    }

    /** As picocli prints it unchanged. */
    private static String literal(String line) {
        return "  " + line.replace("%", "%%");
    }

    /** A word before commands, such as {@code quota}; alone it prints what may follow. */
    public static CommandSpec noun(String name, String about, CommandSpec... verbs) {
        CommandSpec noun = command(name, about, CommandTree::printUsage);
        for (CommandSpec verb : verbs) {
            noun.addSubcommand(verb.name(), verb);
        }
        return noun;
    }

    private static int printUsage(ParseResult given, PrintWriter out) {
        given.commandSpec().commandLine().usage(given.commandSpec().commandLine().getErr());
        return ExitCode.USAGE;
    }

    private static CommandSpec described(CommandSpec spec, String name, String about) {
        spec.name(name);
        spec.usageMessage()
                .description(about.replace("%", "%%"))
                .synopsisSubcommandLabel("COMMAND")
                .width(HELP_WIDTH);
        spec.addOption(
                OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Show this text.")
                        .build());
        return spec;
    }

    /** The parser and runner of the whole tree. */
    public static CommandLine of(CommandSpec root) {
        return new CommandLine(root)
                .setExecutionStrategy(CommandTree::run)
                .setExecutionExceptionHandler(CommandTree::fail)
                .setParameterExceptionHandler(CommandTree::misuse)
                .setCaseInsensitiveEnumValuesAllowed(true);
    }

    private static int run(ParseResult all) {
        Integer help = CommandLine.executeHelpRequest(all);
        if (help != null) {
            return help;
        }
        ParseResult given = all;
        while (given.hasSubcommand()) {
            given = given.subcommand();
        }
        CommandLine line = given.commandSpec().commandLine();
        PrintWriter out = line.getOut();
        try {
            return ((Action) given.commandSpec().userObject()).run(given, out);
        } catch (Exception e) {
            throw new ExecutionException(line, String.valueOf(e.getMessage()), e);
        } finally {
            out.flush();
        }
    }

    private static int fail(Exception failure, CommandLine line, ParseResult given) {
        Throwable cause =
                failure instanceof ExecutionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        PrintWriter err = line.getErr();
        int code;
        if (cause instanceof CommandFailure known) {
            err.println("cepheus: " + known.getMessage());
            code = known.exitCode();
        } else {
            err.println(
                    "cepheus: this is a fault of the program; please report it with the lines below");
            cause.printStackTrace(err);
            code = ExitCode.FAILED;
        }
        err.flush();
        return code;
    }

    private static int misuse(CommandLine.ParameterException misuse, String[] args) {
        CommandLine line = misuse.getCommandLine();
        PrintWriter err = line.getErr();
        err.println("cepheus: " + misuse.getMessage());
        err.println("try: " + line.getCommandSpec().qualifiedName() + " --help");
        err.flush();
        return ExitCode.USAGE;
    }
}
