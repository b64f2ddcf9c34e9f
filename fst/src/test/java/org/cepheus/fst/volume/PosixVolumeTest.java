package org.cepheus.fst.volume;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.UUID;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PosixVolumeTest extends VolumeContract {
    private static final UUID CLUSTER = new UUID(0x0123456789abcdefL, 0x8123456789abcdefL);

    @TempDir Path root;

    @Override
    Volume volume() {
        return PosixVolume.open(1, root, CLUSTER, true);
    }

    @Test
    void labelsAnEmptyDirectoryOnceAndFindsItAgain() {
        String uuid = PosixVolume.open(1, root, CLUSTER, true).uuid();

        assertThat(PosixVolume.open(1, root, CLUSTER, true).uuid()).isEqualTo(uuid);
        assertThat(PosixVolume.open(1, root, CLUSTER, false).uuid()).isEqualTo(uuid);
    }

    @Test
    void theLabelKeepsItsBytes() {
        var label = new VolumeLabel(new UUID(1, 2), CLUSTER, 7, 3);

        assertThat(label.toText())
                .isEqualTo(
                        """
                        # Cepheus keeps data in this directory. Do not change this file.
                        version = 1
                        volume = 00000000-0000-0001-0000-000000000002
                        cluster = 01234567-89ab-cdef-8123-456789abcdef
                        id = 7
                        epoch = 3
                        """);
        assertThat(VolumeLabel.parse(label.toText(), "here")).isEqualTo(label);
    }

    @Test
    void refusesAPathWhereNothingIsMounted() {
        assertThatThrownBy(() -> PosixVolume.open(1, root, CLUSTER, false))
                .hasMessageContaining("volume 1 has no label")
                .hasMessageContaining("mount the file system");
    }

    @Test
    void refusesToMakeAVolumeOfADirectoryThatIsUsed() throws IOException {
        Files.writeString(root.resolve("thesis.tex"), "x");

        assertThatThrownBy(() -> PosixVolume.open(1, root, CLUSTER, true))
                .hasMessageContaining("is not empty (there is 'thesis.tex')");
        assertThat(root.resolve(VolumeLabel.FILE)).doesNotExist();
    }

    @Test
    void refusesTheVolumeOfAnotherClusterOrNumber() {
        PosixVolume.open(1, root, CLUSTER, true);

        assertThatThrownBy(() -> PosixVolume.open(1, root, new UUID(5, 6), false))
                .hasMessageContaining("belongs to cluster " + CLUSTER);
        assertThatThrownBy(() -> PosixVolume.open(2, root, CLUSTER, false))
                .hasMessageContaining("is volume 1, configured is 2");
    }

    @Test
    void refusesADamagedLabel() throws IOException {
        Files.writeString(root.resolve(VolumeLabel.FILE), "version = 2\n");
        assertThatThrownBy(() -> PosixVolume.open(1, root, CLUSTER, true))
                .hasMessageContaining("its version is 2, known is 1");

        Files.writeString(root.resolve(VolumeLabel.FILE), "version = 1\nid = 1\n");
        assertThatThrownBy(() -> PosixVolume.open(1, root, CLUSTER, true))
                .hasMessageContaining("it is incomplete");
    }

    @Test
    void dataFilesLieWhereTheirNumberSays() {
        try (PosixVolume volume = PosixVolume.open(1, root, CLUSTER, true)) {
            assertThat(root.relativize(volume.path(new ContentId(123_456, 0))))
                    .hasToString("0000000c/0001e240");
            assertThat(root.relativize(volume.path(new ContentId(0x1_0000_0000L * 20_000, 0))))
                    .hasToString("200000000/4e2000000000");
            assertThat(root.relativize(volume.path(new ContentId(1, 4))))
                    .hasToString("epoch-4/00000000/00000001");
        }
    }

    @Test
    void stopsMakingFilesWhenTheMountIsGone() throws IOException {
        try (Volume volume = volume()) {
            Files.delete(root.resolve(VolumeLabel.FILE));

            assertThatThrownBy(() -> volume.create(CONTENT)).hasMessageContaining("unmounted?");
        }
    }

    @Test
    void neitherForgetsNorDeniesWhatIsOnlyNotMounted() throws IOException {
        try (Volume volume = volume()) {
            Files.delete(root.resolve(VolumeLabel.FILE));

            assertThatThrownBy(() -> volume.open(CONTENT, false))
                    .hasMessageContaining("unmounted?");
            assertThatThrownBy(() -> volume.delete(CONTENT.dataId()))
                    .hasMessageContaining("unmounted?");
        }
    }

    @Test
    void hasNoRoomWhileAnotherVolumeIsMountedInItsPlace() throws IOException {
        try (Volume volume = volume()) {
            Path file = root.resolve(VolumeLabel.FILE);
            String label = Files.readString(file);
            Files.writeString(file, new VolumeLabel(new UUID(1, 2), CLUSTER, 1, 0).toText());

            assertThatThrownBy(volume::space).hasMessageContaining("is mounted at " + root);
            Files.writeString(file, label);
            assertThat(volume.space().totalBytes()).isPositive();
        }
    }

    @Test
    void theNoteOnAFileSaysWhoseItIs() throws IOException {
        try (PosixVolume volume = PosixVolume.open(1, root, CLUSTER, true);
                VolumeFile file = volume.create(CONTENT)) {
            Path path = volume.path(CONTENT);
            var view = Files.getFileAttributeView(path, UserDefinedFileAttributeView.class);
            assumeThat(Files.getFileStore(path).supportsFileAttributeView("user")).isTrue();
            var note =
                    new DataNote(
                            CLUSTER,
                            9,
                            CONTENT.dataId(),
                            4,
                            List.of(Checksum.of(ChecksumType.ADLER32, 0x11)));

            file.describe(note);

            var value = ByteBuffer.allocate(view.size("cepheus"));
            view.read("cepheus", value);
            assertThat(new String(value.array(), UTF_8))
                    .isEqualTo(
                            "version=1 cluster=01234567-89ab-cdef-8123-456789abcdef inode=9"
                                    + " dataId=123456 size=4 checksums=adler32:00000011");
        }
    }
}
