package org.cepheus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CompletionTest {
    private final Shell shell;

    CompletionTest() throws IOException {
        shell = new Shell();
    }

    @AfterEach
    void stop() throws IOException {
        shell.close();
    }

    @Test
    void bashCompletesVerbsAndOptions() throws Exception {
        assertThat(shell.runAsIs("completion", "bash")).isEqualTo(ExitCode.OK);
        Path script = Files.writeString(shell.data.resolve("completion"), shell.out());

        assertThat(complete(script, "cepheus", "quota", "")).contains("ls", "set", "rm");
        assertThat(complete(script, "cepheus", "quota", "ls", "--so"))
                .contains("--sort")
                .doesNotContain("--json");
    }

    @Test
    void knowsTwoShells() {
        assertThat(shell.runAsIs("completion", "tcsh")).isEqualTo(ExitCode.USAGE);
    }

    /** Asks bash what it would offer for the last word. */
    private static List<String> complete(Path script, String... words) throws Exception {
        var command =
                new ArrayList<>(
                        List.of(
                                "bash",
                                "-c",
                                """
                                source "$1"; shift
                                COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
                                _complete_cepheus; printf '%s\n' "${COMPREPLY[@]}"
                                """,
                                "bash",
                                script.toString()));
        command.addAll(List.of(words));
        Process bash = new ProcessBuilder(command).redirectErrorStream(true).start();
        String offered = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return offered.lines().map(String::strip).toList();
    }
}
