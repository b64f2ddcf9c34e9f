package org.cepheus.domain.fuzz;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.cepheus.domain.AccessBits;
import org.cepheus.domain.Caller;
import org.cepheus.domain.Checksum;
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
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.DataFile;
import org.cepheus.domain.port.DataService;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.domain.port.Grant;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.OpenRequest;
import org.cepheus.domain.port.QuotaReport;
import org.cepheus.domain.port.SpaceReport;

/**
 * A site that says yes and never changes, so that a recorded session can be said again for ever:
 * names with a dot are files, others directories, {@code missing} is missing; a ticket is good
 * whenever it is brought; what is written is counted and forgotten.
 */
public final class StillSite implements NamespaceService, DataService {
    public static final int FILE_BYTES = 20_000;

    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final byte[] CONTENT = content();
    private static final List<String> ENTRIES = List.of("a.txt", "b.root", "sub");
    private static final long MOST_BYTES = 1L << 40;

    private final FstAddress fst;
    private final Supplier<CompletionStage<Void>> work;

    /**
     * @param fst where it sends who wants bytes
     * @param work completes when a call may go on; complete already for a site without delay
     */
    public StillSite(FstAddress fst, Supplier<CompletionStage<Void>> work) {
        this.fst = fst;
        this.work = work;
    }

