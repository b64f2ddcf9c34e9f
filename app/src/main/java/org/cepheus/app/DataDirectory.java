package org.cepheus.app;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import org.cepheus.cli.CommandFailure;
import org.cepheus.cli.ExitCode;
import org.cepheus.cli.ServerOptions;

/**
 * Where an {@code up} keeps everything. The marker {@code cepheus.version} says whose it is; it is
 * written first, and locked while a process uses the directory.
 */
final class DataDirectory implements AutoCloseable {
    static final String MARKER = "cepheus.version";
    static final int FORMAT = 1;

    private static final String NEW_MARKER = MARKER + ".new";
    private static final int MAX_MARKER_BYTES = 4_096;

    private final Path root;
    private final UUID cluster;
    private final FileChannel channel;

    private DataDirectory(Path root, UUID cluster, FileChannel channel) {
        this.root = root;
        this.cluster = cluster;
        this.channel = channel;
    }

    /**
     * Takes the directory for this process; a missing or empty one becomes a new cluster's.
     *
     * @throws CommandFailure if it is somebody else's, of a later version, or in use; nothing in it
     *     was changed
     */
    static DataDirectory open(Path directory) {
        Path root = directory.toAbsolutePath().normalize();
        try {
            return openChecked(root);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.FAILED, "cannot use the data directory %s: %s".formatted(root, e));
        }
    }

    private static DataDirectory openChecked(Path root) throws IOException {
        Path marker = root.resolve(MARKER);
        if (!Files.exists(marker)) {
            create(root);
        }
        FileChannel channel = lock(root);
        try {
            return new DataDirectory(root, clusterIn(marker, channel), channel);
        } catch (IOException | CommandFailure e) {
            channel.close();
            throw e;
        }
    }

    private static void create(Path root) throws IOException {
        if (Files.exists(root) && !Files.isDirectory(root)) {
            throw foreign(root, "is no directory");
        }
        if (Files.isDirectory(root) && !isEmpty(root)) {
            throw foreign(
                    root, "is not empty and has no %s, so it is not Cepheus'".formatted(MARKER));
        }
        if (!Files.exists(root)) {
            Files.createDirectories(root);
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
        }
        writeMarker(root, UUID.randomUUID());
    }

    private static boolean isEmpty(Path root) throws IOException {
        try (var entries = Files.list(root)) {
            return entries.allMatch(entry -> entry.getFileName().toString().equals(NEW_MARKER));
        }
    }

    private static void writeMarker(Path root, UUID cluster) throws IOException {
        Path fresh = root.resolve(NEW_MARKER);
        String text =
                """
                # Cepheus keeps a cluster in this directory. Do not change this file.
                format = %d
                cluster = %s
                """
                        .formatted(FORMAT, cluster);
        try (var out =
                FileChannel.open(
                        fresh,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            out.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            out.force(true);
        }
        Files.move(fresh, root.resolve(MARKER), StandardCopyOption.ATOMIC_MOVE);
        try (var directory = FileChannel.open(root, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private static FileChannel lock(Path root) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        root.resolve(MARKER), StandardOpenOption.READ, StandardOpenOption.WRITE);
        if (!isLocked(channel)) {
            channel.close();
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "another Cepheus process uses %s; stop it first, or choose another directory with --data"
                            .formatted(root));
        }
        return channel;
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /** Reads through the locked channel: closing any other one of this file would unlock it. */
    private static UUID clusterIn(Path marker, FileChannel channel) throws IOException {
        var text = ByteBuffer.allocate(MAX_MARKER_BYTES);
        while (channel.read(text, text.position()) > 0) {
            // Until its end, or as much as a marker may have.
        }
        var properties = new Properties();
        properties.load(
                new StringReader(
                        new String(text.array(), 0, text.position(), StandardCharsets.UTF_8)));
        String format = properties.getProperty("format", "");
        if (!format.equals(Integer.toString(FORMAT))) {
            throw foreign(
                    marker,
                    "says format '%s', and this version knows %d only".formatted(format, FORMAT));
        }
        try {
            return UUID.fromString(properties.getProperty("cluster", ""));
        } catch (IllegalArgumentException e) {
            throw foreign(marker, "names no cluster");
        }
    }

    private static CommandFailure foreign(Path what, String why) {
        return new CommandFailure(
                ExitCode.FAILED,
                "%s %s; choose another directory with --data".formatted(what, why));
    }

    UUID cluster() {
        return cluster;
    }

    Path root() {
        return root;
    }

    Path mgm() {
        return root.resolve("mgm");
    }

    /** The directories that hold file data; each FST serves all of them. */
    List<Path> volumes() {
        return List.of(root.resolve("volume1"), root.resolve("volume2"));
    }

    Path secret() {
        return root.resolve("secret");
    }

    Path fstKey(int fst) {
        return root.resolve("fst" + fst + ".key");
    }

    Path adminToken() {
        return root.resolve(ServerOptions.TOKEN_FILE);
    }

    Path audit() {
        return root.resolve("audit.jsonl");
    }

    Path log() {
        return root.resolve("cepheus.log");
    }

    /** Lets another process take the directory. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
