package org.cepheus.jmh.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short form of {@code ./dev bench namespace}: what holds on any machine. */
final class ManyFilesTest {
    private static final Layout LAYOUT = new Layout(100_000);
    private static final double PATIENCE_SECONDS = 120;
    private static final double MAX_BYTES_PER_FILE = 150;
    private static final Duration RESTART = Duration.ofSeconds(30);

    @TempDir private Path directory;

    @Test
    void aHundredThousandFilesTakeLittleDiskAndAreThereAfterARestart() throws Exception {
        Path home = directory.resolve("many");
        try (var member = new FilledMember(home, LAYOUT)) {
            assertThat(member.fill(PATIENCE_SECONDS, _ -> {})).isEqualTo(LAYOUT.files());
            member.member().store().flush();
            assertThat((double) member.storeBytes() / LAYOUT.files())
                    .isLessThan(MAX_BYTES_PER_FILE);
        }

        long start = System.nanoTime();
        try (var member = new FilledMember(home, LAYOUT)) {
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(RESTART);
            assertThat(member.list(Layout.CROWD)).isEqualTo(LAYOUT.inCrowd());
            assertThat(member.list(LAYOUT.directory(LAYOUT.directories() - 1)))
                    .isEqualTo(Layout.IN_A_DIRECTORY);
            assertThat(member.fill(PATIENCE_SECONDS, _ -> {})).isEqualTo(LAYOUT.files());
        }
    }
}
