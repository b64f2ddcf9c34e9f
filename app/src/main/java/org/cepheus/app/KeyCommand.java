package org.cepheus.app;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.cepheus.auth.ClusterSecret;
import org.cepheus.auth.FstKeys;
import org.cepheus.cli.CommandFailure;
import org.cepheus.cli.CommandTree;
import org.cepheus.cli.ExitCode;
import org.cepheus.domain.FsException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code cepheus key fst}: the key of one FST, derived from the secret that the MGMs share. */
final class KeyCommand {
    private KeyCommand() {}

    static CommandSpec spec() {
        CommandSpec fst =
                CommandTree.command(
                        "fst",
                        "Print the key of one FST; write it to its key_file, mode 0600.",
                        KeyCommand::printFstKey);
        fst.addOption(
                OptionSpec.builder("--id")
                        .type(Integer.class)
                        .required(true)
                        .paramLabel("N")
                        .description("The FST's id.")
                        .build());
        fst.addOption(
                OptionSpec.builder("--secret-file")
                        .type(Path.class)
                        .required(true)
                        .paramLabel("FILE")
                        .description("The cluster secret of the MGMs.")
                        .build());
        return CommandTree.noun("key", "Keys between servers.", fst);
    }

    private static int printFstKey(ParseResult given, PrintWriter out) {
        int id = given.matchedOptionValue("--id", 0);
        Path secretFile = given.matchedOptionValue("--secret-file", Path.of(""));
        if (id < 1) {
            throw new CommandFailure(ExitCode.USAGE, "--id must be 1 or more, is " + id);
        }
        try {
            out.println(new FstKeys(ClusterSecret.read(secretFile)).keyOf(id).toText());
            return ExitCode.OK;
        } catch (FsException e) {
            throw new CommandFailure(ExitCode.FAILED, e.error().message());
        }
    }
}
