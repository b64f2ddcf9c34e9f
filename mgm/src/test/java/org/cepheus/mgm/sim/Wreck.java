package org.cepheus.mgm.sim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.cepheus.mgm.store.StoreHome;

/**
 * What a kill leaves of a directory that others still write to. Files that never change are linked.
 */
final class Wreck {
    private Wreck() {}

    /** Makes it; a database in the directory may tidy up meanwhile. */
    static void of(Path from, Path to) throws IOException {
        while (!isWhole(from, to)) {
            StoreHome.deleteTree(to);
        }
    }

    // If the files changed meanwhile, the database's list of them may be older or newer than they.
    private static boolean isWhole(Path from, Path to) throws IOException {
        try {
            Map<Path, Long> before = sizes(from);
            copy(from, before.keySet(), to);
            return sizes(from).equals(before);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static Map<Path, Long> sizes(Path directory) throws IOException {
        var sizes = new TreeMap<Path, Long>();
        try (var files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (Files.isDirectory(file)) {
                    sizes.put(file, 0L);
                    sizes.putAll(sizes(file));
                } else if (!name.equals("LOCK") && !name.startsWith("LOG")) {
                    sizes.put(file, Files.size(file));
                }
            }
        }
        return sizes;
    }

    private static void copy(Path from, Set<Path> files, Path to) throws IOException {
        Files.createDirectories(to);
        for (Path file : files) {
            Path target = to.resolve(from.relativize(file).toString());
            if (Files.isDirectory(file)) {
                Files.createDirectories(target);
            } else if (file.toString().endsWith(".sst")) {
                Files.createLink(target, file);
            } else {
                Files.copy(file, target);
            }
        }
    }
}
