package org.cepheus.domain.port;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What happened, in the order of the replicated log, which is the same on every member. The feed
 * keeps the last {@link #oldest} to {@link #newest} entries; who listens asks for what comes next
 * and is told when that is kept no more, so that nobody makes the feed grow.
 */
public interface EventFeed {
    /** What kind of thing happened; the word is what listeners see. */
    enum Type {
        CREATED("created"),
        COMMITTED("committed"),
        ABORTED("aborted"),
        REMOVED("removed"),
        RENAMED("renamed"),
        CHANGED("changed"),
        QUOTA("quota"),
        STATE("state");

        private final String word;

        Type(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /**
     * One thing that happened.
     *
     * @param index of the log entry; one entry may carry many events
     * @param path what it is about; empty if that has no path, or had none any more when asked
     * @param user who did it
     * @param trace of the request
     * @param sizeBytes of what was committed
     * @param details more, by name
     */
    record Event(
            long index,
            Instant time,
            Type type,
            String path,
            String user,
            String client,
            String trace,
            OptionalLong sizeBytes,
            Map<String, String> details) {
        public Event {
            details = Map.copyOf(details);
        }
    }

    /**
     * What came after an index.
     *
     * @param upTo everything up to this index is in the batch or was no event; ask from here on
     */
    record Batch(List<Event> events, long upTo) {
        public Batch {
            events = List.copyOf(events);
        }
    }

    /** The index that the earliest listener may ask from; -1 if nothing was let go yet. */
    long oldest();

    /** The index of the last log entry that was applied here. */
    long newest();

    /**
     * Waits for events after an index, on the caller's thread.
     *
     * @param after a batch's {@code upTo}; one beyond {@link #newest} waits until the log is there
     * @param patience an empty batch comes after so long
     * @return absent events are told by an exception, never skipped
     * @throws Lost if events after that index are kept no more
     * @throws InterruptedException if the thread shall end
     */
    Batch after(long after, Duration patience) throws Lost, InterruptedException;

    /** Events were let go that a listener has not had. */
    final class Lost extends Exception {
        private static final long serialVersionUID = 1L;

        private final long oldest;

        public Lost(long after, long oldest) {
            super(
                    "events after log index %d are kept no more; the oldest one may ask from is %d"
                            .formatted(after, oldest));
            this.oldest = oldest;
        }

        /** What may be asked from now. */
        public long oldest() {
            return oldest;
        }
    }
}
