package org.cepheus.protocol.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.Adler32;
import java.util.zip.CRC32C;
import org.cepheus.domain.Caller;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.Location;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.port.DataFile;
import org.cepheus.domain.port.DataService;
import org.jspecify.annotations.Nullable;

/** File contents on the heap behind tickets, for tests. Works on a thread of its own. */
final class MemoryData implements DataService, AutoCloseable {
    /** The trace id that all tickets carry. */
    static final TraceId TICKET_TRACE = new TraceId(0x7e57);

    private final ExecutorService executor =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());
    private final Map<String, MemoryFile> tickets = new HashMap<>();
    private final List<String> aborts = new ArrayList<>();
    private @Nullable MemoryNamespace namespace;
    private @Nullable FsError openFailure;
    private @Nullable FsError writeFailure;
    private final CompletableFuture<Void> lost = new CompletableFuture<>();
    private int openFiles;
    private int lastTicket;

    void attach(MemoryNamespace names) {
        namespace = names;
    }

    Executor executor() {
        return executor;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    /** Every open fails so from now on. */
    synchronized void failOpens(FsError error) {
        openFailure = error;
    }

    /** Every write fails so from now on. */
    synchronized void failWrites(FsError error) {
        writeFailure = error;
    }

    /** Ends every upload, as an operator does. */
    void endUploads(FsError why) {
        lost.completeExceptionally(new FsException(why));
    }

    /** Why uploads were aborted, in order. */
    synchronized List<String> aborts() {
        return List.copyOf(aborts);
    }

    synchronized int openFiles() {
        return openFiles;
    }

    synchronized String grantReading(FsPath path, MemoryNamespace.Node node) {
        return grant(
                new MemoryFile(
                        ticket(
                                path,
                                node.inode(),
                                node.version(),
                                Optional.empty(),
                                OptionalLong.empty(),
                                node.bytes().orElseThrow().length),
                        node.bytes().orElseThrow()));
    }

    synchronized String grantWriting(FsPath path, long inode, OptionalLong declared) {
        var lease = new LeaseRef(1, path.name(), inode, inode);
        return grant(
                new MemoryFile(
                        ticket(path, inode, inode, Optional.of(lease), declared, 0), new byte[0]));
    }

    private String grant(MemoryFile file) {
        String text = "ticket-" + ++lastTicket;
        tickets.put(text, file);
        return text;
    }

    private static Ticket ticket(
            FsPath path,
            long inode,
            long dataId,
            Optional<LeaseRef> lease,
            OptionalLong declared,
            long size) {
        return new Ticket(
                new UUID(1, 2),
                1,
                path,
                inode,
                new Location(1, dataId),
                0,
                lease,
                false,
                size,
                declared,
                0,
                List.of(ChecksumType.ADLER32),
                Instant.parse("2026-11-20T12:00:00Z"),
                Instant.parse("2026-11-21T12:00:00Z"),
                new Caller(Caller.SYSTEM.identity(), "127.0.0.1", TICKET_TRACE));
    }

    @Override
    public synchronized CompletionStage<DataFile> open(String sealedTicket) {
        MemoryFile file = tickets.get(sealedTicket);
        if (openFailure != null) {
            return CompletableFuture.failedStage(new FsException(openFailure));
        }
        if (file == null) {
            return CompletableFuture.failedStage(
                    new FsException(new FsError.TicketInvalid("the ticket is forged")));
        }
        openFiles++;
        return CompletableFuture.supplyAsync(() -> file, executor);
    }

    /** Those that every file has. */
    static List<Checksum> checksums(byte[] bytes) {
        return checksums(bytes, Set.of(ChecksumType.ADLER32, ChecksumType.CRC32C));
    }

    static List<Checksum> checksums(byte[] bytes, Set<ChecksumType> types) {
        var sums = new ArrayList<Checksum>();
        for (ChecksumType type : ChecksumType.values()) {
            if (types.contains(type)) {
                sums.add(checksum(bytes, type));
            }
        }
        return sums;
    }

    private static Checksum checksum(byte[] bytes, ChecksumType type) {
        return switch (type) {
            case ADLER32 -> {
                var adler = new Adler32();
                adler.update(bytes);
                yield Checksum.of(type, (int) adler.getValue());
            }
            case CRC32C -> {
                var crc = new CRC32C();
                crc.update(bytes);
                yield Checksum.of(type, (int) crc.getValue());
            }
            case MD5, SHA256 -> {
                try {
                    byte[] sum = MessageDigest.getInstance(type.word()).digest(bytes);
                    yield new Checksum(type, HexFormat.of().formatHex(sum));
                } catch (NoSuchAlgorithmException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }

    private final class MemoryFile implements DataFile {
        private final Ticket ticket;
        private final byte[] content;
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private final Set<ChecksumType> wanted =
                EnumSet.of(ChecksumType.ADLER32, ChecksumType.CRC32C);

        MemoryFile(Ticket ticket, byte[] content) {
            this.ticket = ticket;
            this.content = content;
        }

        @Override
        public Ticket ticket() {
            return ticket;
        }

        @Override
        public long sizeBytes() {
            return ticket.isForWriting() ? written.size() : content.length;
        }

        @Override
        public CompletionStage<Integer> read(long offset, ByteBuffer... into) {
            return CompletableFuture.supplyAsync(
                    () -> {
                        int at = (int) offset;
                        for (ByteBuffer each : into) {
                            int length = Math.min(each.remaining(), content.length - at);
                            each.put(content, at, length);
                            at += length;
                        }
                        return at - (int) offset;
                    },
                    executor);
        }

        @Override
        public CompletionStage<Void> write(long offset, ByteBuffer... from) {
            return CompletableFuture.runAsync(() -> append(offset, from), executor);
        }

        private void append(long offset, ByteBuffer... from) {
            synchronized (MemoryData.this) {
                if (writeFailure != null) {
                    throw new FsException(writeFailure);
                }
            }
            if (offset != written.size()) {
                throw new FsException(new FsError.Internal("a gap at " + offset));
            }
            for (ByteBuffer each : from) {
                byte[] part = new byte[each.remaining()];
                each.get(part);
                written.writeBytes(part);
            }
        }

        @Override
        public CompletionStage<Void> lost() {
            return lost;
        }

        @Override
        public void pageDamaged(long offset, int length) {}

        @Override
        public void pageMended(long offset) {}

        @Override
        public CompletionStage<Void> truncate(long sizeBytes) {
            return CompletableFuture.completedStage(null);
        }

        @Override
        public CompletionStage<Void> sync() {
            return CompletableFuture.completedStage(null);
        }

        @Override
        public CompletionStage<FileStatus> commit(List<Checksum> expected, OptionalLong onlyOver) {
            return CompletableFuture.supplyAsync(() -> commitNow(expected, onlyOver), executor);
        }

        @Override
        public void wantChecksums(Set<ChecksumType> types) {
            wanted.addAll(types);
        }

        @Override
        public CompletionStage<List<Checksum>> checksums(Set<ChecksumType> types) {
            return CompletableFuture.supplyAsync(
                    () -> MemoryData.checksums(content, types), executor);
        }

        private FileStatus commitNow(List<Checksum> expected, OptionalLong onlyOver) {
            byte[] bytes = written.toByteArray();
            expected.forEach(sum -> wanted.add(sum.type()));
            ended();
            if (ticket.declaredSizeBytes().orElse(bytes.length) != bytes.length) {
                throw new FsException(new FsError.SizeMismatch("other size than declared"));
            }
            List<Checksum> found = MemoryData.checksums(bytes, wanted);
            if (!found.containsAll(expected)) {
                throw new FsException(new FsError.ChecksumMismatch("bytes have another checksum"));
            }
            if (namespace == null) {
                throw new FsException(new FsError.Internal("no namespace attached"));
            }
            return namespace.commit(ticket.path(), ticket.inode(), bytes, found, onlyOver);
        }

        @Override
        public CompletionStage<Void> abort(String reason) {
            synchronized (MemoryData.this) {
                aborts.add(reason);
            }
            ended();
            return CompletableFuture.completedStage(null);
        }

        @Override
        public void detach() {
            ended();
        }

        @Override
        public void close() {
            ended();
        }

        private void ended() {
            synchronized (MemoryData.this) {
                openFiles--;
            }
        }
    }
}
