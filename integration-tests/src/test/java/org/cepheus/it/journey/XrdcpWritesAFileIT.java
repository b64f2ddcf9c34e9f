package org.cepheus.it.journey;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** docs/journeys/xrdcp-writes-a-file.md, walked. */
class XrdcpWritesAFileIT {
    private static final Pattern TRACE = Pattern.compile("\"trace\":\"([0-9a-f]{16})\"");

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    @Test
    void theNameAppearsWithSizeOwnerAndChecksum() {
        Sample sample = Sample.write(directory.resolve("sample"), 3_000_001, 1);

        Client.named("xrdcp")
                .run("--cksum", "adler32", sample.file(), UP.get().root("/journey"))
                .succeeded();

        JsonNode entry = UP.get().rest("namespace?path=/journey");
        assertThat(entry.path("kind").asString()).isEqualTo("file");
        assertThat(entry.path("sizeBytes").asLong()).isEqualTo(sample.sizeBytes());
        assertThat(entry.path("owner").asString()).isEqualTo(System.getProperty("user.name"));
        assertThat(entry.path("checksums").path("adler32").asString()).isEqualTo(sample.adler32());
    }

    @Test
    void theBytesLieInOneDataFileNamedByANumber() {
        List<Path> before = UP.get().dataFiles();
        Sample sample = Sample.write(directory.resolve("sample"), 1_500_000, 2);

        Client.named("xrdcp").run(sample.file(), UP.get().root("/bytes")).succeeded();

        List<Path> after = UP.get().dataFiles();
        assertThat(after).containsAll(before).hasSize(before.size() + 1);
        Path added = after.stream().filter(file -> !before.contains(file)).findAny().orElseThrow();
        assertThat(Sample.adler32Of(added)).isEqualTo(sample.adler32());
    }

    @Test
    void theBytesComeBackTheSame() {
        Sample sample = Sample.write(directory.resolve("sample"), 20_000_000, 3);
        Path copy = directory.resolve("copy");
        Client.named("xrdcp").run(sample.file(), UP.get().root("/back")).succeeded();

        Client.named("xrdcp").run("--cksum", "adler32", UP.get().root("/back"), copy).succeeded();

        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
    }

    @Test
    void oneTraceIdFollowsTheFile() throws IOException {
        Sample sample = Sample.write(directory.resolve("sample"), 1_000, 4);

        Client.named("xrdcp").run(sample.file(), UP.get().root("/traced")).succeeded();

        List<String> lines =
                Files.readAllLines(UP.get().data().resolve("audit.jsonl")).stream()
                        .filter(line -> line.contains("/traced"))
                        .toList();
        assertThat(lines).as("the open and the commit").hasSizeGreaterThanOrEqualTo(2);
        assertThat(lines.stream().map(XrdcpWritesAFileIT::trace).distinct()).hasSize(1);
    }

    private static String trace(String line) {
        var matcher = TRACE.matcher(line);
        assertThat(matcher.find()).as(line).isTrue();
        return matcher.group(1);
    }
}
