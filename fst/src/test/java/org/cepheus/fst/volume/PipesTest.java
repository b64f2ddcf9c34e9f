package org.cepheus.fst.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.cepheus.domain.port.DataFile;
import org.cepheus.domain.port.PipedBytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another file stands for the socket: the kernel moves pages into either. */
class PipesTest {
    private static final int FILE_BYTES = 2_000_003;

    @TempDir Path directory;

    private final Pipes pipes = new Pipes();
    private final byte[] content = new byte[FILE_BYTES];
    private int file;

    @BeforeEach
    void makeFile() throws IOException, Posix.Failure {
        new Random(1).nextBytes(content);
        Path path = Files.write(directory.resolve("data"), content);
        file = Posix.open(path.toString(), Posix.O_RDONLY, 0);
    }

    @AfterEach
    void close() throws Posix.Failure {
        pipes.close();
        Posix.close(file);
    }

    private byte[] moved(PipedBytes bytes) throws IOException, Posix.Failure {
        Path to = Files.createTempFile(directory, "out", "");
        int out = Posix.open(to.toString(), Posix.O_RDWR, 0);
        try {
            while (bytes.left() > 0) {
                assertThat(bytes.moveTo(out)).isPositive();
            }
        } finally {
            Posix.close(out);
        }
        return Files.readAllBytes(to);
    }

    private byte[] part(long from, long to) {
        return Arrays.copyOfRange(content, (int) from, (int) to);
    }

    @Test
    void theLargestRangeFitsFromAnyOffsetToTheEndOfAPage() throws Exception {
        for (int offset : new int[] {0, 1, 4_095, 4_096, 700_001}) {
            int length = DataFile.MAX_PIPED_BYTES - offset % 4_096;
            try (PipedBytes bytes = pipes.fill(file, offset, length).orElseThrow()) {
                assertThat(bytes.left()).isEqualTo(length);
                assertThat(moved(bytes)).isEqualTo(part(offset, offset + length));
            }
        }
        assertThat(pipes.made()).isOne();
    }

    @Test
    void thereAreFewerOnlyAtTheEndOfTheFile() throws Exception {
        try (PipedBytes bytes = pipes.fill(file, FILE_BYTES - 10, 5_000).orElseThrow()) {
            assertThat(moved(bytes)).isEqualTo(part(FILE_BYTES - 10, FILE_BYTES));
        }
        try (PipedBytes bytes = pipes.fill(file, FILE_BYTES, 5_000).orElseThrow()) {
            assertThat(bytes.left()).isZero();
        }
    }

    @Test
    void aPipeWithBytesThatNeverLeftIsNotUsedAgain() throws Exception {
        pipes.fill(file, 0, 100_000).orElseThrow().close();

        assertThat(pipes.made()).isZero();
        try (PipedBytes bytes = pipes.fill(file, 5, 10).orElseThrow()) {
            assertThat(moved(bytes)).isEqualTo(part(5, 15));
        }
    }

    @Test
    void whoFindsAllTakenGetsNoneUntilOneIsGivenBack() throws Exception {
        List<PipedBytes> taken = new ArrayList<>();
        for (int i = 0; i < Pipes.MAX_PIPES; i++) {
            taken.add(pipes.fill(file, i, 1).orElseThrow());
        }
        assertThat(pipes.fill(file, 0, 1)).isEmpty();

        taken.getFirst().close();
        taken.getFirst().close(); // Twice changes nothing.

        Optional<PipedBytes> again = pipes.fill(file, 0, 1);
        assertThat(again).isPresent();
        assertThat(pipes.fill(file, 0, 1)).isEmpty();
        taken.forEach(PipedBytes::close);
        again.get().close();
        assertThat(pipes.made()).isZero();
    }

    @Test
    void whatIsNoFileOfThatKindIsCopiedFromThenOn() throws Exception {
        int folder = Posix.open(directory.toString(), Posix.O_RDONLY, 0);
        try {
            assertThat(pipes.fill(folder, 0, 10)).isEmpty();
        } catch (Posix.Failure e) {
            assertThat(e.errno()).isEqualTo(21); // EISDIR: some kernels look at that first.
            return;
        } finally {
            Posix.close(folder);
        }
        assertThat(pipes.fill(file, 0, 10)).isEmpty();
    }

    @Test
    void aFailureOfTheStorageIsNoShortRead() {
        assertThatThrownBy(() -> pipes.fill(-1, 0, 10)).isInstanceOf(Posix.Failure.class);
        assertThat(pipes.made()).isOne();
    }

    @Test
    void noneIsLeftAfterTheEnd() throws Exception {
        PipedBytes last = pipes.fill(file, 0, 10).orElseThrow();
        pipes.fill(file, 0, 10).orElseThrow().close();

        pipes.close();
        assertThat(pipes.fill(file, 0, 10)).isEmpty();
        last.close();

        assertThat(pipes.made()).isZero();
    }
}
