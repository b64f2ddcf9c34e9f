package org.cepheus.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code cepheus completion}: what a shell needs to complete words and options. */
final class CompletionCommand {
    private CompletionCommand() {}

    static CommandSpec spec() {
        CommandSpec command =
                CommandTree.command(
                        "completion",
                        "Print the script with which a shell completes commands and options.",
                        CompletionCommand::run);
        command.addPositional(
                PositionalParamSpec.builder()
                        .index("0")
                        .arity("0..1")
                        .type(String.class)
                        .paramLabel("SHELL")
                        .description("bash (the default), or zsh, which reads the same script.")
                        .build());
        return CommandTree.examples(
                command,
                "source <(./cepheus completion bash)",
                "./cepheus completion bash > /etc/bash_completion.d/cepheus",
                "autoload -U +X bashcompinit && bashcompinit; source <(./cepheus completion zsh)");
    }

    private static int run(ParseResult given, PrintWriter out) {
        String shell = given.matchedPositionalValue(0, "bash");
        if (!shell.equals("bash") && !shell.equals("zsh")) {
            throw new CommandFailure(
                    ExitCode.USAGE, "there is a script for bash and zsh, not for " + shell);
        }
        CommandLine root = given.commandSpec().root().commandLine();
        out.print(AutoComplete.bash(root.getCommandName(), root));
        return ExitCode.OK;
    }
}
