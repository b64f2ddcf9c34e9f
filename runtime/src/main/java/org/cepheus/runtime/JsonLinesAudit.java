package org.cepheus.runtime;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.cepheus.domain.Caller;
import org.cepheus.domain.ErrorKind;
import org.cepheus.domain.FsError;
import org.cepheus.domain.port.Audit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The audit log as lines of JSON, {@code {"time", "result", "operation", "object", "user",
 * "address", "trace"}}, for refusals with {@code "code"} and {@code "detail"}, for what the system
 * did by itself with {@code "owner"} and {@code "detail"}. Callers never wait: lines that find the
 * queue full, or that the disk does not take, are counted and a line with {@code "dropped"} follows
 * them. One thread owns the file; only the owner of the process may read it.
 */
public final class JsonLinesAudit implements Audit, AutoCloseable {
    /**
     * How large the file may get and how many older ones stay beside it.
     *
     * @param queuedLines calls that wait to be written; all that the system did in one command is
     *     one call
     * @param fileBytes a file that has so many is the last that a batch was added to
     */
    public record Limits(int queuedLines, long fileBytes, int olderFiles) {
        public static final Limits DEFAULT = new Limits(8_192, 64L << 20, 8);
    }

    private static final Logger LOG = LoggerFactory.getLogger(JsonLinesAudit.class);
    private static final int BATCH = 1_024;
    // Lines gather for that long before they are written: a wake-up for each would cost more than
    // it.
    private static final long GATHER_NANOS = 10_000_000;
    private static final JsonFactory JSON = JsonFactory.builder().rootValueSeparator("\n").build();
    private static final long CLOSE_MILLIS = 3_000;

    /** The user of what no user did. */
    private static final String NOBODYS = "system";

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /** What one call said. */
    private sealed interface Said {
        record Allowed(Instant time, Caller caller, String operation, String object)
                implements Said {}

        record Refused(Instant time, Caller caller, String operation, String object, FsError error)
                implements Said {}

        /** Found out when it is written. */
        record Happened(Instant time, Stream<Supplier<Deed>> deeds) implements Said {}
    }

    /** One line of the file. */
    private interface Line {
        void describe(JsonGenerator json);
    }

    private final Path file;
    private final Limits limits;
    private final InstantSource clock;
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final BlockingQueue<Said> queue;
    private final AtomicLong dropped = new AtomicLong();
    private final Thread writer;
    private volatile boolean closing;

    private OutputStream out;
    private long writtenBytes;
    private long droppedAndTold;
    private boolean broken;
    private final Stamps stamps = new Stamps();

    private JsonLinesAudit(Path file, Limits limits, InstantSource clock) throws IOException {
        this.file = file;
        this.limits = limits;
        this.clock = clock;
        this.queue = new ArrayBlockingQueue<>(limits.queuedLines());
        this.out = open(file);
        this.writtenBytes = Files.size(file);
        this.writer = Thread.ofPlatform().daemon().name("audit").unstarted(this::run);
    }

    /** Appends to the file, which is made if it is missing. */
    public static JsonLinesAudit open(Path file, Limits limits, InstantSource clock)
            throws IOException {
        var audit = new JsonLinesAudit(file, limits, clock);
        audit.writer.start();
        return audit;
    }

    @Override
    public void allowed(Caller caller, String operation, String object) {
        offer(new Said.Allowed(clock.instant(), caller, operation, object), 1);
    }

    @Override
    public void refused(Caller caller, String operation, String object, FsError error) {
        offer(new Said.Refused(clock.instant(), caller, operation, object, error), 1);
    }

    @Override
    public <T> void happened(List<T> changes, Function<? super T, Deed> shown) {
        Stream<Supplier<Deed>> deeds = changes.stream().map(change -> () -> shown.apply(change));
        offer(new Said.Happened(clock.instant(), deeds), changes.size());
    }

    private void offer(Said said, int lines) {
        if (closing || !queue.offer(said)) {
            dropped.addAndGet(lines);
        }
    }

    /** Lines that were not written since the start. */
    public long dropped() {
        return dropped.get();
    }

    /** Writes what is queued, waiting at most a few seconds for the disk. */
    @Override
    public void close() throws IOException {
        closing = true;
        if (!joinWriter()) {
            LOG.error("{} lines could not be written to {} in time", queue.size(), file);
            return;
        }
        out.close();
    }

