package org.cepheus.runtime;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.cepheus.domain.FsError;
import org.cepheus.domain.port.Admission;

/**
 * Admits new work while the buffers of this process use no more than a limit, and asks what runs to
 * make do with little when they use a sixth more. Safe for several threads.
 */
public final class BufferAdmission implements Admission {
    private static final int RETRY_SECONDS = 2;

    /** Counting walks over all arenas: once in so long is enough. */
    private static final long COUNT_NANOS = 5_000_000;

    private final LongSupplier used;
    private final long limitBytes;
    private volatile long usedBytes;
    private volatile long countedNanos = System.nanoTime() - COUNT_NANOS;

    /**
     * @param used bytes of buffers in use now
     * @param limitBytes well below what the JVM can have
     */
    public BufferAdmission(LongSupplier used, long limitBytes) {
        this.used = used;
        this.limitBytes = limitBytes;
    }

    /** Bytes in use, a few milliseconds old at most. */
    public long usedBytes() {
        long now = System.nanoTime();
        if (now - countedNanos >= COUNT_NANOS) {
            countedNanos = now;
            usedBytes = used.getAsLong();
        }
        return usedBytes;
    }

    @Override
    public Optional<FsError> refusal() {
        long bytes = usedBytes();
        return bytes <= limitBytes
                ? Optional.empty()
                : Optional.of(
                        new FsError.Overloaded(
                                "this server has %d MiB in buffers, its limit is %d; come back soon"
                                        .formatted(bytes >> 20, limitBytes >> 20),
                                RETRY_SECONDS));
    }

    @Override
    public boolean isShort() {
        return usedBytes() > limitBytes + limitBytes / 6;
    }
}
