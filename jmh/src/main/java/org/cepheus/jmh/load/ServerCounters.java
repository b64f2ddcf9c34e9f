package org.cepheus.jmh.load;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** What a process has used since its start, from {@code /proc}; zeros where there is none. */
record ServerCounters(double cpuSeconds, long contextSwitches) {
    private static final double TICKS_PER_SECOND = 100;

    /** The counters of a process and its threads; pid 0 is nobody. */
    static ServerCounters of(long pid) throws IOException {
        if (pid == 0) {
            return new ServerCounters(0, 0);
        }
        Path process = Path.of("/proc", Long.toString(pid));
        return new ServerCounters(cpuSeconds(process), contextSwitches(process));
    }

    ServerCounters minus(ServerCounters earlier) {
        return new ServerCounters(
                cpuSeconds - earlier.cpuSeconds, contextSwitches - earlier.contextSwitches);
    }

    private static double cpuSeconds(Path process) throws IOException {
        String stat = Files.readString(process.resolve("stat"));
        // The name before the last ')' may contain anything.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    }

    private static long contextSwitches(Path process) throws IOException {
        long sum = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path task : tasks) {
                sum += switchesOf(task);
            }
        }
        return sum;
    }

    private static long switchesOf(Path task) throws IOException {
        long sum = 0;
        try {
            List<String> lines = Files.readAllLines(task.resolve("status"));
            for (String line : lines) {
                if (line.contains("voluntary_ctxt_switches:")) {
                    sum += Long.parseLong(line.substring(line.indexOf(':') + 1).strip());
                }
            }
        } catch (NoSuchFileException ended) {
            return 0;
        }
        return sum;
    }
}
