package org.cepheus.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.cepheus.domain.port.EventFeed;

/** A feed that a test fills, and that forgets what the test lets go. */
final class FakeFeed implements EventFeed {
    private final List<Event> events = new ArrayList<>();
    private long oldest = 9;
    private long newest = 9;

    static Event event(long index, Type type, String path) {
        return new Event(
                index,
                FakeCluster.NOON,
                type,
                path,
                "anna",
                "127.0.0.1",
                "00000000000000ab",
                type == Type.COMMITTED ? OptionalLong.of(7) : OptionalLong.empty(),
                Map.of("adler32", "0000abcd"));
    }

    synchronized void happen(Event... more) {
        for (Event each : more) {
            events.add(each);
            newest = each.index();
        }
        notifyAll();
    }

    synchronized void letGo(long upTo) {
        oldest = upTo;
        newest = Math.max(newest, upTo);
        events.removeIf(event -> event.index() <= upTo);
        notifyAll();
    }

    @Override
    public synchronized long oldest() {
        return oldest;
    }

    @Override
    public synchronized long newest() {
        return newest;
    }

    @Override
    public synchronized Batch after(long after, Duration patience)
            throws Lost, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (after >= oldest
                && events.stream().noneMatch(event -> event.index() > after)
                && System.nanoTime() < deadline) {
            wait(10);
        }
        if (after < oldest) {
            throw new Lost(after, oldest);
        }
        return new Batch(
                events.stream().filter(event -> event.index() > after).toList(),
                Math.max(after, newest));
    }
}
