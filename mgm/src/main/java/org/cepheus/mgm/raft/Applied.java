package org.cepheus.mgm.raft;

import java.util.List;
import java.util.Optional;
import org.cepheus.domain.command.LogEntry;
import org.cepheus.domain.command.Reply;

/**
 * The state that log entries are applied to. {@link #apply} and {@link #passed} are called by one
 * thread, index by index without a gap; everything they throw ends the process.
 */
public interface Applied {
    /** A place in the log; index -1 before the first entry. */
    record Position(long term, long index) {
        /** Nothing was applied yet. */
        public static final Position START = new Position(0, -1);
    }

    /** The last entry in the state as it is now. */
    Position last();

    /** The last entry that would be in the state after a crash at this moment. */
    Position persisted();

    /** Applies an entry of commands as one write; a reply for each command, in order. */
    List<Reply> apply(Position at, LogEntry entry);

    /** Notes an entry that carries no commands; written with the next one that does. */
    void passed(Position at);

    /** The lease clock after the last entry. */
    long leaseNanos();

    /** The chain hash after the last entry, if there is one. */
    Optional<LogEntry.ChainCheck> check();

    /** Starts bringing everything to disk; does not wait. */
    void startFlush();

    /** The state as files, if it can be sent to other members and taken over from them. */
    default Optional<StateFiles> files() {
        return Optional.empty();
    }
}
