package org.cepheus.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.cepheus.cli.ExitCode;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** docs/operating/command-line.md and the help of each command, held against the commands. */
final class CommandPageTest {
    private static final Path PAGE =
            Path.of(
                    Objects.requireNonNull(System.getProperty("cepheus.root")),
                    "docs/operating/command-line.md");
    private static final int WIDTH = 100;

    static Stream<Arguments> commands() {
        return below(Cepheus.commandLine())
                .map(command -> Arguments.of(Named.of(name(command), command)));
    }

    private static Stream<CommandLine> below(CommandLine line) {
        return line.getSubcommands().isEmpty()
                ? Stream.of(line)
                : line.getSubcommands().values().stream().flatMap(CommandPageTest::below);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void thePageNamesEveryCommand(CommandLine command) throws IOException {
        String name = name(command);

        assertThat(Files.readString(PAGE)).as(name).containsPattern("`" + name + "[` ]");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void theHelpSaysWhatItDoesAndFitsATerminal(CommandLine command) {
        String help = command.getUsageMessage(Ansi.OFF);

        assertThat(help).startsWith("Usage: cepheus " + name(command));
        assertThat(help.lines().filter(line -> line.length() > WIDTH).toList())
                .as("too long for a terminal")
                .allMatch(line -> line.startsWith("  cepheus ") || line.contains("./cepheus"));
        assertThat(command.getCommandSpec().usageMessage().description()).isNotEmpty();
    }

    /** Those that ask a server show how they are used; of servers docs/operating says more. */
    @ParameterizedTest
    @MethodSource("commands")
    void theHelpHasLinesToCopy(CommandLine command) {
        if (!Stream.of("up", "mgm", "fst", "key fst").toList().contains(name(command))) {
            assertThat(command.getUsageMessage(Ansi.OFF)).contains("\nExamples:\n  ");
        }
    }

    @Test
    void thePageHasEveryExitCode() throws Exception {
        String page = Files.readString(PAGE);

        for (Field code : ExitCode.class.getFields()) {
            assertThat(page).contains("\n| %d | ".formatted(code.getInt(null)));
        }
    }

    private static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName().replaceFirst("^cepheus ", "");
    }
}
