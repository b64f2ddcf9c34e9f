package org.cepheus.jmh.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes with many clients at once, each as fast as the server takes it, 1 MiB at a time, and
 * prints how evenly they were served: Jain's index of the bytes of each, and the latencies of the
 * writes. One thread for each writer, so that one that is kept waiting keeps nobody else.
 */
public final class FairnessLoad {
    private static final int WRITE_BYTES = 1 << 20;

    /** A file is closed at this size and written anew, so that the disk of no server fills up. */
    private static final int WRITES_PER_FILE = 16;

    private final LoadOptions options;
    private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
    private volatile boolean measuring;
    private volatile boolean over;

    private FairnessLoad(LoadOptions options) {
        this.options = options;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        System.out.println(new FairnessLoad(LoadOptions.parse(args)).run());
    }

    private String run() throws IOException, InterruptedException {
        var writers = new ArrayList<Writer>();
        for (int i = 0; i < options.connections(); i++) {
            writers.add(new Writer(options.root() + "/fair" + i));
        }
        List<Thread> threads =
                writers.stream()
                        .map(writer -> Thread.ofPlatform().daemon().start(() -> run(writer)))
                        .toList();
        waitFor(options.warmupSeconds());
        measuring = true;
        long start = System.nanoTime();
        waitFor(options.seconds());
        over = true;
        double seconds = (System.nanoTime() - start) / 1e9;
        for (Thread thread : threads) {
            thread.join();
        }
        IOException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
        return summary(writers, seconds);
    }

    private void waitFor(double seconds) throws InterruptedException {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        while (System.nanoTime() < end && failure.get() == null) {
            Thread.sleep(20);
        }
    }

    private void run(Writer writer) {
        try {
            writer.run();
        } catch (IOException e) {
            failure.compareAndSet(null, e);
        }
    }

    private static String summary(List<Writer> writers, double seconds) {
        var all = new LatencyLog();
        double sum = 0;
        double squares = 0;
        for (Writer writer : writers) {
            double writes = writer.nanos.size();
            writer.nanos.forEach(all::add);
            sum += writes;
            squares += writes * writes;
        }
        double jain = squares == 0 ? 0 : sum * sum / (writers.size() * squares);
        return """
        {"jain": %.4f, "mib_per_second": %.1f, "p50_us": %.1f, "p99_us": %.1f, "p999_us": %.1f}\
        """
                .formatted(
                        jain,
                        sum / seconds,
                        all.quantileMicros(0.50),
                        all.quantileMicros(0.99),
                        all.quantileMicros(0.999));
    }

    /** One client with a file of its own. */
    private final class Writer {
        private final String path;
        private final ByteBuffer data = ByteBuffer.allocateDirect(WRITE_BYTES);
        private final Map<String, Link> links = new HashMap<>();
        final List<Long> nanos = new ArrayList<>();

        Writer(String path) {
            this.path = path;
        }

        void run() throws IOException {
            Link home = dial(options.host(), options.port());
            home.send(Requests.makeDirectory(options.root()));
            home.awaitAnswer();
            while (!over) {
                writeFile(home);
            }
            for (Link link : links.values()) {
                link.close();
            }
        }

        private void writeFile(Link home) throws IOException {
            home.send(Requests.openReplace(path));
            ByteBuffer answer = home.awaitAnswer();
            Link there = home;
            if (home.wasRedirected()) {
                int port = answer.getInt();
                String target = StandardCharsets.UTF_8.decode(answer).toString();
                int opaque = target.indexOf('?');
                there = dial(target.substring(0, opaque), port);
                there.send(Requests.openReplace(path + target.substring(opaque)));
                answer = there.awaitAnswer();
            }
            int handle = answer.getInt();
            for (int i = 0; i < WRITES_PER_FILE && !over; i++) {
                write(there, handle, (long) i * WRITE_BYTES);
            }
            there.send(Requests.close(handle));
            there.awaitAnswer();
        }

        private void write(Link there, int handle, long offset) throws IOException {
            long start = System.nanoTime();
            there.send(Requests.writeHeader(handle, WRITE_BYTES).putLong(8, offset));
            there.send(data.clear());
            there.awaitAnswer();
            if (measuring && !over) {
                nanos.add(System.nanoTime() - start);
            }
        }

        private Link dial(String host, int port) throws IOException {
            Link known = links.get(host + port);
            if (known == null) {
                known = Link.connect(host.replace("[", "").replace("]", ""), port);
                links.put(host + port, known);
            }
            return known;
        }
    }
}
