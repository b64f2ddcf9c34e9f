package org.cepheus.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cepheus.cli.ExitCode;
import org.cepheus.domain.Identity;
import org.cepheus.domain.loopback.FreePorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UpTest {
    private static final Identity ANNA = new Identity("anna", List.of("users"), true);

    @TempDir Path temporary;

    private final StringWriter err = new StringWriter();

    @Test
    void refusesATakenPortBeforeItTouchesTheDataDirectory() throws Exception {
        int base = FreePorts.firstOf(Ports.SPAN);
        Path data = temporary.resolve("data");
        try (var _ = new ServerSocket(base, 1, InetAddress.getByName(Ports.HOST))) {
            int code = run("up", "--data", data.toString(), "--port-base", "" + base);

            assertThat(code).isEqualTo(ExitCode.FAILED);
            assertThat(err.toString())
                    .startsWith(
                            "cepheus: port %d (XRootD at the MGM) on 127.0.0.1 is already taken"
                                    .formatted(base))
                    .hasLineCount(1);
            assertThat(data).doesNotExist();
        }
    }

    @Test
    void refusesAForeignDirectoryInOneSentence() throws Exception {
        Files.writeString(temporary.resolve("thesis.txt"), "mine");

        int code =
                run(
                        "up",
                        "--data",
                        temporary.toString(),
                        "--port-base",
                        "" + FreePorts.firstOf(Ports.SPAN));

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("it is not Cepheus'").hasLineCount(1);
    }

    @Test
    void refusesAPortBaseOutOfRange() {
        assertThat(run("up", "--port-base", "70000")).isEqualTo(ExitCode.USAGE);
        assertThat(run("up", "--port-base", "many")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void hintsNameTheDirectoryWhenItIsNotTheUsualOne() {
        var usual = new Hints(Ports.USUAL, Path.of("cepheus-data").toAbsolutePath(), ANNA);
        var other = new Hints(Ports.from(7_000), Path.of("/srv/my data"), ANNA);

        assertThat(usual.text())
                .startsWith("ready\n")
                .contains("xrdcp FILE root://127.0.0.1:1094//name\n")
                .contains("curl -L -T FILE http://127.0.0.1:8080/name\n")
                .contains("http://127.0.0.1:8081/\n")
                .contains("./cepheus status\n")
                .contains("HTTP acts as anna");
        assertThat(other.text())
                .contains("root://127.0.0.1:7000//name")
                .contains("./cepheus status --data '/srv/my data'\n");
    }

    private int run(String... words) {
        return Cepheus.commandLine()
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err, true))
                .execute(words);
    }
}
