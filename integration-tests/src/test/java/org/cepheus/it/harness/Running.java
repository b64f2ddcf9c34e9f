package org.cepheus.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A process of ours. Its output goes to a file, so that nobody has to read along and nothing is
 * lost when it is killed.
 */
public final class Running {
    private final List<String> command;
    private final Process process;
    private final Path log;
    private final boolean removesLog;
    private final long startNanos = System.nanoTime();
    private Optional<String> said = Optional.empty();

    private Running(List<String> command, Process process, Path log, boolean removesLog) {
        this.command = command;
        this.process = process;
        this.log = log;
        this.removesLog = removesLog;
    }

    /** Starts it with both streams going to the end of {@code log}. */
    static Running start(
            List<String> command, Map<String, String> environment, Path directory, Path log) {
        return start(command, environment, directory, log, false);
    }

    /** The same with a log of its own, which is removed at the process' end. */
    static Running startOnce(
            List<String> command, Map<String, String> environment, Path directory) {
        try {
            Path log = Files.createTempFile("client", ".log");
            // For those that nobody waits for.
            log.toFile().deleteOnExit();
            return start(command, environment, directory, log, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Running start(
            List<String> command,
            Map<String, String> environment,
            Path directory,
            Path log,
            boolean removesLog) {
        var builder =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            return new Running(command, builder.start(), log, removesLog);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** Everything it has printed so far. */
    public String output() {
        if (said.isPresent()) {
            return said.get();
        }
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** kill -9, and gone when this returns. */
    public void kill() {
        process.destroyForcibly();
        waitFor(Duration.ofSeconds(10));
        removeLog();
    }

    /** Keeps what was said, so that not every client leaves a file behind. */
    private void removeLog() {
        if (removesLog && said.isEmpty()) {
            said = Optional.of(output());
            try {
                Files.delete(log);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Sends a signal such as INT; the process may live on. */
    public void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Waits for its end; a process that is not done by then is killed and fails the test. */
    public Run finish(Duration limit) {
        boolean ended = waitFor(limit);
        if (!ended) {
            process.destroyForcibly();
            waitFor(Duration.ofSeconds(10));
        }
        removeLog();
        var run =
                new Run(
                        command,
                        process.exitValue(),
                        output(),
                        Duration.ofNanos(System.nanoTime() - startNanos));
        if (!ended) {
            throw new AssertionError("not done after %d s: %s".formatted(limit.toSeconds(), run));
        }
        return run;
    }

    private boolean waitFor(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
