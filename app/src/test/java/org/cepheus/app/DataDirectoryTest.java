package org.cepheus.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import org.cepheus.cli.CommandFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataDirectoryTest {
    @TempDir Path temporary;

    @Test
    void isMadeForItsOwnerAloneAndFoundAgain() throws Exception {
        Path root = temporary.resolve("deep/data");
        UUID cluster;

        try (var first = DataDirectory.open(root)) {
            cluster = first.cluster();
        }

        try (var second = DataDirectory.open(root)) {
            assertThat(second.cluster()).isEqualTo(cluster);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root)))
                .isEqualTo("rwx------");
    }

    @Test
    void takesAnEmptyDirectory() throws Exception {
        try (var data = DataDirectory.open(temporary)) {
            assertThat(data.root().resolve(DataDirectory.MARKER)).exists();
        }
    }

    @Test
    void takesOneThatWasLeftBeforeItsMarkerWasWhole() throws Exception {
        Files.writeString(temporary.resolve("cepheus.version.new"), "# Ceph");

        try (var data = DataDirectory.open(temporary)) {
            assertThat(data.root().resolve(DataDirectory.MARKER)).exists();
        }
    }

    @Test
    void refusesAForeignDirectoryAndTouchesNothing() throws Exception {
        Path other = Files.writeString(temporary.resolve("thesis.txt"), "mine");

        assertThatThrownBy(() -> DataDirectory.open(temporary))
                .isInstanceOf(CommandFailure.class)
                .hasMessage(
                        temporary
                                + " is not empty and has no cepheus.version, so it is not Cepheus'; choose another directory with --data");
        try (var left = Files.list(temporary)) {
            assertThat(left).containsExactly(other);
        }
    }

    @Test
    void refusesAFile() throws Exception {
        Path file = Files.writeString(temporary.resolve("file"), "");

        assertThatThrownBy(() -> DataDirectory.open(file))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("is no directory");
    }

    @Test
    void refusesTheFormatOfALaterVersion() throws Exception {
        Files.writeString(
                temporary.resolve(DataDirectory.MARKER),
                "format = 2\ncluster = " + UUID.randomUUID() + "\n");

        assertThatThrownBy(() -> DataDirectory.open(temporary))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("says format '2', and this version knows 1 only");
    }

    @Test
    void refusesADirectoryThatIsInUse() throws Exception {
        try (var _ = DataDirectory.open(temporary)) {
            assertThatThrownBy(() -> DataDirectory.open(temporary))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageStartingWith("another Cepheus process uses " + temporary);
        }

        try (var again = DataDirectory.open(temporary)) {
            assertThat(again.root()).isEqualTo(temporary);
        }
    }
}
