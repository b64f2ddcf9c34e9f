package org.cepheus.protocol.xrootd;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.zip.Adler32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.cepheus.domain.AccessBits;
import org.cepheus.domain.Caller;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileKind;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.Location;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.DataFile;
import org.cepheus.domain.port.DataService;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.domain.port.Grant;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.OpenRequest;
import org.cepheus.domain.port.QuotaReport;
import org.cepheus.domain.port.SpaceReport;

/** A namespace and the bytes behind it on the heap: the least that real clients can talk to. */
final class MemorySite implements NamespaceService, DataService {
    /** A name: a directory has no content. */
    record Node(long inode, Optional<byte[]> content, int mode, String owner, Instant modified) {}

    /** What opens are asked, for tests that look at it. */
    final List<OpenRequest> opens = new ArrayList<>();

    /** Who asked last. */
    volatile Caller lastCaller = Caller.SYSTEM;

    /** Where data is served. */
    volatile FstAddress fst = new FstAddress(1, "127.0.0.1", 0, 0);

    /** A failure that the next calls answer. */
    volatile Optional<FsError> trouble = Optional.empty();

    /** Runs the data calls; replaced by tests that want them late. */
    volatile Supplier<CompletionStage<Void>> storage =
            () -> CompletableFuture.completedFuture(null);

    private final NavigableMap<String, Node> nodes = new TreeMap<>();
    private final Map<String, Map<String, Bytes>> attributes = new ConcurrentHashMap<>();
    private final Map<String, MemoryFile> uploads = new ConcurrentHashMap<>();
    private final Map<String, Ticket> tickets = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger(10);

    MemorySite() {
        nodes.put("/", directory(0777));
    }

    private Node directory(int mode) {
        return new Node(next.incrementAndGet(), Optional.empty(), mode, "root", Instant.EPOCH);
    }

    synchronized Optional<byte[]> content(String path) {
        return Optional.ofNullable(nodes.get(path)).flatMap(Node::content);
    }

    synchronized void put(String path, byte[] content) {
        nodes.put(
                path,
                new Node(
                        next.incrementAndGet(),
                        Optional.of(content),
                        0644,
                        "ann",
                        Instant.ofEpochSecond(1_700_000_000)));
    }

    synchronized void makeDirectory(String path) {
        nodes.put(path, directory(0755));
    }

    @Override
    public CompletionStage<FileStatus> stat(Caller caller, FsPath path) {
        return answer(caller, () -> status(find(path)));
    }

    private static FileStatus status(Node node) {
        byte[] content = node.content().orElse(new byte[0]);
        boolean isFile = node.content().isPresent();
        return new FileStatus(
                isFile ? FileKind.FILE : FileKind.DIRECTORY,
                node.inode(),
                1,
                content.length,
                node.mode(),
                node.owner(),
                "users",
                node.modified(),
                node.modified(),
                node.modified(),
                isFile ? checksums(content) : List.of(),
                false,
                new AccessBits(true, true, !isFile));
    }

    private static List<org.cepheus.domain.Checksum> checksums(byte[] content) {
        return List.of(
                checksum(ChecksumType.ADLER32, new Adler32(), content),
                checksum(ChecksumType.CRC32C, new CRC32C(), content));
    }

    private static org.cepheus.domain.Checksum checksum(
            ChecksumType type, Checksum sum, byte[] content) {
        sum.update(content);
        return org.cepheus.domain.Checksum.of(type, (int) sum.getValue());
    }

    @Override
    public CompletionStage<DirectoryPage> list(
            Caller caller, FsPath directory, String after, int max) {
        return answer(caller, () -> page(directory, after, max));
    }

    private DirectoryPage page(FsPath directory, String after, int max) {
        if (find(directory).content().isPresent()) {
            throw new FsException(new FsError.NotDirectory(directory + " is a file"));
        }
        var entries = new ArrayList<DirectoryPage.Entry>();
        String prefix = directory.isRoot() ? "/" : directory + "/";
        for (var at : nodes.tailMap(prefix + after, false).entrySet()) {
            if (!at.getKey().startsWith(prefix)) {
                break;
            }
            String name = at.getKey().substring(prefix.length());
            if (!name.contains("/") && !name.isEmpty()) {
                if (entries.size() == max) {
                    return new DirectoryPage(entries, Optional.of(entries.getLast().name()));
                }
                entries.add(new DirectoryPage.Entry(name, status(at.getValue())));
            }
        }
        return new DirectoryPage(entries, Optional.empty());
    }

    @Override
    public CompletionStage<Map<String, Bytes>> attributes(Caller caller, FsPath path) {
        return answer(
                caller,
                () -> {
                    find(path);
                    return Map.copyOf(attributes.getOrDefault(path.value(), Map.of()));
                });
    }

