package org.cepheus.app;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cepheus.cli.CommandTree;
import org.cepheus.cli.ExitCode;
import org.cepheus.cli.ServerSettings;
import org.cepheus.cli.Terminal;
import org.cepheus.cli.TextRows;
import org.cepheus.runtime.ConfigException;
import org.cepheus.runtime.ConfigFile;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code cepheus config check|show}: the files of servers, without starting any. */
final class ConfigCommands {
    private final Terminal terminal;

    ConfigCommands(Terminal terminal) {
        this.terminal = terminal;
    }

    CommandSpec spec() {
        return CommandTree.noun(
                "config", "Files of servers: check them, show what holds.", check(), show());
    }

    private CommandSpec check() {
        CommandSpec check =
                TextRows.addTo(
                        CommandTree.command(
                                "check",
                                "Report every problem of configuration files, of the secrets and keys they name, and"
                                        + " of what they say differently about one cluster. Nothing is started.",
                                this::runCheck));
        check.addPositional(
                PositionalParamSpec.builder()
                        .index("0..*")
                        .arity("1..*")
                        .type(List.class)
                        .auxiliaryTypes(Path.class)
                        .paramLabel("FILE")
                        .description("Files of MGMs and FSTs; those of one cluster together.")
                        .build());
        return CommandTree.examples(
                check,
                "cepheus config check /srv/cepheus/*.toml",
                "cepheus config check /etc/cepheus/fst.toml");
    }

    private CommandSpec show() {
        CommandSpec show =
                ServerSettings.addTo(
                        TextRows.addTo(
                                CommandTree.command(
                                        "show",
                                        "Show every key of a configuration file with the value that holds, and whether it is"
                                                + " the default; or ask a running server for its own. Secrets are files and are not read.",
                                        this::runShow)));
        show.addPositional(
                PositionalParamSpec.builder()
                        .index("0")
                        .arity("0..1")
                        .type(Path.class)
                        .paramLabel("FILE")
                        .description(
                                "The file of an MGM or FST; without one the running server is asked.")
                        .build());
        return CommandTree.examples(
                show,
                "cepheus config show /srv/cepheus/mgm1.toml",
                "cepheus config show /srv/cepheus/mgm1.toml --filter from=default",
                "cepheus config show --data /srv/cepheus");
    }

    private int runCheck(ParseResult given, PrintWriter out) {
        List<Path> files = given.matchedPositionalValue(0, List.of());
        List<List<String>> rows =
                ConfigCheck.of(files).stream()
                        .map(found -> List.of(found.file(), found.sentence()))
                        .toList();
        if (rows.isEmpty() && TextRows.isForPeople(given)) {
            out.println(files.size() == 1 ? "no problems" : "no problems in all of them");
            return ExitCode.OK;
        }
        TextRows.print(given, out, terminal, "problems", List.of("file", "problem"), rows);
        return rows.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private int runShow(ParseResult given, PrintWriter out) {
        List<List<String>> rows =
                given.hasMatchedPositional(0)
                        ? settings(given.matchedPositionalValue(0, Path.of("")))
                        : ServerSettings.rows(given);
        TextRows.print(given, out, terminal, "settings", List.of("key", "value", "from"), rows);
        return ExitCode.OK;
    }

    private static List<List<String>> settings(Path file) {
        var rows = new ArrayList<List<String>>();
        try {
            for (ConfigFile.Setting each : ConfigFile.settings(file, ServerFile::from)) {
                rows.add(List.of(each.path(), each.value(), each.isDefault() ? "default" : "file"));
            }
        } catch (ConfigException e) {
            throw ServerCommands.unusable(file, e);
        }
        return rows;
    }
}
