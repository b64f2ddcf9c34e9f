package org.cepheus.namespace.sim;

import java.util.Optional;
import org.cepheus.domain.command.LogEntry;

/** One index of the Raft log: an entry as bytes, or a configuration that carries no commands. */
record Slot(long index, long term, Optional<Encoded> entry) {
    /** The bytes of an entry, decoded anew by each replica. */
    static final class Encoded {
        private final byte[] bytes;

        Encoded(byte[] bytes) {
            this.bytes = bytes;
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
