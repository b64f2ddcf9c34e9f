package org.cepheus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class ProgressTest {
    private final FakeTime time = new FakeTime(1);
    private final StringWriter err = new StringWriter();

    @Test
    void saysNothingAboutWhatIsDoneWithinASecond() {
        try (Progress progress = on(true)) {
            time.pass(Duration.ofMillis(900));
            progress.at(100, OptionalLong.of(200));
        }

        assertThat(err.toString()).isEmpty();
    }

    @Test
    void redrawsOneLineOnATerminalAndTakesItAway() {
        try (Progress progress = on(true)) {
            time.pass(Duration.ofSeconds(2));
            progress.at(500, OptionalLong.of(2_000));
            time.pass(Duration.ofMillis(50));
            progress.at(510, OptionalLong.of(2_000));
            time.pass(Duration.ofMillis(7_950));
            progress.at(1_500, OptionalLong.of(2_000));
        }

        assertThat(err.toString())
                .isEqualTo(
                        "\r\u001b[Kremoving /a: [##........]  25.0 % 500 of 2000 entries, 250/s, 6.0s left"
                                + "\r\u001b[Kremoving /a: [#######...]  75.0 % 1500 of 2000 entries, 150/s, 3.3s left"
                                + "\r\u001b[K");
    }

    @Test
    void writesALineEveryTenSecondsElsewhere() {
        try (Progress progress = on(false)) {
            for (int second = 1; second <= 25; second++) {
                time.pass(Duration.ofSeconds(1));
                progress.at(second * 10L, OptionalLong.empty());
            }
        }

        assertThat(err.toString())
                .isEqualTo(
                        """
                        removing /a: 100 entries, 10/s
                        removing /a: 200 entries, 10/s
                        """);
    }

    @Test
    void saysThatAGuessIsOne() {
        try (Progress progress = on(false)) {
            time.pass(Duration.ofSeconds(10));
            progress.about(100, 0);
            time.pass(Duration.ofSeconds(10));
            progress.about(1_000, 0.25);
        }

        assertThat(err.toString())
                .isEqualTo(
                        """
                        removing /a: 100 entries, 10/s
                        removing /a: [##........]  25.0 % 1000 of about 4000 entries, 50/s, about 1m 00s left
                        """);
    }

    private Progress on(boolean screen) {
        return new Progress(
                "removing /a",
                "entries",
                new PrintWriter(err),
                new Terminal(screen, screen, false, Optional.empty(), time));
    }
}