    @Override
    public CompletionStage<SpaceReport> space(Caller caller, FsPath path) {
        var row =
                new QuotaReport(
                        FsPath.ROOT,
                        QuotaKind.PROJECT,
                        "",
                        OptionalLong.of(1L << 30),
                        OptionalLong.empty(),
                        1L << 20,
                        3,
                        0,
                        0);
        return answer(caller, () -> new SpaceReport(1L << 40, 1L << 39, List.of(row)));
    }

    @Override
    public CompletionStage<Grant> open(Caller caller, OpenRequest request) {
        return answer(caller, () -> grant(caller, request));
    }

    private Grant grant(Caller caller, OpenRequest request) {
        opens.add(request);
        FsPath path = request.path();
        Node node = nodes.get(path.value());
        if (node != null && node.content().isEmpty()) {
            throw new FsException(new FsError.IsDirectory(path + " is a directory"));
        }
        boolean inPlace = request.writing().filter(LeaseCommand.Intent.UPDATE::equals).isPresent();
        if (node == null && (inPlace || request.writing().isEmpty())) {
            throw new FsException(new FsError.NotFound(path + " does not exist"));
        }
        boolean isNew = request.writing().filter(LeaseCommand.Intent.NEW::equals).isPresent();
        if (node != null && isNew) {
            throw new FsException(new FsError.AlreadyExists(path + " exists"));
        }
        if (request.makeParents()) {
            makeParents(path.parent());
        }
        find(path.parent());
        long id = next.incrementAndGet();
        var ticket =
                new Ticket(
                        new UUID(1, 2),
                        fst.fstId(),
                        path,
                        id,
                        new Location(1, id),
                        0,
                        request.writing().map(_ -> new LeaseRef(1, path.name(), id, 1)),
                        inPlace,
                        node == null ? 0 : node.content().orElseThrow().length,
                        request.declaredSizeBytes(),
                        0,
                        List.of(ChecksumType.ADLER32),
                        Instant.EPOCH,
                        Instant.MAX,
                        caller);
        String sealed = fst.fstId() + ".t" + id;
        tickets.put(sealed, ticket);
        return new Grant(sealed, fst, Optional.ofNullable(node).map(MemorySite::status));
    }

    private void makeParents(FsPath directory) {
        if (!nodes.containsKey(directory.value())) {
            makeParents(directory.parent());
            nodes.put(directory.value(), directory(0755));
        }
    }

    @Override
    public CompletionStage<Void> change(Caller caller, Mutation mutation) {
        return answer(
                caller,
                () -> {
                    apply(mutation);
                    return null;
                });
    }

    private void apply(Mutation mutation) {
        String path = mutation.path().value();
        switch (mutation) {
            case Mutation.MakeDirectory m -> {
                if (m.parents()) {
                    makeParents(m.path());
                } else if (nodes.containsKey(path)) {
                    throw new FsException(new FsError.AlreadyExists(path + " exists"));
                } else {
                    find(m.path().parent());
                    nodes.put(path, directory(m.mode()));
                }
            }
            case Mutation.RemoveFile m -> {
                if (find(m.path()).content().isEmpty()) {
                    throw new FsException(new FsError.IsDirectory(path + " is a directory"));
                }
                nodes.remove(path);
            }
            case Mutation.RemoveDirectory m -> {
                find(m.path());
                String below = nodes.higherKey(path);
                if (below != null && below.startsWith(path + "/")) {
                    throw new FsException(new FsError.NotEmpty(path + " is not empty"));
                }
                nodes.remove(path);
            }
            case Mutation.Rename m -> {
                nodes.put(m.target().value(), find(m.path()));
                nodes.remove(path);
            }
            case Mutation.SetMode m -> {
                Node old = find(m.path());
                nodes.put(
                        path,
                        new Node(
                                old.inode(), old.content(), m.mode(), old.owner(), old.modified()));
            }
            case Mutation.SetAttribute m -> {
                find(m.path());
                var all = attributes.computeIfAbsent(path, _ -> new ConcurrentHashMap<>());
                if (m.onlyNew() && all.containsKey(m.name())) {
                    throw new FsException(new FsError.AlreadyExists(m.name() + " exists"));
                }
                all.put(m.name(), m.value());
            }
            case Mutation.RemoveAttribute m -> {
                find(m.path());
                if (attributes.getOrDefault(path, Map.of()).remove(m.name()) == null) {
                    throw new FsException(new FsError.NotFound("no attribute " + m.name()));
                }
            }
            case Mutation.IfVersion _,
                    Mutation.SetOwner _,
                    Mutation.SetModified _,
                    Mutation.ChangeAttributes _,
                    Mutation.SetQuota _,
                    Mutation.SetDefaultQuota _,
                    Mutation.RemoveQuota _ ->
                    throw new FsException(new FsError.Unsupported("not in this fake"));
        }
    }

    private Node find(FsPath path) {
        Node node = nodes.get(path.value());
        if (node == null) {
            throw new FsException(new FsError.NotFound(path + " does not exist"));
        }
        return node;
    }

