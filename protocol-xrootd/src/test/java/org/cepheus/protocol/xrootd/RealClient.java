package org.cepheus.protocol.xrootd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.cepheus.domain.clients.RealClients;

/** Runs the clients of Debian's xrootd-client. */
final class RealClient {
    private static final int DEADLINE_SECONDS = 60;

    private RealClient() {}

    /** What a client printed, both outputs, and its exit code. */
    record Outcome(int code, String text) {
        Outcome succeeded() {
            assertThat(code).as(text).isZero();
            return this;
        }
    }

    /** Python with XrdCl 6; skips the test or fails it where that is missing. */
    static String python() {
        Optional<String> python =
                Optional.ofNullable(System.getProperty("cepheus.python"))
                        .filter(at -> Files.isExecutable(Path.of(at)));
        if (python.isEmpty()) {
            RealClients.missing("no Python with XrdCl 6: run ./dev packages");
        }
        return python.orElseThrow();
    }

    static Outcome run(String... command) throws IOException, InterruptedException {
        return run(List.of(), command);
    }

    /**
     * @param environment as NAME=value
     */
    static Outcome run(List<String> environment, String... command)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("client", ".txt");
        var line = new ArrayList<String>();
        line.add("env");
        line.addAll(environment);
        line.addAll(List.of(command));
        Process process =
                new ProcessBuilder(line)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            boolean ended = process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS);
            assertThat(ended)
                    .as("%s ended; it said %s", String.join(" ", line), Files.readString(output))
                    .isTrue();
            return new Outcome(process.exitValue(), Files.readString(output));
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(output);
        }
    }
}
