package org.cepheus.app;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoopGroup;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.cepheus.domain.Identity;
import org.cepheus.domain.port.Admission;
import org.cepheus.domain.port.Audit;
import org.cepheus.protocol.socket.EpollLoops;
import org.cepheus.runtime.BufferAdmission;
import org.cepheus.runtime.HealthCode;
import org.cepheus.runtime.HealthRegistry;
import org.cepheus.runtime.HealthRegistry.Result;
import org.cepheus.runtime.JsonLinesAudit;
import org.cepheus.runtime.Lifecycle;
import org.cepheus.runtime.MicrometerMetrics;

/** What every server process has once, whatever parts run in it. */
record Engine(
        Lifecycle parts,
        EventLoopGroup acceptors,
        EventLoopGroup workers,
        MicrometerMetrics metrics,
        Audit audit,
        Admission admission,
        HealthRegistry health,
        SecureRandom random,
        Identity starter) {
    private static final int MIN_WORKERS = 2;
    private static final long QUIET_MILLIS = 0;
    private static final long STOP_MILLIS = 2_000;

    /**
     * Starts them; the lifecycle stops them after everything that was started later.
     *
     * @param part the name of the first part, a label of its metrics
     * @param bufferLimitBytes of network buffers; absent for a share of what the JVM may have
     * @throws IOException if the audit file cannot be written
     */
    static Engine start(Lifecycle parts, String part, Path auditFile, OptionalLong bufferLimitBytes)
            throws IOException {
        MicrometerMetrics metrics = MicrometerMetrics.of(part);
        var health = new HealthRegistry();
        Audit audit = openAudit(auditFile, parts, metrics, health);
        EventLoopGroup workers =
                EpollLoops.start(
                        Math.max(MIN_WORKERS, Runtime.getRuntime().availableProcessors()), "loop");
        parts.onStop("event loops", () -> stop(workers));
        EventLoopGroup acceptors = EpollLoops.start(1, "acceptor");
        parts.onStop("accepting event loop", () -> stop(acceptors));
        return new Engine(
                parts,
                acceptors,
                workers,
                metrics,
                audit,
                admission(metrics, bufferLimitBytes),
                health,
                new SecureRandom(),
                ProcessUser.superuser());
    }

    /** What every connection receives into and sends from is Netty's pool. */
    private static Admission admission(MicrometerMetrics metrics, OptionalLong limitBytes) {
        long limit = limitBytes.orElse(PlatformDependent.maxDirectMemory() / 4 * 3);
        var admission =
                new BufferAdmission(PooledByteBufAllocator.DEFAULT::pinnedDirectMemory, limit);
        metrics.gauge("buffer_bytes", "Bytes of network buffers in use", admission::usedBytes);
        metrics.gauge("buffer_limit_bytes", "Above it new work is put off", () -> limit);
        metrics.gauge(
                "direct_memory_bytes",
                "Direct memory that network buffers have taken",
                PlatformDependent::usedDirectMemory);
        metrics.gauge(
                "direct_memory_limit_bytes",
                "The most direct memory the process may take",
                PlatformDependent::maxDirectMemory);
        return admission;
    }

    private static JsonLinesAudit openAudit(
            Path file, Lifecycle parts, MicrometerMetrics metrics, HealthRegistry health)
            throws IOException {
        JsonLinesAudit audit = openAudit(file);
        parts.onStop("audit", audit);
        metrics.gauge("audit_dropped_lines", "Audit lines that were not written", audit::dropped);
        health.register("audit", () -> check(audit));
        return audit;
    }

    private static JsonLinesAudit openAudit(Path file) throws IOException {
        try {
            return JsonLinesAudit.open(file, JsonLinesAudit.Limits.DEFAULT, InstantSource.system());
        } catch (IOException e) {
            throw new IOException(
                    "the audit log %s cannot be written (%s): name another file by audit_file"
                            .formatted(file, e),
                    e);
        }
    }

    private static Result check(JsonLinesAudit audit) {
        return audit.dropped() == 0
                ? Result.ok("every line was written")
                : Result.found(
                        HealthCode.AUDIT_INCOMPLETE,
                        "%d lines were not written".formatted(audit.dropped()));
    }

    private static void stop(EventLoopGroup loops) throws InterruptedException {
        loops.shutdownGracefully(QUIET_MILLIS, STOP_MILLIS, TimeUnit.MILLISECONDS);
        if (!loops.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("event loops still run");
        }
    }
}
