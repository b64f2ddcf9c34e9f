package org.cepheus.jmh.load;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Keeps connections to an XRootD server busy with one operation each, unpipelined, and prints what
 * the server did in the measured seconds as one line of JSON. The same program loads every server
 * of a comparison. One thread: on a small machine the generator must not take the servers' cores.
 */
public final class XrootdLoad implements AutoCloseable, User.Count {
    private final LoadOptions options;
    private final Selector selector;
    private final List<Link> links = new ArrayList<>();
    private final LatencyLog latencies = new LatencyLog();
    private long begun;
    private long operations;
    private long entries;

    private XrootdLoad(LoadOptions options) throws IOException {
        this.options = options;
        this.selector = Selector.open();
    }

    public static void main(String[] args) throws IOException {
        var options = LoadOptions.parse(args);
        try (var load = new XrootdLoad(options)) {
            System.out.println(load.run());
        }
    }

    private String run() throws IOException {
        for (int i = 0; i < options.connections(); i++) {
            user(i, new Dialer()).start();
        }
        loopFor(options.warmupSeconds());
        ServerCounters before = ServerCounters.of(options.pid());
        latencies.clear();
        long operationsBefore = operations;
        long start = System.nanoTime();
        loopFor(options.seconds());
        double seconds = (System.nanoTime() - start) / 1e9;
        ServerCounters used = ServerCounters.of(options.pid()).minus(before);
        long done = operations - operationsBefore;
        return """
        {"operations": %d, "seconds": %.3f, "cpu_seconds": %.3f, "context_switches": %d, \
        "p50_us": %.1f, "p99_us": %.1f, "entries": %d}\
        """
                .formatted(
                        done,
                        seconds,
                        used.cpuSeconds(),
                        used.contextSwitches(),
                        latencies.quantileMicros(0.50),
                        latencies.quantileMicros(0.99),
                        entries);
    }

    private User user(int number, Dialer dialer) throws IOException {
        Link home = dialer.dial(options.host(), options.port());
        return switch (options.operation()) {
            case STAT -> new StatUser(home, options, number, this);
            case CREATE, FILL -> new CreateUser(home, options, number, dialer, this);
            case LIST -> new ListUser(home, options, this);
        };
    }

    @Override
    public boolean mayBegin() {
        return begun++ < options.files();
    }

    @Override
    public void done(long startedNanos) {
        operations++;
        latencies.add(System.nanoTime() - startedNanos);
    }

    @Override
    public void listed(long entriesOfOne) {
        entries = entriesOfOne;
    }

    private void loopFor(double seconds) throws IOException {
        long end = System.nanoTime() + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
        while (System.nanoTime() < end && operations < options.files()) {
            if (selector.select(XrootdLoad::readable, 1_000) == 0) {
                throw new IOException("the server has not answered for a second");
            }
        }
    }

    private static void readable(SelectionKey key) {
        ((Link) key.attachment()).readable();
    }

    /** Opens connections for one user and keeps them: a redirect to a known address is free. */
    final class Dialer {
        private final Map<String, Link> known = new HashMap<>();

        Link dial(String host, int port) throws IOException {
            String address = host + ':' + port;
            Link link = known.get(address);
            if (link == null) {
                link = Link.connect(host, port);
                link.register(selector);
                known.put(address, link);
                links.add(link);
            }
            return link;
        }
    }

    @Override
    public void close() throws IOException {
        for (Link link : links) {
            link.close();
        }
        selector.close();
    }
}
