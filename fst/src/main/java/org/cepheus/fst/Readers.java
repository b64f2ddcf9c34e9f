package org.cepheus.fst;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Location;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.port.DownloadService.Download;
import org.cepheus.protocol.control.OpenReads;

/**
 * Who reads what at this FST: contents that have readers are not deleted, and operators see and end
 * them. Its lock guards the tables.
 */
final class Readers {
    /**
     * One open content; from {@link #enter} on it counts, and can be ended once it has a handle.
     */
    final class Reader {
        private final long number;
        private final Ticket ticket;
        private final Instant since;
        private Optional<ReadHandle> handle = Optional.empty();

        private Reader(long number, Ticket ticket, Instant since) {
            this.number = number;
            this.ticket = ticket;
            this.since = since;
        }

        /** It is open now. */
        ReadHandle opened(ReadHandle open) {
            synchronized (Readers.this) {
                handle = Optional.of(open);
            }
            return open;
        }

        /** It is over, or could not be opened. */
        void leave() {
            synchronized (Readers.this) {
                byNumber.remove(number);
                byLocation.computeIfPresent(
                        ticket.location(), (_, count) -> count == 1 ? null : count - 1);
            }
        }

        private Download shown(int fstId) {
            Caller caller = ticket.caller();
            return new Download(
                    fstId,
                    number,
                    ticket.path(),
                    caller.identity().user(),
                    caller.address(),
                    since,
                    ticket.sizeBytes(),
                    handle.map(ReadHandle::readBytes).orElse(0L),
                    caller.trace().toString());
        }
    }

    // In the order of their opens, and so the oldest first.
    private final Map<Long, Reader> byNumber = new LinkedHashMap<>();
    private final Map<Location, Integer> byLocation = new HashMap<>();
    private long last;

    /** A client is about to read that content. */
    synchronized Reader enter(Ticket ticket, Instant now) {
        var reader = new Reader(++last, ticket, now);
        byNumber.put(reader.number, reader);
        byLocation.merge(ticket.location(), 1, Integer::sum);
        return reader;
    }

    synchronized int count() {
        return byNumber.size();
    }

    synchronized boolean isRead(Location location) {
        return byLocation.containsKey(location);
    }

    /** The oldest, at most so many. */
    synchronized OpenReads oldest(int fstId, int max) {
        List<Download> shown =
                byNumber.values().stream()
                        .limit(Math.max(0, max))
                        .map(reader -> reader.shown(fstId))
                        .toList();
        return new OpenReads(shown, byNumber.size());
    }

    /**
     * Ends one: what is being read now still arrives, the next read is refused.
     *
     * @param reason completes the sentence "the download was ..."
     * @throws FsException NotFound if it is not there, or not open yet
     */
    void end(long number, String reason) {
        ReadHandle handle;
        synchronized (this) {
            handle =
                    Optional.ofNullable(byNumber.get(number))
                            .flatMap(reader -> reader.handle)
                            .orElseThrow(() ->
                                    new FsException(
                                            new FsError.NotFound(
                                                    "no download with the number %d runs here"
                                                            .formatted(number))));
        }
        handle.end(
                new FsError.LeaseGone(
                        "the download of %s was %s".formatted(handle.ticket().path(), reason)));
    }
}
