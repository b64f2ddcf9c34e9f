package org.cepheus.it.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a collector of logs gets of a server that logs JSON. */
class JsonLogIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Pattern TOLD = Pattern.compile("under trace ([0-9a-f]{16})");
    private static final List<String> VOLUMES = List.of("volume1", "volume2");

    @RegisterExtension static final SharedUp UP = new SharedUp("--log-format", "json");

    @TempDir Path directory;

    @Test
    void theLineOfARequestIsADocumentWithTheTraceThatTheClientSaw() throws IOException {
        Path file = Sample.write(directory.resolve("sample"), 1_000, 1).file();
        // As on a mount point without its mount.
        for (String volume : VOLUMES) {
            Files.move(label(volume), aside(volume));
        }
        Run put =
                Client.named("curl")
                        .run("-sS", "-L", "-T", file, UP.get().http("/say%20%22so%22"))
                        .said("the storage of volume");
        for (String volume : VOLUMES) {
            Files.move(aside(volume), label(volume));
        }

        String trace =
                TOLD.matcher(put.output())
                        .results()
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("no trace in " + put))
                        .group(1);
        Deadline.await(() -> "a line about " + trace, SOON, () -> !lines(trace).isEmpty());
        JsonNode line = lines(trace).getFirst();
        assertThat(line.path("level").asString()).isEqualTo("WARN");
        assertThat(line.path("message").asString()).contains("/say \"so\": the label of volume");
        assertThat(line.path("time").asString()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
    }

    /** Of the whole log, whose lines all have to be documents. */
    private static List<JsonNode> lines(String trace) {
        return UP.get()
                .log()
                .lines()
                .map(JsonMapper.shared()::readTree)
                .filter(line -> line.path("trace").asString("").equals(trace))
                .toList();
    }

    private static Path label(String volume) {
        return UP.get().data().resolve(volume).resolve("cepheus-volume");
    }

    private static Path aside(String volume) {
        return UP.get().data().resolve(volume + ".label");
    }
}
