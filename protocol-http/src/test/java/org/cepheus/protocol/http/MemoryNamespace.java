package org.cepheus.protocol.http;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.cepheus.domain.AccessBits;
import org.cepheus.domain.Caller;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.FileKind;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.domain.port.Grant;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.OpenRequest;
import org.cepheus.domain.port.QuotaReport;
import org.cepheus.domain.port.SpaceReport;

/** A namespace and its file contents on the heap, for tests. All of it under one lock. */
final class MemoryNamespace implements NamespaceService {
    /** A file or directory; directories have no bytes. */
    record Node(
            long inode,
            long version,
            Optional<byte[]> bytes,
            Instant modified,
            Instant born,
            List<Checksum> checksums,
            Map<String, Bytes> attributes) {
        static Node directory(long inode) {
            return new Node(inode, 0, Optional.empty(), NOW, NOW, List.of(), Map.of());
        }

        static Node file(long inode, long version, byte[] bytes, List<Checksum> checksums) {
            return new Node(inode, version, Optional.of(bytes), NOW, NOW, checksums, Map.of());
        }

        Node with(Map<String, Bytes> other) {
            return new Node(inode, version, bytes, modified, born, checksums, Map.copyOf(other));
        }
    }

    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

    private final NavigableMap<String, Node> nodes = new TreeMap<>();
    private final Queue<FsError> refusals = new ArrayDeque<>();
    private final Set<String> protectedPaths = new HashSet<>();
    private final List<OpenRequest> opens = new ArrayList<>();
    private final MemoryData data;
    private FstAddress fst = new FstAddress(1, "127.0.0.1", 1095, 8081);
    private long lastId = 1;
    private String hugePath = "";
    private int hugeEntries;
    private int pages;
    private int failuresOfList;
    private int lostAnswers;
    private final Map<String, byte[]> replacement = new HashMap<>();

    MemoryNamespace(MemoryData data) {
        this.data = data;
        data.attach(this);
        nodes.put("/", Node.directory(1));
    }

    synchronized void redirectTo(FstAddress address) {
        fst = address;
    }

    synchronized Optional<FstAddress> fst() {
        return Optional.of(fst);
    }

    /** The next calls fail so, one after the other. */
    synchronized void refuseNext(FsError... errors) {
        refusals.addAll(List.of(errors));
    }

    /** Every page of a listing but the first fails. */
    synchronized void breakListings() {
        failuresOfList = 1;
    }

    /** So many changes happen, but the caller is told that their outcome is unknown. */
    synchronized void failChangesAfterDoingThem(int count) {
        lostAnswers = count;
    }

    /** Somebody else is quicker than the next change. */
    synchronized void replaceBeforeTheNextChange(String path, byte[] bytes) {
        replacement.put(path, bytes);
    }

    synchronized List<OpenRequest> opens() {
        return List.copyOf(opens);
    }

    synchronized void directory(String path) {
        nodes.put(path, Node.directory(++lastId));
    }

    synchronized void file(String path, byte[] bytes) {
        long inode = ++lastId;
        long version = ++lastId;
        nodes.put(path, Node.file(inode, version, bytes, MemoryData.checksums(bytes)));
    }

    /** Lists as if there were so many empty files, without keeping them. */
    synchronized void hugeDirectory(String path, int entries) {
        directory(path);
        hugePath = path;
        hugeEntries = entries;
    }

    /** How often a page was asked for. */
    synchronized int pages() {
        return pages;
    }

    private DirectoryPage hugePage(String after, int max) {
        int next = after.isEmpty() ? 0 : Integer.parseInt(after.substring(1)) + 1;
        int end = Math.min(hugeEntries, next + max);
        var entries = new ArrayList<DirectoryPage.Entry>();
        for (int i = next; i < end; i++) {
            Node node = Node.file(i, i, new byte[0], List.of());
            entries.add(new DirectoryPage.Entry("n%07d".formatted(i), status(node)));
        }
        return new DirectoryPage(
                entries,
                end < hugeEntries ? Optional.of("n%07d".formatted(end - 1)) : Optional.empty());
    }

    /** It may not be removed or renamed from now on. */
    synchronized void protect(String path) {
        protectedPaths.add(path);
    }

