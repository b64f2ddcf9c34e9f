package org.cepheus.fst.volume;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory, usually a CephFS mount. A content lies at {@code <8 hex of dataId / 10000>/<8 or
 * more hex of dataId>}, below {@code epoch-<n>} when the restore epoch is not zero. Several FSTs
 * may use the same directory at once: file names come from the namespace's counter and never
 * repeat.
 */
public final class PosixVolume implements Volume {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Logger LOG = LoggerFactory.getLogger(PosixVolume.class);
    private static final int FILES_PER_DIRECTORY = 10_000;
    private static final int FILE_MODE = 0600;

    private final Path root;
    private final boolean onCeph;
    private final Striping striping;
    private final Pipes pipes = new Pipes();
    private final AtomicBoolean warnedOfAttributes = new AtomicBoolean();
    private volatile VolumeLabel label;

    private PosixVolume(Path root, boolean onCeph, VolumeLabel label, Striping striping) {
        this.root = root;
        this.onCeph = onCeph;
        this.label = label;
        this.striping = striping;
    }

    /**
     * Opens a volume after its label has been checked.
     *
     * @param initialise label the directory as a new volume if it is empty
     * @throws FsException InvalidArgument with one sentence that says what is wrong and what to do
     */
    public static PosixVolume open(int volumeId, Path root, UUID cluster, boolean initialise) {
        try {
            Path file = root.resolve(VolumeLabel.FILE);
            if (initialise && !Files.exists(file)) {
                writeFirstLabel(volumeId, root, cluster);
            }
            VolumeLabel label = readLabel(volumeId, file);
            if (!label.cluster().equals(cluster)) {
                throw refusal(
                        "%s belongs to cluster %s, this FST to %s"
                                .formatted(root, label.cluster(), cluster));
            }
            if (label.volumeId() != volumeId) {
                throw refusal(
                        "%s is volume %d, configured is %d"
                                .formatted(root, label.volumeId(), volumeId));
            }
            return new PosixVolume(root, isOnCeph(Files.getFileStore(file)), label, striping(file));
        } catch (IOException e) {
            throw refusal(
                    "volume %d at %s cannot be opened: %s".formatted(volumeId, root, reason(e)));
        }
    }

    private static VolumeLabel readLabel(int volumeId, Path file) throws IOException {
        try {
            if (Files.size(file) > VolumeLabel.MAX_BYTES) {
                throw refusal("%s is no volume label: it is too long".formatted(file));
            }
            return VolumeLabel.parse(Files.readString(file), file.toString());
        } catch (NoSuchFileException e) {
            throw refusal(
                    "volume %d has no label %s: mount the file system, or initialise a new volume on an empty directory"
                            .formatted(volumeId, file));
        }
    }

    /** A CephFS says by an attribute of every file how it cuts that; others have none. */
    private static Striping striping(Path file) throws IOException {
        boolean isRemote = Files.getFileStore(file).type().contains("ceph");
        try {
            String bytes = Posix.attribute(file.toString(), "ceph.file.layout.object_size");
            return new Striping(Long.parseLong(bytes), isRemote);
        } catch (Posix.Failure | NumberFormatException e) {
            return new Striping(Striping.LOCAL.objectBytes(), isRemote);
        }
    }

    private static void writeFirstLabel(int volumeId, Path root, UUID cluster) throws IOException {
        Files.createDirectories(root);
        try (var entries = Files.list(root)) {
            List<String> names =
                    entries.map(path -> path.getFileName().toString())
                            .filter(name -> !name.equals("lost+found"))
                            .filter(name -> !name.startsWith(VolumeLabel.FILE))
                            .toList();
            if (!names.isEmpty()) {
                throw refusal(
                        "%s is not empty (there is '%s'), so no volume is made of it"
                                .formatted(root, names.getFirst()));
            }
        }
        writeLabel(root, new VolumeLabel(UUID.randomUUID(), cluster, volumeId, 0), false);
    }

