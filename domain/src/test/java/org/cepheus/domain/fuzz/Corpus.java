package org.cepheus.domain.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Sessions of real clients as they were recorded: what one side of a connection said, each. */
public record Corpus(List<Capture> captures) {
    /** What one side of a connection said. */
    @SuppressWarnings("ArrayRecordComponent") // Read only, never compared.
    public record Capture(String name, byte[] bytes) {}

    public Corpus {
        captures = List.copyOf(captures);
    }

    /** Those of the directory {@code corpus} among the room's test resources with that ending. */
    public static Corpus of(Class<?> room, String ending) {
        try {
            Path directory = Path.of(Objects.requireNonNull(room.getResource("/corpus")).toURI());
            var captures = new ArrayList<Capture>();
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.sorted().toList()) {
                    String name = file.getFileName().toString();
                    if (name.endsWith(ending)) {
                        captures.add(new Capture(name, Files.readAllBytes(file)));
                    }
                }
            }
            assertThat(captures).as("captures *%s", ending).isNotEmpty();
            return new Corpus(captures);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
