package org.cepheus.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;

/** A program that has run to its end, with what it printed on both streams. */
public record Run(List<String> command, int exitCode, String output, Duration took) {
    public Run {
        command = List.copyOf(command);
    }

    /** Fails the test with everything the program said, unless it exited with 0. */
    public Run succeeded() {
        assertThat(exitCode).as(this::toString).isZero();
        return this;
    }

    /**
     * Fails the test with everything the program said, unless it exited with another code than 0.
     */
    public Run failed() {
        assertThat(exitCode).as(this::toString).isNotZero();
        return this;
    }

    /** Fails the test unless the program said all of that. */
    public Run said(String... words) {
        assertThat(output).as(this::toString).contains(words);
        return this;
    }

    /** The same for words whose case means nothing, such as HTTP headers. */
    public Run saidInAnyCase(String... words) {
        for (String word : words) {
            assertThat(output).as(this::toString).containsIgnoringCase(word);
        }
        return this;
    }

    /** What it printed, without the end of the last line. */
    public String text() {
        return output.strip();
    }

    @Override
    public String toString() {
        return "%s%nexit code %d after %d ms:%n%s"
                .formatted(String.join(" ", command), exitCode, took.toMillis(), output);
    }
}
