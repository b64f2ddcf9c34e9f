package org.cepheus.mgm;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;

/**
 * The directory an MGM keeps everything in, held by one process at a time: a label that says whose
 * it is, the Raft log, and the store.
 */
final class DataDirectory implements AutoCloseable {
    private static final String LABEL = "cepheus-mgm";
    private static final String LOCK = "lock";
    private static final String FORMAT = "cepheus mgm data 1";

    private final Path root;
    private final FileChannel lock;

    private DataDirectory(Path root, FileChannel lock) {
        this.root = root;
        this.lock = lock;
    }

    /**
     * Opens it, or makes it if there is nothing yet.
     *
     * @param cluster the cluster it must belong to, or will if it is new
     * @throws FsException InvalidArgument with one sentence if it is anything else's, FileLocked if
     *     another process has it
     */
    static DataDirectory open(Path root, String member, UUID cluster) throws IOException {
        Path absolute = root.toAbsolutePath().normalize();
        refuseForeign(absolute);
        Files.createDirectories(absolute);
        FileChannel lock = lock(absolute);
        try {
            if (!Files.exists(absolute.resolve(LABEL))) {
                writeLabel(absolute, cluster, member);
            }
            UUID labelled = readLabel(absolute, member);
            if (!cluster.equals(labelled)) {
                throw invalid(
                        "%s belongs to cluster %s, the configuration says %s"
                                .formatted(absolute, labelled, cluster));
            }
            Files.createDirectories(absolute.resolve("raft"));
            refuseForeignLog(absolute.resolve("raft"), labelled);
            return new DataDirectory(absolute, lock);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static void refuseForeign(Path root) throws IOException {
        if (!Files.exists(root) || Files.exists(root.resolve(LABEL))) {
            return;
        }
        if (!Files.isDirectory(root)) {
            throw invalid(root + " is no directory");
        }
        try (var files = Files.list(root)) {
            Set<String> ours = Set.of(LOCK, LABEL + ".new");
            Optional<Path> foreign =
                    files.filter(file -> !ours.contains(file.getFileName().toString())).findFirst();
            if (foreign.isPresent()) {
                throw invalid(
                        "%s is not empty and no MGM's data directory (it has %s): name an empty or a new one"
                                .formatted(root, foreign.get().getFileName()));
            }
        }
    }

    private static FileChannel lock(Path root) throws IOException {
        var channel =
                FileChannel.open(
                        root.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // Held by this very process: the same answer.
        }
        channel.close();
        throw new FsException(
                new FsError.FileLocked(
                        root + " is in use by another MGM process: stop that first"));
    }

    private static void writeLabel(Path root, UUID cluster, String member) throws IOException {
        Path fresh = root.resolve(LABEL + ".new");
        String text = "%s%ncluster %s%nmember %s%n".formatted(FORMAT, cluster, member);
        Files.writeString(
                fresh,
                text,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE,
                StandardOpenOption.SYNC);
        Files.move(fresh, root.resolve(LABEL), StandardCopyOption.ATOMIC_MOVE);
        try (var directory = FileChannel.open(root)) {
            directory.force(true);
        }
    }

    private static UUID readLabel(Path root, String member) throws IOException {
        List<String> lines = Files.readAllLines(root.resolve(LABEL));
        if (lines.size() < 3 || !lines.getFirst().equals(FORMAT)) {
            throw invalid(
                    "%s has a label of another format; this build reads '%s'"
                            .formatted(root, FORMAT));
        }
        if (!lines.get(2).equals("member " + member)) {
            throw invalid(
                    "%s belongs to %s of its group, this is member %s"
                            .formatted(root, lines.get(2), member));
        }
        try {
            return UUID.fromString(lines.get(1).substring("cluster ".length()));
        } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
            throw invalid(root + " has a damaged label: it names no cluster");
        }
    }

    private static void refuseForeignLog(Path raft, UUID cluster) throws IOException {
        try (var groups = Files.list(raft)) {
            Optional<Path> foreign =
                    groups.filter(group -> !group.getFileName().toString().equals(cluster + ""))
                            .findFirst();
            if (foreign.isPresent()) {
                throw invalid(
                        "%s has the log of %s, but its label names cluster %s"
                                .formatted(raft, foreign.get().getFileName(), cluster));
            }
        }
    }

    private static FsException invalid(String message) {
        return new FsException(new FsError.InvalidArgument(message));
    }

    Path raft() {
        return root.resolve("raft");
    }

    Path root() {
        return root;
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