    private boolean joinWriter() {
        try {
            return writer.join(Duration.ofMillis(CLOSE_MILLIS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void run() {
        var taken = new ArrayList<Said>(BATCH);
        while (!closing || !queue.isEmpty()) {
            take(taken);
            if (!taken.isEmpty()) {
                writeAll(taken);
                taken.clear();
                LockSupport.parkNanos(this, GATHER_NANOS);
            }
        }
        write(List.of()); // Tells what was dropped last.
    }

    private void take(List<Said> taken) {
        try {
            Said first = queue.poll(100, TimeUnit.MILLISECONDS);
            if (first != null) {
                taken.add(first);
                queue.drainTo(taken, BATCH - 1);
            }
        } catch (InterruptedException e) {
            closing = true;
        }
    }

    /** In batches, whatever one call brought: the file is looked at before each. */
    private void writeAll(List<Said> taken) {
        var batch = new ArrayList<Line>(BATCH);
        taken.stream()
                .flatMap(this::lines)
                .forEach(line -> {
                    batch.add(line);
                    if (batch.size() == BATCH) {
                        write(batch);
                        batch.clear();
                    }
                });
        write(batch);
    }

    private Stream<Line> lines(Said said) {
        return switch (said) {
            case Said.Allowed allowed -> Stream.of(json -> describe(json, allowed));
            case Said.Refused refused -> Stream.of(json -> describe(json, refused));
            case Said.Happened happened ->
                    happened.deeds().flatMap(deed -> line(happened.time(), deed).stream());
        };
    }

    // What looks at the state may find it closed: that must not end this thread.
    private Optional<Line> line(Instant time, Supplier<Deed> supplier) {
        try {
            Deed deed = supplier.get();
            return Optional.of(json -> describe(json, time, deed));
        } catch (RuntimeException e) {
            dropped.incrementAndGet();
            LOG.error("a line of {} is lost", file, e);
            return Optional.empty();
        }
    }

    private void write(List<Line> batch) {
        try {
            if (broken) {
                out = open(file);
                broken = false;
            }
            if (!batch.isEmpty() && writtenBytes >= limits.fileBytes()) {
                rotate();
            }
            append(json -> batch.forEach(line -> line.describe(json)));
            tellDropped();
            out.flush();
        } catch (IOException e) {
            broken = true;
            dropped.addAndGet(batch.size());
            LOG.error("cannot write to {}: {} lines are lost", file, batch.size(), e);
        }
    }

    private void tellDropped() throws IOException {
        long now = dropped.get();
        if (now > droppedAndTold) {
            append(json -> {
                json.writeStartObject();
                json.writeStringProperty("time", stamps.of(clock.instant()));
                json.writeNumberProperty("dropped", now - droppedAndTold);
                json.writeEndObject();
            });
            droppedAndTold = now;
        }
    }

    private void append(Consumer<JsonGenerator> objects) throws IOException {
        lines.reset();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), lines)) {
            objects.accept(json);
        }
        if (lines.size() > 0) {
            lines.write('\n');
            lines.writeTo(out);
            writtenBytes += lines.size();
        }
    }

    private void describe(JsonGenerator json, Said.Allowed said) {
        begin(json, said.time(), "allowed", said.operation(), said.object());
        who(json, said.caller());
        json.writeEndObject();
    }

    private void describe(JsonGenerator json, Said.Refused said) {
        begin(json, said.time(), "refused", said.operation(), said.object());
        who(json, said.caller());
        json.writeStringProperty("code", ErrorKind.of(said.error()).word());
        json.writeStringProperty("detail", said.error().message());
        json.writeEndObject();
    }

    private void describe(JsonGenerator json, Instant time, Deed deed) {
        begin(json, time, "happened", deed.operation(), deed.object());
        json.writeStringProperty("user", NOBODYS);
        json.writeStringProperty("address", Caller.SYSTEM.address());
        json.writeStringProperty("trace", deed.trace().toString());
        json.writeStringProperty("owner", deed.owner());
        json.writeStringProperty("detail", deed.why());
        json.writeEndObject();
    }

    private void begin(
            JsonGenerator json, Instant time, String result, String operation, String object) {
        json.writeStartObject();
        json.writeStringProperty("time", stamps.of(time));
        json.writeStringProperty("result", result);
        json.writeStringProperty("operation", operation);
        json.writeStringProperty("object", object);
    }

    private static void who(JsonGenerator json, Caller caller) {
        json.writeStringProperty("user", caller.identity().user());
        json.writeStringProperty("address", caller.address());
        json.writeStringProperty("trace", caller.trace().toString());
    }

    private void rotate() throws IOException {
        out.close();
        for (int age = limits.olderFiles(); age > 1; age--) {
            moveIfThere(older(age - 1), older(age));
        }
        moveIfThere(file, older(1));
        out = open(file);
        writtenBytes = 0;
    }

    private Path older(int age) {
        return file.resolveSibling(file.getFileName() + "." + age);
    }

    private static void moveIfThere(Path from, Path to) throws IOException {
        if (Files.exists(from)) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static OutputStream open(Path file) throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file, OWNER_ONLY);
        }
        return new BufferedOutputStream(
                Files.newOutputStream(file, StandardOpenOption.APPEND), 64 << 10);
    }
}
