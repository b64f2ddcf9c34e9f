package org.cepheus.fst.volume;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.junit.jupiter.api.Test;

/** What every volume does. */
abstract class VolumeContract {
    static final ContentId CONTENT = new ContentId(123_456, 0);

    abstract Volume volume();

    static ByteBuffer bytes(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    static String read(VolumeFile file, long offset, int length) {
        var buffer = ByteBuffer.allocate(length);
        int got = file.read(offset, buffer);
        return new String(buffer.array(), 0, got, UTF_8);
    }

    @Test
    void readsBackWhatWasWrittenInAnyOrder() {
        Volume volume = volume();

        try (VolumeFile file = volume.create(CONTENT)) {
            file.write(6, bytes("wor"), bytes("ld"));
            file.write(0, ByteBuffer.wrap("hello ".getBytes(UTF_8)));
            file.startWriteback(0, 11);
            file.sync();
        }

        try (VolumeFile file = volume.open(CONTENT, false)) {
            assertThat(file.sizeBytes()).isEqualTo(11);
            assertThat(read(file, 0, 100)).isEqualTo("hello world");
            assertThat(read(file, 8, 2)).isEqualTo("rl");
            assertThat(read(file, 11, 5)).isEmpty();
            assertThat(read(file, 100, 5)).isEmpty();
        }
    }

    @Test
    void fillsMoreBuffersThanOneCallTakes() {
        try (VolumeFile file = volume().create(CONTENT)) {
            var out = new ByteBuffer[3_000];
            var in = new ByteBuffer[3_000];
            for (int i = 0; i < out.length; i++) {
                out[i] = bytes("%04d".formatted(i));
                in[i] = ByteBuffer.allocateDirect(4);
            }

            file.write(0, out);

            assertThat(file.read(0, in)).isEqualTo(12_000);
            assertThat(UTF_8.decode(in[2_999].flip()).toString()).isEqualTo("2999");
            assertThat(out[2_999].hasRemaining()).isFalse();
        }
    }

    @Test
    void makesAContentOnlyOnce() {
        Volume volume = volume();
        volume.create(CONTENT).close();

        assertThatThrownBy(() -> volume.create(CONTENT))
                .isInstanceOfSatisfying(
                        FsException.class,
                        e -> assertThat(e.error()).isInstanceOf(FsError.AlreadyExists.class));
    }

    @Test
    void saysThatAContentIsMissing() {
        Volume volume = volume();

        assertThatThrownBy(() -> volume.open(CONTENT, false))
                .isInstanceOfSatisfying(
                        FsException.class,
                        e -> assertThat(e.error()).isInstanceOf(FsError.NotFound.class));
    }

    @Test
    void readersKeepWhatIsDeleted() {
        Volume volume = volume();
        try (VolumeFile writing = volume.create(CONTENT)) {
            writing.write(0, bytes("old"));
        }

        try (VolumeFile reading = volume.open(CONTENT, false)) {
            volume.delete(CONTENT.dataId());
            volume.delete(CONTENT.dataId());

            assertThat(read(reading, 0, 3)).isEqualTo("old");
        }
        assertThatThrownBy(() -> volume.open(CONTENT, false)).isInstanceOf(FsException.class);
    }

    @Test
    void truncatesAndGrows() {
        try (VolumeFile file = volume().create(CONTENT)) {
            file.write(0, bytes("hello"));

            file.truncate(2);
            assertThat(read(file, 0, 9)).isEqualTo("he");

            file.truncate(4);
            assertThat(read(file, 0, 9)).isEqualTo("he\0\0");
        }
    }

    @Test
    void aLaterEpochDoesNotSeeItsOwnFilesInAnEarlierOne() {
        Volume volume = volume();
        volume.create(CONTENT).close();
        volume.enterEpoch(2);
        var later = new ContentId(CONTENT.dataId() + 1, 2);
        volume.create(later).close();

        volume.open(new ContentId(CONTENT.dataId(), 2), false).close();
        assertThatThrownBy(() -> volume.open(new ContentId(later.dataId(), 0), false))
                .isInstanceOf(FsException.class);
        volume.delete(CONTENT.dataId());
        assertThatThrownBy(() -> volume.open(new ContentId(CONTENT.dataId(), 2), false))
                .isInstanceOf(FsException.class);
    }

    @Test
    void refusesAnMgmThatRunsOnAnOlderState() {
        Volume volume = volume();
        volume.enterEpoch(2);

        assertThatThrownBy(() -> volume.enterEpoch(1))
                .hasMessageContaining("has seen restore epoch 2, the MGM is at 1");
    }

    @Test
    void takesNotesAndTellsItsRoom() {
        Volume volume = volume();
        try (VolumeFile file = volume.create(CONTENT)) {
            file.describe(new DataNote(new UUID(1, 2), 3, CONTENT.dataId(), 0, List.of()));
        }

        assertThat(volume.space().totalBytes()).isPositive();
        assertThat(volume.space().freeBytes()).isPositive();
    }
}