    private synchronized <T> CompletionStage<T> answer(Caller caller, Supplier<T> call) {
        lastCaller = caller;
        try {
            if (trouble.isPresent()) {
                throw new FsException(trouble.get());
            }
            return CompletableFuture.completedFuture(call.get());
        } catch (FsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    // ---- Data

    @Override
    public CompletionStage<DataFile> open(String sealedTicket) {
        if (sealedTicket.contains("expired")) {
            return CompletableFuture.failedFuture(
                    new FsException(new FsError.TicketExpired("the ticket has expired")));
        }
        Ticket ticket = tickets.get(sealedTicket);
        if (ticket == null) {
            return CompletableFuture.failedFuture(
                    new FsException(new FsError.TicketInvalid("not a ticket of this site")));
        }
        byte[] now = content(ticket.path().value()).orElse(new byte[0]);
        MemoryFile file =
                ticket.isForWriting()
                        ? uploads.computeIfAbsent(
                                sealedTicket,
                                _ -> new MemoryFile(ticket, ticket.inPlace() ? now : new byte[0]))
                        : new MemoryFile(ticket, now);
        return CompletableFuture.completedFuture(file);
    }

    /** The upload of a ticket, for tests that look at it. */
    Optional<MemoryFile> upload(String path) {
        return uploads.values().stream()
                .filter(file -> file.ticket.path().value().equals(path))
                .findFirst();
    }

    final class MemoryFile implements DataFile {
        private final Ticket ticket;
        private final Map<Long, Integer> damaged = new ConcurrentHashMap<>();
        private byte[] bytes;
        final AtomicInteger detached = new AtomicInteger();
        final AtomicInteger closed = new AtomicInteger();
        final AtomicInteger mended = new AtomicInteger();

        MemoryFile(Ticket ticket, byte[] bytes) {
            this.ticket = ticket;
            this.bytes = bytes;
        }

        @Override
        public Ticket ticket() {
            return ticket;
        }

        @Override
        public synchronized long sizeBytes() {
            return bytes.length;
        }

        @Override
        public CompletionStage<Integer> read(long offset, ByteBuffer... into) {
            return storage.get().thenApply(_ -> fill(offset, into));
        }

        private synchronized int fill(long offset, ByteBuffer... into) {
            long at = offset;
            for (ByteBuffer buffer : into) {
                int count = (int) Math.min(buffer.remaining(), Math.max(0, bytes.length - at));
                if (count > 0) {
                    buffer.put(bytes, (int) at, count);
                    at += count;
                }
            }
            return (int) (at - offset);
        }

        @Override
        public CompletionStage<Void> write(long offset, ByteBuffer... from) {
            return storage.get().thenAccept(_ -> store(offset, from));
        }

        private synchronized void store(long offset, ByteBuffer... from) {
            int total = 0;
            for (ByteBuffer buffer : from) {
                total += buffer.remaining();
            }
            int end = (int) offset + total;
            if (end > bytes.length) {
                bytes = java.util.Arrays.copyOf(bytes, end);
            }
            int at = (int) offset;
            for (ByteBuffer buffer : from) {
                int count = buffer.remaining();
                buffer.get(bytes, at, count);
                at += count;
            }
        }

        @Override
        public void pageDamaged(long offset, int length) {
            damaged.put(offset, length);
        }

        @Override
        public void pageMended(long offset) {
            mended.incrementAndGet();
            damaged.remove(offset);
        }

        @Override
        public CompletionStage<Void> truncate(long sizeBytes) {
            return storage.get().thenAccept(_ -> cut((int) sizeBytes));
        }

        private synchronized void cut(int size) {
            bytes = java.util.Arrays.copyOf(bytes, size);
        }

        @Override
        public CompletionStage<Void> sync() {
            return storage.get();
        }

        @Override
        public CompletionStage<FileStatus> commit(
                List<org.cepheus.domain.Checksum> expected, OptionalLong onlyOver) {
            return storage.get().thenApply(_ -> commitNow());
        }

        @Override
        public void wantChecksums(Set<ChecksumType> types) {}

        @Override
        public CompletionStage<List<org.cepheus.domain.Checksum>> checksums(
                Set<ChecksumType> wanted) {
            return CompletableFuture.failedFuture(
                    new FsException(new FsError.Unsupported("not in this fake")));
        }

        private FileStatus commitNow() {
            if (!damaged.isEmpty()) {
                throw new FsException(
                        new FsError.ChecksumMismatch(damaged.size() + " pages are damaged"));
            }
            if (ticket.declaredSizeBytes().isPresent()
                    && ticket.declaredSizeBytes().getAsLong() != sizeBytes()) {
                throw new FsException(
                        new FsError.SizeMismatch(
                                "%d bytes arrived, %d were declared"
                                        .formatted(
                                                sizeBytes(),
                                                ticket.declaredSizeBytes().getAsLong())));
            }
            put(ticket.path().value(), bytes);
            return status(find(ticket.path()));
        }

        @Override
        public CompletionStage<Void> abort(String reason) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void detach() {
            detached.incrementAndGet();
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }
}
