package org.cepheus.namespace.sim;

import java.util.Optional;
import org.cepheus.domain.command.LogEntry;

/** One index of the Raft log: an entry as bytes, or a configuration that carries no commands. */
public record Slot(long index, long term, Optional<Encoded> entry) {
    /** The bytes of an entry, decoded anew by each replica. */
    public static final class Encoded {
        private final byte[] bytes;

        Encoded(byte[] bytes) {
            this.bytes = bytes;
        }

        /** A copy of them. */
        public byte[] bytes() {
            return bytes.clone();
        }

        LogEntry decode() {
            return LogEntry.decode(bytes);
        }

        @Override
        public String toString() {
            return decode().toString();
        }
    }
}
