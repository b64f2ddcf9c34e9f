package org.cepheus.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What real clients have said: the sessions that the rooms of the protocols damage. */
public final class RecordedSessions {
    /** One side of a connection. */
    @SuppressWarnings("ArrayRecordComponent") // Read only, never compared.
    public record Session(String name, byte[] bytes) {}

    private RecordedSessions() {}

    /** Those that the clients of a room's servers said, by the end of their names. */
    public static List<Session> of(String room, String ending) {
        Path corpus = Tree.ROOT.resolve(room).resolve("src/test/resources/corpus");
        try (Stream<Path> files = Files.list(corpus)) {
            List<Session> sessions =
                    files.filter(file -> file.toString().endsWith(ending))
                            .sorted()
                            .map(RecordedSessions::read)
                            .toList();
            assertThat(sessions).as("sessions *%s of %s", ending, room).isNotEmpty();
            return sessions;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Session read(Path file) {
        try {
            return new Session(file.getFileName().toString(), Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