    private static byte[] content() {
        var bytes = new byte[FILE_BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 + (i >> 8));
        }
        return bytes;
    }

    private <T> CompletionStage<T> answer(Supplier<T> call) {
        return work.get().thenApply(_ -> call.get());
    }

    @Override
    public CompletionStage<FileStatus> stat(Caller caller, FsPath path) {
        return answer(() -> status(path));
    }

    private static FileStatus status(FsPath path) {
        if (path.name().contains("missing")) {
            throw new FsException(new FsError.NotFound(path + " does not exist"));
        }
        boolean isFile = path.name().contains(".");
        return status(isFile, isFile ? FILE_BYTES : 0);
    }

    private static FileStatus status(boolean isFile, long size) {
        var crc = new CRC32C();
        crc.update(CONTENT);
        return new FileStatus(
                isFile ? FileKind.FILE : FileKind.DIRECTORY,
                11,
                isFile ? 7 : 0,
                size,
                isFile ? 0644 : 0755,
                "ann",
                "users",
                NOW,
                NOW,
                NOW,
                isFile
                        ? List.of(Checksum.of(ChecksumType.CRC32C, (int) crc.getValue()))
                        : List.of(),
                false,
                new AccessBits(true, true, !isFile));
    }

    @Override
    public CompletionStage<DirectoryPage> list(
            Caller caller, FsPath directory, String after, int max) {
        return answer(() -> {
            if (!status(directory).isDirectory()) {
                throw new FsException(new FsError.NotDirectory(directory + " is a file"));
            }
            List<DirectoryPage.Entry> entries =
                    ENTRIES.stream()
                            .filter(name -> name.compareTo(after) > 0)
                            .map(name ->
                                    new DirectoryPage.Entry(name, status(directory.child(name))))
                            .toList();
            return entries.size() <= max
                    ? new DirectoryPage(entries, Optional.empty())
                    : new DirectoryPage(
                            entries.subList(0, max), Optional.of(entries.get(max - 1).name()));
        });
    }

    @Override
    public CompletionStage<Map<String, Bytes>> attributes(Caller caller, FsPath path) {
        return answer(() -> {
            status(path);
            return Map.of("user.colour", Bytes.copyOf("red".getBytes(StandardCharsets.UTF_8)));
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
        return answer(() -> new SpaceReport(1L << 40, 1L << 39, List.of(row)));
    }

    @Override
    public CompletionStage<Grant> open(Caller caller, OpenRequest request) {
        return answer(() -> {
            FsPath path = request.path();
            boolean writing = request.writing().isPresent();
            if (!writing && status(path).isDirectory()) {
                throw new FsException(new FsError.IsDirectory(path + " is a directory"));
            }
            String declared =
                    request.declaredSizeBytes().isPresent()
                            ? Long.toString(request.declaredSizeBytes().getAsLong())
                            : "";
            String sealed =
                    "1.%s.%s.%s"
                            .formatted(
                                    writing ? "w" : "r",
                                    HexFormat.of()
                                            .formatHex(
                                                    path.value().getBytes(StandardCharsets.UTF_8)),
                                    declared);
            return new Grant(sealed, fst, writing ? Optional.empty() : Optional.of(status(path)));
        });
    }

    @Override
    public CompletionStage<Void> change(Caller caller, Mutation mutation) {
        return answer(() -> {
            if (mutation.path().name().contains("missing")) {
                throw new FsException(new FsError.NotFound(mutation.path() + " does not exist"));
            }
            return null;
        });
    }

    @Override
    public CompletionStage<DataFile> open(String sealedTicket) {
        return answer(() -> new StillFile(ticket(sealedTicket)));
    }

    private Ticket ticket(String sealed) {
        String[] parts = sealed.split("\\.", -1);
        try {
            if (parts.length != 4 || !parts[0].equals("1")) {
                throw new IllegalArgumentException("parts");
            }
            FsPath path =
                    FsPath.parse(
                            new String(HexFormat.of().parseHex(parts[2]), StandardCharsets.UTF_8));
            boolean writing = parts[1].equals("w");
            return new Ticket(
                    new UUID(1, 2),
                    1,
                    path,
                    11,
                    new Location(1, 7),
                    0,
                    writing ? Optional.of(new LeaseRef(1, path.name(), 7, 11)) : Optional.empty(),
                    false,
                    writing ? 0 : FILE_BYTES,
                    parts[3].isEmpty()
                            ? OptionalLong.empty()
                            : OptionalLong.of(Long.parseLong(parts[3])),
                    0,
                    List.of(ChecksumType.ADLER32),
                    NOW,
                    Instant.MAX,
                    Caller.SYSTEM);
        } catch (IllegalArgumentException e) {
            throw new FsException(new FsError.TicketInvalid("not a ticket of this site"));
        }
    }

    /** Reads the same bytes always, and forgets what is written. */
    private final class StillFile implements DataFile {
        private final Ticket ticket;
        private long size;

        StillFile(Ticket ticket) {
            this.ticket = ticket;
            this.size = ticket.sizeBytes();
        }

        @Override
        public Ticket ticket() {
            return ticket;
        }

        @Override
        public long sizeBytes() {
            return size;
        }

        @Override
        public CompletionStage<Integer> read(long offset, ByteBuffer... into) {
            return answer(() -> {
                long at = offset;
                for (ByteBuffer buffer : into) {
                    int from = (int) Math.min(at, FILE_BYTES);
                    int count = Math.min(buffer.remaining(), FILE_BYTES - from);
                    buffer.put(CONTENT, from, count);
                    at += count;
                }
                return (int) (at - offset);
            });
        }

        @Override
        public CompletionStage<Void> write(long offset, ByteBuffer... from) {
            return answer(() -> {
                long at = offset;
                for (ByteBuffer buffer : from) {
                    at += buffer.remaining();
                    // Memory that was given back too early shows here.
                    buffer.get(new byte[buffer.remaining()]);
                }
                grow(at);
                return null;
            });
        }

        private void grow(long to) {
            if (to < 0 || to > MOST_BYTES) {
                throw new FsException(new FsError.NoSpace("there is no room for byte " + to));
            }
            size = Math.max(size, to);
        }

        @Override
        public void pageDamaged(long offset, int length) {}

        @Override
        public void pageMended(long offset) {}

        @Override
        public CompletionStage<Void> truncate(long sizeBytes) {
            return answer(() -> {
                grow(sizeBytes);
                size = sizeBytes;
                return null;
            });
        }

        @Override
        public CompletionStage<Void> sync() {
            return answer(() -> null);
        }

        @Override
        public CompletionStage<FileStatus> commit(List<Checksum> expected, OptionalLong onlyOver) {
            return answer(() -> status(true, size));
        }

        @Override
        public void wantChecksums(Set<ChecksumType> types) {}

        @Override
        public CompletionStage<List<Checksum>> checksums(Set<ChecksumType> wanted) {
            return answer(() -> status(true, size).checksums());
        }

        @Override
        public CompletionStage<Void> abort(String reason) {
            return answer(() -> null);
        }

        @Override
        public void detach() {}

        @Override
        public void close() {}
    }

    /** A stage that is complete already: a site without delay. */
    public static CompletionStage<Void> atOnce() {
        return CompletableFuture.completedFuture(null);
    }
}
