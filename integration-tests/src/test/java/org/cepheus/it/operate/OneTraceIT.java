package org.cepheus.it.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The trace id that a client was told finds its request in the log and in the audit log. */
class OneTraceIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Pattern TOLD = Pattern.compile("under trace ([0-9a-f]{16})");
    private static final Pattern HEADER = Pattern.compile("(?i)X-Trace-Id: ([0-9a-f]{16})");
    private static final List<String> VOLUMES = List.of("volume1", "volume2");

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    @Test
    void aFaultOfTheStorageIsInTheLogUnderTheTraceOfItsClient() throws IOException {
        Sample sample = Sample.write(directory.resolve("sample"), 1_000, 1);
        // As on a mount point without its mount; in the same second the MGM has not heard of it.
        for (String volume : VOLUMES) {
            Files.move(label(volume), aside(volume));
        }

        Run put =
                Client.named("curl")
                        .run("-sS", "-i", "-L", "-T", sample.file(), UP.get().http("/lost"));

        for (String volume : VOLUMES) {
            Files.move(aside(volume), label(volume));
        }
        assertThat(put.output()).as(put::toString).contains("the storage of volume");
        String trace = trace(TOLD, put);
        Deadline.await(
                "a line of the log about trace " + trace,
                SOON,
                () ->
                        lines("cepheus.log")
                                .anyMatch(line ->
                                        line.contains("WARN")
                                                && line.contains("/lost: the label of volume")
                                                && line.endsWith("trace=" + trace)));
    }

    @Test
    void aRefusalIsInTheAuditLogUnderTheTraceOfItsClient() {
        Sample sample = Sample.write(directory.resolve("sample"), 5_000, 1);
        Client.named("xrdfs").run(UP.get().server(), "mkdir", "/full").succeeded();
        UP.get().cli("quota", "set", "/full", "--bytes", "1KiB").succeeded();

        Run put =
                Client.named("curl")
                        .run("-sS", "-i", "-L", "-T", sample.file(), UP.get().http("/full/file"));

        String trace = trace(HEADER, put);
        Deadline.await(
                "a line of the audit log about trace " + trace,
                SOON,
                () -> lines("audit.jsonl").anyMatch(line -> line.contains(trace)));
        assertThat(lines("audit.jsonl").filter(line -> line.contains(trace)))
                .first()
                .asString()
                .contains(
                        "\"result\":\"refused\"",
                        "\"object\":\"/full/file\"",
                        "\"code\":\"QuotaExceeded\"",
                        "\"user\":");
        assertThat(lines("audit.jsonl"))
                .as("what was done is there, too")
                .anyMatch(line ->
                        line.contains("\"result\":\"allowed\"") && line.contains("\"/full\""));
    }

    private static Path label(String volume) {
        return UP.get().data().resolve(volume).resolve("cepheus-volume");
    }

    private static Path aside(String volume) {
        return UP.get().data().resolve(volume + ".label");
    }

    private static String trace(Pattern pattern, Run run) {
        return pattern.matcher(run.output())
                .results()
                .reduce((_, b) -> b)
                .orElseThrow(() -> new AssertionError("no trace in " + run))
                .group(1);
    }

    private static Stream<String> lines(String file) {
        try {
            return Files.readString(UP.get().data().resolve(file)).lines();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
