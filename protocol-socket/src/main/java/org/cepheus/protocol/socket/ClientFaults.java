package org.cepheus.protocol.socket;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.cepheus.domain.TraceId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what clients say that nobody can understand, and who was let go because we waited for them
 * too long, in so few lines that none of them fills a disk by it: one for each connection, and one
 * a second for all of them. The next line says how many were left out; metrics count all.
 * Thread-safe.
 */
public final class ClientFaults {
    static final Duration PAUSE = Duration.ofSeconds(1);

    /** What a client sent may be a part of the text. */
    static final int MAX_TEXT_CHARS = 300;

    private static final Logger LOG = LoggerFactory.getLogger(ClientFaults.class);

    private final LongSupplier nanos;
    private final BiConsumer<TraceId, String> log;
    private final AtomicLong silentUntilNanos;
    private final AtomicLong leftOut = new AtomicLong();

    /**
     * @param nanos such as {@link System#nanoTime}
     * @param log takes the lines
     */
    public ClientFaults(LongSupplier nanos, BiConsumer<TraceId, String> log) {
        this.nanos = nanos;
        this.log = log;
        this.silentUntilNanos = new AtomicLong(nanos.getAsLong());
    }

    /** Those of a server, as warnings in its log. */
    public static ClientFaults logged() {
        return new ClientFaults(
                System::nanoTime,
                (trace, line) -> LOG.atWarn().addKeyValue("trace", trace).log(line));
    }

    /** Those of one connection. */
    public OfClient of(String address) {
        return new OfClient(address);
    }

    /** Confined to the connection's event loop. */
    public final class OfClient {
        private final String address;
        private boolean said;

        private OfClient(String address) {
            this.address = address;
        }

        /**
         * @param what may have words of the client's
         */
        public void say(TraceId trace, String what) {
            if (said || !mayLogNow()) {
                leftOut.incrementAndGet();
                return;
            }
            said = true;
            String text =
                    what.length() <= MAX_TEXT_CHARS ? what : what.substring(0, MAX_TEXT_CHARS);
            long others = leftOut.getAndSet(0);
            String more = others == 0 ? "" : " (%d more were not logged)".formatted(others);
            log.accept(trace, "client at %s: %s%s".formatted(address, text, more));
        }
    }

    private boolean mayLogNow() {
        long now = nanos.getAsLong();
        long until = silentUntilNanos.get();
        return now - until >= 0 && silentUntilNanos.compareAndSet(until, now + PAUSE.toNanos());
    }
}
