package org.cepheus.runtime;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.cepheus.domain.port.Metrics;

/**
 * Counts for Prometheus. Every meter carries {@code part}, the member it is about, because {@code
 * up} runs several in one process; {@code jvm_…}, {@code process_…} and {@code system_…} are of the
 * process and do without. All are in {@code docs/operating/metrics.md}.
 */
public final class MicrometerMetrics implements Metrics {
    /** The most combinations of labels per part: whatever comes after them counts as "other". */
    static final int MAX_SERIES = 2_000;

    private static final String PREFIX = "cepheus_";

    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(10),
        Duration.ofMillis(100),
        Duration.ofSeconds(1),
        Duration.ofSeconds(10)
    };

    /** For one series of many events. */
    private static final Duration[] FINE_BUCKETS = {
        Duration.ofNanos(100_000),
        Duration.ofNanos(300_000),
        Duration.ofMillis(1),
        Duration.ofMillis(3),
        Duration.ofMillis(10),
        Duration.ofMillis(30),
        Duration.ofMillis(100),
        Duration.ofMillis(300),
        Duration.ofSeconds(1),
        Duration.ofSeconds(10)
    };

    private record Operation(String protocol, String operation, String result) {}

    private record Direction(String protocol, boolean received) {}

    private final PrometheusMeterRegistry registry;
    private final Tables tables;
    private final String part;
    private final Map<Operation, Timer> operations = new ConcurrentHashMap<>();
    private final Map<Direction, Counter> directions = new ConcurrentHashMap<>();

    private MicrometerMetrics(PrometheusMeterRegistry registry, Tables tables, String part) {
        this.registry = registry;
        this.tables = tables;
        this.part = part;
    }

    /** The meters of one part, with those of the process. */
    public static MicrometerMetrics of(String part) {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        return new MicrometerMetrics(registry, new Tables(), part);
    }

    /** The meters of another part of this process, shown by the same {@link #prometheusText}. */
    public MicrometerMetrics beside(String otherPart) {
        return new MicrometerMetrics(registry, tables, otherPart);
    }

    @Override
    public void operation(String protocol, String operation, String result, long nanos) {
        var key = new Operation(protocol, operation, result);
        Timer timer = operations.get(key);
        if (timer == null) {
            var kept =
                    operations.size() < MAX_SERIES ? key : new Operation("other", "other", "other");
            timer = operations.computeIfAbsent(kept, this::timer);
        }
        timer.record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Operation key) {
        return Timer.builder("cepheus.operation")
                .description("requests answered, by their result")
                .tags("part", part)
                .tags("protocol", key.protocol())
                .tags("operation", key.operation())
                .tags("result", key.result())
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    @Override
    public void bytes(String protocol, boolean received, long bytes) {
        var key = new Direction(protocol, received);
        Counter counter = directions.get(key);
        if (counter == null) {
            counter = directions.computeIfAbsent(key, this::counter);
        }
        counter.increment((double) bytes);
    }

    private Counter counter(Direction key) {
        return Counter.builder("cepheus.bytes")
                .description("file bytes from and to clients")
                .tags("part", part)
                .tags("protocol", key.protocol())
                .tags("direction", key.received() ? "received" : "sent")
                .register(registry);
    }

    @Override
    public void gauge(String name, String help, LongSupplier value) {
        Gauge.builder(PREFIX + name, value, LongSupplier::getAsLong)
                .description(help)
                .tags("part", part)
                .strongReference(true)
                .register(registry);
    }

    @Override
    public void table(String name, String help, List<String> labels, Supplier<List<Row>> rows) {
        tables.add(part, PREFIX + name, help, labels, rows);
    }

    @Override
    public LongConsumer durations(String name, String help) {
        Timer timer =
                Timer.builder(PREFIX + name)
                        .description(help)
                        .tags("part", part)
                        .serviceLevelObjectives(FINE_BUCKETS)
                        .register(registry);
        return nanos -> timer.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Everything in Prometheus' text format. */
    public String prometheusText() {
        return registry.scrape() + tables.text();
    }
}