    /** Whole or not at all, and durable; without {@code replace} an existing label stays. */
    private static void writeLabel(Path root, VolumeLabel label, boolean replace)
            throws IOException {
        Path file = root.resolve(VolumeLabel.FILE);
        Path draft = root.resolve(VolumeLabel.FILE + "." + UUID.randomUUID());
        Files.writeString(draft, label.toText(), StandardCharsets.UTF_8);
        try {
            sync(draft);
            if (replace) {
                Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            } else {
                link(draft, file);
            }
            sync(root);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private static void link(Path draft, Path file) throws IOException {
        try {
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException e) {
            LOG.info("{} was labelled by another FST at the same time", file);
        }
    }

    private static void sync(Path path) throws IOException {
        try {
            int fd = Posix.open(path.toString(), Posix.O_RDONLY, 0);
            try {
                Posix.fsync(fd);
            } finally {
                Posix.close(fd);
            }
        } catch (Posix.Failure e) {
            throw new IOException(path + ": " + e.text(), e);
        }
    }

    @Override
    public int volumeId() {
        return label.volumeId();
    }

    @Override
    public String uuid() {
        return label.volume().toString();
    }

    @Override
    public VolumeFile create(ContentId content) {
        Path directory = directory(content);
        Path path = directory.resolve("%08x".formatted(content.dataId()));
        int flags = Posix.O_RDWR | Posix.O_CREAT | Posix.O_EXCL;
        try {
            try {
                return file(path, Posix.open(path.toString(), flags, FILE_MODE));
            } catch (Posix.Failure e) {
                if (e.errno() != Posix.ENOENT) {
                    throw e;
                }
                makeDirectories(content.epoch(), directory);
                return file(path, Posix.open(path.toString(), flags, FILE_MODE));
            }
        } catch (Posix.Failure e) {
            throw error(path.toString(), e);
        }
    }

    private VolumeFile file(Path path, int fd) {
        return new PosixFile(this, path.toString(), fd);
    }

    private void makeDirectories(int epoch, Path directory) {
        try {
            requireLabel();
            Path above = epochDirectory(epoch);
            if (epoch > 0) {
                makeDirectory(root, above);
            }
            makeDirectory(above, directory);
        } catch (IOException e) {
            throw new FsException(
                    new FsError.IoFailure(
                            "cannot make directory %s: %s".formatted(directory, reason(e))));
        }
    }

    /** What is missing may only be not mounted: without the label nobody says that it is gone. */
    private void requireLabel() {
        if (!Files.exists(root.resolve(VolumeLabel.FILE))) {
            throw new FsException(
                    new FsError.IoFailure(
                            "the label of volume %d is gone from %s: unmounted?"
                                    .formatted(volumeId(), root)));
        }
    }

    /** A new directory is made durable at once: syncing a file does not save its parents. */
    private static void makeDirectory(Path above, Path directory) throws IOException {
        try {
            Files.createDirectory(directory);
        } catch (FileAlreadyExistsException e) {
            LOG.debug("{} was made by another at the same time", directory);
        }
        sync(above);
    }

    @Override
    public VolumeFile open(ContentId content, boolean forWriting) {
        int flags = forWriting ? Posix.O_RDWR : Posix.O_RDONLY;
        for (int epoch = content.epoch(); ; epoch--) {
            Path path = path(new ContentId(content.dataId(), epoch));
            try {
                return file(path, Posix.open(path.toString(), flags, 0));
            } catch (Posix.Failure e) {
                if (e.errno() != Posix.ENOENT) {
                    throw error(path.toString(), e);
                }
                if (epoch == 0) {
                    requireLabel();
                    throw error(path.toString(), e);
                }
            }
        }
    }

    @Override
    public void delete(long dataId) {
        boolean found = false;
        for (int epoch = label.highestEpoch(); epoch >= 0; epoch--) {
            Path path = path(new ContentId(dataId, epoch));
            try {
                found |= Files.deleteIfExists(path);
            } catch (IOException e) {
                throw new FsException(
                        new FsError.IoFailure("cannot delete %s: %s".formatted(path, reason(e))));
            }
        }
        if (!found) {
            requireLabel();
        }
    }

    @Override
    public Striping striping() {
        return striping;
    }

    @Override
    public Space space() {
        try {
            Path file = root.resolve(VolumeLabel.FILE);
            VolumeLabel now = readLabel(volumeId(), file);
            if (!now.volume().equals(label.volume())) {
                throw refusal(
                        "volume %d is %s, but %s is mounted at %s now"
                                .formatted(volumeId(), label.volume(), now.volume(), root));
            }
            FileStore store = Files.getFileStore(file);
            long total = store.getTotalSpace();
            long free = store.getUsableSpace();
            return onCeph ? cephSpace(total, free, store) : new Space(total, free, disk(file));
        } catch (IOException e) {
            throw new FsException(
                    new FsError.IoFailure(
                            "volume %d at %s: %s".formatted(volumeId(), root, reason(e))));
        }
    }

    /** A disk has a number that holds on one host, for as long as that runs. */
    private static String disk(Path file) throws IOException {
        return Files.readString(BOOT_ID).strip() + " " + Files.getAttribute(file, "unix:dev");
    }

    private static boolean isOnCeph(FileStore store) {
        return store.type().contains("ceph");
    }

    /**
     * CephFS counts the whole cluster, copies and all, for every directory of it. A quota on the
     * volume's directory says what is meant for this volume, and then its room is its own.
     */
    private Space cephSpace(long total, long free, FileStore store) {
        String cluster = attribute("ceph.cluster_fsid").orElseGet(() -> sourceOf(store));
        long quota = number("ceph.quota.max_bytes");
        if (quota == 0) {
            return new Space(total, free, "ceph " + cluster);
        }
        long left = Math.max(0, quota - number("ceph.dir.rbytes"));
        return new Space(
                Math.min(total, quota),
                Math.min(free, left),
                "ceph %s %s".formatted(cluster, uuid()));
    }

    /** The same on every host, before the directory that is mounted. */
    private static String sourceOf(FileStore store) {
        int path = store.name().lastIndexOf(":/");
        return path < 0 ? store.name() : store.name().substring(0, path);
    }

    /** 0 if there is none. */
    private long number(String attribute) {
        try {
            return attribute(attribute).map(Long::parseLong).orElse(0L);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private Optional<String> attribute(String name) {
        try {
            return Optional.of(Posix.attribute(root.toString(), name));
        } catch (Posix.Failure e) {
            LOG.debug("{}: {}: {}", root, name, e.text());
            return Optional.empty();
        }
    }

    @Override
    public synchronized void enterEpoch(int epoch) {
        if (epoch < label.highestEpoch()) {
            throw refusal(
                    "volume %d has seen restore epoch %d, the MGM is at %d: it runs on an older state"
                            .formatted(volumeId(), label.highestEpoch(), epoch));
        }
        if (epoch > label.highestEpoch()) {
            try {
                VolumeLabel later = label.withEpoch(epoch);
                writeLabel(root, later, true);
                label = later;
            } catch (IOException e) {
                throw new FsException(
                        new FsError.IoFailure(
                                "cannot write the label of %s: %s".formatted(root, reason(e))));
            }
        }
    }

    @Override
    public void close() {
        pipes.close();
    }

    /** Shared by all open files. */
    Pipes pipes() {
        return pipes;
    }

    /** Where a content lies; only for this class and its tests. */
    Path path(ContentId content) {
        return directory(content).resolve("%08x".formatted(content.dataId()));
    }

    private Path directory(ContentId content) {
        return epochDirectory(content.epoch())
                .resolve("%08x".formatted(content.dataId() / FILES_PER_DIRECTORY));
    }

    private Path epochDirectory(int epoch) {
        return epoch == 0 ? root : root.resolve("epoch-%d".formatted(epoch));
    }

    /**
     * True if a data sync leaves out the name of a new file: an MDS answers before it has written
     * its journal, and fdatasync does not wait for that.
     */
    boolean namesNeedSync() {
        return onCeph;
    }

    void cannotDescribe(String why) {
        if (warnedOfAttributes.compareAndSet(false, true)) {
            LOG.warn(
                    "volume {} at {} takes no extended attributes, so lost data files will not explain themselves: {}",
                    volumeId(),
                    root,
                    why);
        }
    }

    static FsException error(String path, Posix.Failure failure) {
        String message = path + ": " + failure.text();
        return new FsException(
                switch (failure.errno()) {
                    case Posix.ENOENT -> new FsError.NotFound(message);
                    case Posix.EEXIST -> new FsError.AlreadyExists(message);
                    case Posix.ENOSPC, Posix.EDQUOT -> new FsError.NoSpace(message);
                    default -> new FsError.IoFailure(message);
                });
    }

    private static FsException refusal(String message) {
        return new FsException(new FsError.InvalidArgument(message));
    }

    private static String reason(IOException e) {
        return e.getClass().getSimpleName() + " " + e.getMessage();
    }
}
