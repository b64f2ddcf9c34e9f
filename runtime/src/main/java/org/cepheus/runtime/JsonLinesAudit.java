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
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.port.Audit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The audit log as lines of JSON, {@code {"time", "result", "operation", "object", "user",
 * "address", "trace"}} and for refusals {@code "code"} and {@code "detail"}. Callers never wait:
 * lines that find the queue full, or that the disk does not take, are counted and a line with
 * {@code "dropped"} follows them. One thread owns the file; only the owner of the process may read
 * it.
 */
public final class JsonLinesAudit implements Audit, AutoCloseable {
    /** How large the file may get and how many older ones stay beside it. */
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
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private record Line(
            Instant time, Caller caller, String operation, String object, String code, String why) {
        boolean isRefusal() {
            return !code.isEmpty();
        }
    }

    private final Path file;
    private final Limits limits;
    private final InstantSource clock;
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final BlockingQueue<Line> queue;
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
        offer(new Line(clock.instant(), caller, operation, object, "", ""));
    }

    @Override
    public void refused(Caller caller, String operation, String object, FsError error) {
        String code = error.getClass().getSimpleName();
        offer(new Line(clock.instant(), caller, operation, object, code, error.message()));
    }

    private void offer(Line line) {
        if (closing || !queue.offer(line)) {
            dropped.incrementAndGet();
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
        var batch = new ArrayList<Line>(BATCH);
        while (!closing || !queue.isEmpty()) {
            take(batch);
            if (!batch.isEmpty()) {
                write(batch);
                batch.clear();
                LockSupport.parkNanos(this, GATHER_NANOS);
            }
        }
        write(List.of()); // Tells what was dropped last.
    }

    private void take(List<Line> batch) {
        try {
            Line first = queue.poll(100, TimeUnit.MILLISECONDS);
            if (first != null) {
                batch.add(first);
                queue.drainTo(batch, BATCH - 1);
            }
        } catch (InterruptedException e) {
            closing = true;
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
            append(json -> batch.forEach(line -> describe(json, line)));
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

    private void describe(JsonGenerator json, Line line) {
        json.writeStartObject();
        json.writeStringProperty("time", stamps.of(line.time()));
        json.writeStringProperty("result", line.isRefusal() ? "refused" : "allowed");
        json.writeStringProperty("operation", line.operation());
        json.writeStringProperty("object", line.object());
        json.writeStringProperty("user", line.caller().identity().user());
        json.writeStringProperty("address", line.caller().address());
        json.writeStringProperty("trace", line.caller().trace().toString());
        if (line.isRefusal()) {
            json.writeStringProperty("code", line.code());
            json.writeStringProperty("detail", line.why());
        }
        json.writeEndObject();
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
