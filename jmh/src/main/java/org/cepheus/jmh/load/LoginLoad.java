package org.cepheus.jmh.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Connects, logs in and hangs up, so many times in all and by so many at once, and prints what that
 * took as one line of JSON.
 */
public final class LoginLoad {
    private LoginLoad() {}

    /** Arguments: {@code port}, {@code pid}, {@code connections} at once and {@code logins}. */
    public static void main(String[] args) throws Exception {
        Map<String, String> given = new HashMap<>();
        for (String arg : args) {
            String[] pair = arg.split("=", 2);
            given.put(pair[0], pair[1]);
        }
        int port = Integer.parseInt(given.getOrDefault("port", "1094"));
        long pid = Long.parseLong(given.getOrDefault("pid", "0"));
        int users = Integer.parseInt(given.getOrDefault("connections", "4"));
        int logins = Integer.parseInt(given.getOrDefault("logins", "4000"));
        // The compiler of this process is not measured.
        logIn(port, users, logins);
        ServerCounters before = ServerCounters.of(pid);
        long start = System.nanoTime();
        logIn(port, users, logins);
        double seconds = (System.nanoTime() - start) / 1e9;
        ServerCounters used = ServerCounters.of(pid).minus(before);
        System.out.printf(
                "{\"seconds\": %.4f, \"cpu_seconds\": %.3f}%n", seconds, used.cpuSeconds());
    }

    private static void logIn(int port, int users, int logins) throws Exception {
        try (var threads = Executors.newFixedThreadPool(users)) {
            var running = new ArrayList<Future<?>>();
            for (int user = 0; user < users; user++) {
                running.add(threads.submit(() -> logIn(port, logins / users)));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
    }

    private static void logIn(int port, int times) {
        try {
            for (int i = 0; i < times; i++) {
                Link.connect("127.0.0.1", port).close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
