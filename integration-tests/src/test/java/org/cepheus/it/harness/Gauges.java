package org.cepheus.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a server process says of itself at its admin port, and what the kernel says of it. */
public record Gauges(long pid, URI metrics) {
    private static final Pattern BUFFERS =
            Pattern.compile("^cepheus_buffer_bytes\\S* ([0-9.Ee+]+)$", Pattern.MULTILINE);

    /** Bytes of network buffers in use. */
    public long bufferBytes() {
        String text;
        try (var in = metrics.toURL().openStream()) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Matcher found = BUFFERS.matcher(text);
        assertThat(found.find()).as("cepheus_buffer_bytes in:%n%s", text).isTrue();
        return (long) Double.parseDouble(found.group(1));
    }

    public int threads() {
        return (int) status("Threads");
    }

    /** Files and sockets that are open. */
    public long descriptors() {
        try (Stream<Path> open = Files.list(Path.of("/proc/%d/fd".formatted(pid)))) {
            return open.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Memory that the process occupies now. */
    public long residentBytes() {
        return status("VmRSS") << 10;
    }

    private long status(String key) {
        try {
            return Files.readAllLines(Path.of("/proc/%d/status".formatted(pid))).stream()
                    .filter(line -> line.startsWith(key + ":"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
