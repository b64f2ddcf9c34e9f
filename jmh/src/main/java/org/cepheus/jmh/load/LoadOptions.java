package org.cepheus.jmh.load;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What to do to which server.
 *
 * @param pid the server's process, whose CPU and context switches are counted
 * @param root the directory to work in; it exists
 * @param bytes the size of a created file
 * @param files the most files to create
 */
record LoadOptions(
        Operation operation,
        String host,
        int port,
        long pid,
        int connections,
        double warmupSeconds,
        double seconds,
        String root,
        int bytes,
        long files) {

    enum Operation {
        /** Stat of one of a few files. */
        STAT,
        /** Open of a new file, its bytes if any, and close. */
        CREATE,
        /** The same, of all users in one directory. */
        FILL,
        /** List of a directory with the status of each entry. */
        LIST
    }

    /** Reads {@code name=value} arguments. */
    static LoadOptions parse(String[] args) {
        Map<String, String> given = new HashMap<>();
        for (String arg : args) {
            String[] pair = arg.split("=", 2);
            given.put(pair[0], pair.length == 2 ? pair[1] : "");
        }
        return new LoadOptions(
                Operation.valueOf(given.getOrDefault("operation", "stat").toUpperCase(Locale.ROOT)),
                given.getOrDefault("host", "127.0.0.1"),
                Integer.parseInt(given.getOrDefault("port", "1094")),
                Long.parseLong(given.getOrDefault("pid", "0")),
                Integer.parseInt(given.getOrDefault("connections", "16")),
                Double.parseDouble(given.getOrDefault("warmup", "2")),
                Double.parseDouble(given.getOrDefault("seconds", "5")),
                given.getOrDefault("root", "/bench"),
                Integer.parseInt(given.getOrDefault("bytes", "0")),
                Long.parseLong(given.getOrDefault("files", Long.toString(Long.MAX_VALUE))));
    }
}