    private void requireFree(FsPath path) {
        if (protectedPaths.contains(path.value())) {
            throw new FsException(new FsError.PermissionDenied(path + " is protected"));
        }
    }

    synchronized void attributes(String path, Map<String, Bytes> attributes) {
        nodes.put(path, node(FsPath.parse(path)).with(attributes));
    }

    synchronized List<String> names() {
        return List.copyOf(nodes.keySet());
    }

    synchronized boolean exists(String path) {
        return nodes.containsKey(path);
    }

    synchronized byte[] bytes(String path) {
        return node(FsPath.parse(path)).bytes().orElseThrow();
    }

    synchronized Node node(FsPath path) {
        Node node = nodes.get(path.value());
        if (node == null) {
            throw new FsException(new FsError.NotFound("no such file or directory: " + path));
        }
        return node;
    }

    private synchronized <T> CompletionStage<T> answer(Supplier<T> work) {
        FsError refusal = refusals.poll();
        if (refusal != null) {
            return CompletableFuture.failedStage(new FsException(refusal));
        }
        try {
            T value = work.get();
            return CompletableFuture.completedStage(null)
                    .thenApplyAsync(_ -> value, data.executor());
        } catch (FsException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    static FileStatus status(Node node) {
        return new FileStatus(
                node.bytes().isPresent() ? FileKind.FILE : FileKind.DIRECTORY,
                node.inode(),
                node.version(),
                node.bytes().map(b -> b.length).orElse(0),
                node.bytes().isPresent() ? 0644 : 0755,
                "ada",
                "users",
                node.modified(),
                node.modified(),
                node.born(),
                node.checksums(),
                false,
                new AccessBits(true, true, true),
                !node.attributes().isEmpty());
    }

    @Override
    public CompletionStage<FileStatus> stat(Caller caller, FsPath path) {
        return answer(() -> status(node(path)));
    }

    @Override
    public CompletionStage<DirectoryPage> list(
            Caller caller, FsPath directory, String after, int max) {
        return answer(() -> {
            pages++;
            if (directory.value().equals(hugePath)) {
                return hugePage(after, max);
            }
            if (node(directory).bytes().isPresent()) {
                throw new FsException(new FsError.NotDirectory("a file: " + directory));
            }
            if (!after.isEmpty() && failuresOfList > 0) {
                throw new FsException(new FsError.IoFailure("the disk broke"));
            }
            String prefix = directory.isRoot() ? "/" : directory.value() + "/";
            var entries = new ArrayList<DirectoryPage.Entry>();
            for (var each : nodes.tailMap(prefix + after, false).entrySet()) {
                String name =
                        each.getKey().substring(Math.min(prefix.length(), each.getKey().length()));
                if (!each.getKey().startsWith(prefix)) {
                    break;
                }
                if (name.contains("/")) {
                    continue;
                }
                if (entries.size() == max) {
                    return new DirectoryPage(entries, Optional.of(entries.getLast().name()));
                }
                entries.add(new DirectoryPage.Entry(name, status(each.getValue())));
            }
            return new DirectoryPage(entries, Optional.empty());
        });
    }

    @Override
    public CompletionStage<Map<String, Bytes>> attributes(Caller caller, FsPath path) {
        return answer(() -> node(path).attributes());
    }

    @Override
    public CompletionStage<SpaceReport> space(Caller caller, FsPath path) {
        var row =
                new QuotaReport(
                        FsPath.ROOT,
                        QuotaKind.PROJECT,
                        "",
                        OptionalLong.of(5000),
                        OptionalLong.empty(),
                        1000,
                        3,
                        500,
                        1);
        return answer(() -> new SpaceReport(1_000_000, 900_000, List.of(row)));
    }

    @Override
    public CompletionStage<Grant> open(Caller caller, OpenRequest request) {
        return answer(() -> {
            opens.add(request);
            return request.writing().isPresent()
                    ? openForWrite(request, request.writing().get())
                    : openForRead(request);
        });
    }

    private Grant openForRead(OpenRequest request) {
        Node node = node(request.path());
        if (node.bytes().isEmpty()) {
            throw new FsException(new FsError.IsDirectory("a directory: " + request.path()));
        }
        String ticket = data.grantReading(request.path(), node);
        return new Grant(ticket, fst, Optional.of(status(node)));
    }

    private Grant openForWrite(OpenRequest request, LeaseCommand.Intent intent) {
        Node there = nodes.get(request.path().value());
        if (there != null && there.bytes().isEmpty()) {
            throw new FsException(new FsError.IsDirectory("a directory: " + request.path()));
        }
        if (there != null && intent == LeaseCommand.Intent.NEW) {
            throw new FsException(new FsError.AlreadyExists("exists: " + request.path()));
        }
        node(request.path().parent());
        return new Grant(
                data.grantWriting(request.path(), ++lastId, request.declaredSizeBytes()),
                fst,
                Optional.empty());
    }

    /** The last step of an upload. */
    synchronized FileStatus commit(
            FsPath path,
            long inode,
            byte[] bytes,
            List<Checksum> checksums,
            OptionalLong onlyOver) {
        Node old = nodes.get(path.value());
        if (onlyOver.isPresent() && (old == null || old.version() != onlyOver.getAsLong())) {
            throw new FsException(new FsError.AlreadyExists("another content by now: " + path));
        }
        Node node =
                old == null
                        ? Node.file(inode, ++lastId, bytes, checksums)
                        : new Node(
                                old.inode(),
                                ++lastId,
                                Optional.of(bytes),
                                old.modified().plusSeconds(1),
                                old.born(),
                                checksums,
                                old.attributes());
        nodes.put(path.value(), node);
        return status(node);
    }

    @Override
    public CompletionStage<Void> change(Caller caller, Mutation mutation) {
        return answer(() -> {
            replacement.forEach(this::file);
            replacement.clear();
            apply(mutation);
            if (lostAnswers > 0) {
                lostAnswers--;
                throw new FsException(new FsError.Unavailable("no leader any more", 1));
            }
            return null;
        });
    }

    private void apply(Mutation mutation) {
        switch (mutation) {
            case Mutation.MakeDirectory(var path, _, _) -> {
                node(path.parent());
                if (nodes.containsKey(path.value())) {
                    throw new FsException(new FsError.AlreadyExists("exists: " + path));
                }
                directory(path.value());
            }
            case Mutation.RemoveFile(var path) -> {
                requireFree(path);
                nodes.remove(path.value());
            }
            case Mutation.RemoveDirectory(var path) -> {
                if (nodes.keySet().stream().anyMatch(p -> p.startsWith(path.value() + "/"))) {
                    throw new FsException(new FsError.NotEmpty("has entries: " + path));
                }
                nodes.remove(path.value());
            }
            case Mutation.Rename(var path, var target, _) -> rename(path, target);
            case Mutation.ChangeAttributes(var path, var changes) -> {
                var all = new HashMap<>(node(path).attributes());
                for (Mutation.AttributeChange each : changes) {
                    all.remove(each.name());
                    each.value().ifPresent(value -> all.put(each.name(), value));
                }
                nodes.put(path.value(), node(path).with(all));
            }
            case Mutation.IfVersion(long version, Mutation change) -> {
                if (node(change.path()).version() != version) {
                    throw new FsException(new FsError.AlreadyExists("another content"));
                }
                apply(change);
            }
            case Mutation.SetMode _,
                    Mutation.SetOwner _,
                    Mutation.SetModified _,
                    Mutation.SetAttribute _,
                    Mutation.RemoveAttribute _,
                    Mutation.SetQuota _,
                    Mutation.SetDefaultQuota _,
                    Mutation.RemoveQuota _ ->
                    throw new FsException(new FsError.Unsupported("not in this fake"));
        }
    }

    private void rename(FsPath path, FsPath target) {
        requireFree(path);
        Node moved = node(path);
        node(target.parent());
        Node there = nodes.get(target.value());
        if (there != null && there.bytes().isEmpty()) {
            throw new FsException(new FsError.IsDirectory("a directory: " + target));
        }
        nodes.remove(path.value());
        nodes.put(target.value(), moved);
        for (String below : List.copyOf(nodes.tailMap(path.value() + "/").keySet())) {
            if (below.startsWith(path.value() + "/")) {
                Node child = nodes.remove(below);
                if (child != null) {
                    nodes.put(target.value() + below.substring(path.value().length()), child);
                }
            }
        }
    }
}
