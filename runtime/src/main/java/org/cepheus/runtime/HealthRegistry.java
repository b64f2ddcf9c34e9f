package org.cepheus.runtime;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The named checks of a process: each says whether it is well and, if not, what to do. */
public final class HealthRegistry {
    /** The most checks of one process. */
    public static final int MAX_CHECKS = 256;

    private static final Logger LOG = LoggerFactory.getLogger(HealthRegistry.class);

    /** How bad it is; the order counts. */
    public enum Level {
        OK,
        WARN,
        ERROR;

        /** The word in JSON and on the command line. */
        public String word() {
            return switch (this) {
                case OK -> "ok";
                case WARN -> "warn";
                case ERROR -> "error";
            };
        }
    }

    /** What a check says: what it saw and, unless all is well, what that is called. */
    public record Result(Optional<HealthCode> found, String message) {
        public static Result ok(String message) {
            return new Result(Optional.empty(), message);
        }

        /** Something is wrong; the message names the thing and the value. */
        public static Result found(HealthCode code, String message) {
            return new Result(Optional.of(code), message);
        }

        public Level level() {
            return found.map(HealthCode::level).orElse(Level.OK);
        }
    }

    /** One check and its result now. */
    public record Finding(String check, Result result) {}

    /** Everything at one moment: the worst level, and each check in order of names. */
    public record Report(Level worst, List<Finding> findings) {
        public Report {
            findings = List.copyOf(findings);
        }
    }

    private final Map<String, Supplier<Result>> checks = new ConcurrentSkipListMap<>();

    /**
     * Adds a check, or replaces the one of that name. It is asked on the thread of whoever wants to
     * know, so it must answer from memory.
     */
    public void register(String name, Supplier<Result> check) {
        if (checks.size() >= MAX_CHECKS && !checks.containsKey(name)) {
            throw new IllegalStateException("more than " + MAX_CHECKS + " health checks");
        }
        checks.put(name, check);
    }

    /** Asks every check. A check that fails itself is an error. */
    public Report report() {
        List<Finding> findings =
                checks.entrySet().stream()
                        .map(each ->
                                new Finding(each.getKey(), ask(each.getKey(), each.getValue())))
                        .toList();
        Level worst =
                findings.stream()
                        .map(finding -> finding.result().level())
                        .max(Comparator.naturalOrder())
                        .orElse(Level.OK);
        return new Report(worst, findings);
    }

    private static Result ask(String name, Supplier<Result> check) {
        try {
            return check.get();
        } catch (RuntimeException e) {
            LOG.error("the health check {} failed", name, e);
            return Result.found(HealthCode.CHECK_FAILED, "the check itself failed: " + e);
        }
    }
}
