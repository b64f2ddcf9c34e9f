package org.cepheus.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.cepheus.cli.ExitCode;
import org.cepheus.runtime.ConfigFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigurationTest {
    private static final Path MANUAL =
            Path.of(Objects.requireNonNull(System.getProperty("cepheus.root")), "docs/operating");

    @TempDir Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void theManualListsEveryKeyOfAnMgm() throws Exception {
        assertThat(rowsOf("## mgm.toml")).isEqualTo(rows(ConfigFile.keys(MgmFile::from)));
    }

    @Test
    void theManualListsEveryKeyOfAnFst() throws Exception {
        assertThat(rowsOf("## fst.toml")).isEqualTo(rows(ConfigFile.keys(FstFile::from)));
    }

    @Test
    void theExamplesHaveNoProblems() {
        for (String server : List.of("mgm", "fst")) {
            Path example = MANUAL.resolve(server + ".toml");

            int code = run(server, "--config", example.toString(), "--check-config");

            assertThat(err.toString()).isEmpty();
            assertThat(code).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    void reportsEveryProblemOfAnMgmAtOnce() throws Exception {
        Path file =
                write(
                        """
                        member = "mgm9"
                        cluster = "red"
                        colour = "blue"
                        [[members]]
                        id = "mgm1"
                        host = "192.0.2.1"
                        [[members]]
                        id = "mgm1"
                        """);

        int code = run("mgm", "--config", file.toString(), "--check-config");

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString().lines())
                .containsExactly(
                        "cepheus: " + file + " cannot be used:",
                        "  data is missing",
                        "  secret_file is missing",
                        "  members[0].host '192.0.2.1' is not this machine's loopback: without logins a server listens nowhere else",
                        "  members names 'mgm1' twice",
                        "  members must be 1, 3, 5 or 7, are 2",
                        "  member 'mgm9' is none of members",
                        "  cluster must be an UUID, is 'red'",
                        "  colour is not known here; known are member, cluster, data, secret_file, admin_token_file, audit_file, kept_entries, buffer_limit_mib, log_format, members");
    }

    @Test
    void reportsEveryProblemOfAnFstAtOnce() throws Exception {
        Path file =
                write(
                        """
                        id = 0
                        cluster = "5f0c8a52-7c3e-4d0e-9b7a-0d6f3c1b2a94"
                        key_file = "k"
                        mgms = ["127.0.0.1"]
                        buffer_limit_mib = 1
                        log_format = "xml"
                        stream_bytes_per_second = 5
                        [[volume]]
                        id = 1
                        path = "/a"
                        [[volume]]
                        id = 1
                        """);

        int code = run("fst", "--config", file.toString());

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString().lines())
                .containsExactly(
                        "cepheus: " + file + " cannot be used:",
                        "  id must be a number 1..1000000, is 0",
                        "  buffer_limit_mib must be a number 4..1048576, is 1",
                        "  log_format must be text or json, is 'xml'",
                        "  stream_bytes_per_second must be a number 1048576..2147483647, is 5",
                        "  volume[1].path is missing",
                        "  mgms must hold HOST:PORT of control ports, holds '127.0.0.1'",
                        "  volume has id 1 twice");
    }

    @Test
    void needsAFile() {
        assertThat(run("mgm")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("--config");
    }

    private static List<String> rows(List<ConfigFile.Key> keys) {
        return keys.stream()
                .map(key -> "| `%s` | %s | %s |".formatted(key.path(), key.type(), key.fallback()))
                .toList();
    }

    private static List<String> rowsOf(String heading) throws IOException {
        return Files.readAllLines(MANUAL.resolve("configuration.md")).stream()
                .dropWhile(line -> !line.equals(heading))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("| `"))
                .toList();
    }

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("test.toml"), text);
    }

    private int run(String... words) {
        return Cepheus.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words);
    }
}
