package org.cepheus.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;

/** Files of a running server: what it deletes while they are listed is no error. */
public final class LiveFiles {
    private LiveFiles() {}

    /** The regular files below a directory, in order; links are followed. */
    public static List<Path> below(Path directory) {
        var collector = new Collector();
        try {
            Files.walkFileTree(
                    directory,
                    EnumSet.of(FileVisitOption.FOLLOW_LINKS),
                    Integer.MAX_VALUE,
                    collector);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Collections.sort(collector.found);
        return collector.found;
    }

    private static final class Collector extends SimpleFileVisitor<Path> {
        private final List<Path> found = new ArrayList<>();

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
                found.add(file);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw e;
        }
    }
}
