package org.cepheus.mgm.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.codec.DecodeException;
import org.cepheus.mgm.store.StoreHome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives this member's state, as files, to a member that was away for too long. One thread makes and
 * reads the copies; a copy is links to files that do not change, so that it costs next to nothing.
 */
final class StateDonor implements AutoCloseable {
    /** Copies kept at the same time; one more takes the place of the oldest. */
    static final int MAX_COPIES = 2;

    /** The longest piece of a file in one answer. */
    static final int MAX_PIECE_BYTES = 4 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(StateDonor.class);

    private final StateFiles files;
    private final Bytes key;
    private final Map<Long, Copy> copies = new LinkedHashMap<>();
    private long made;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().name("state-donor").daemon().factory());

    private record Copy(Path directory, TransferMessage.Manifest manifest) {}

    StateDonor(StateFiles files, Bytes key) {
        this.files = files;
        this.key = key;
    }

    /** The answer to a {@link TransferMessage.Request}; does not block. */
    CompletableFuture<byte[]> answer(byte[] request) {
        var answer = new CompletableFuture<byte[]>();
        try {
            TransferMessage.Request asked = TransferMessage.decode(request, key);
            thread.execute(() -> {
                try {
                    answer.complete(answer(asked));
                } catch (IOException | RuntimeException e) {
                    LOG.warn("cannot give the state to another member", e);
                    answer.completeExceptionally(e);
                }
            });
        } catch (DecodeException | RejectedExecutionException e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    private byte[] answer(TransferMessage.Request request) throws IOException {
        return switch (request) {
            case TransferMessage.Open(String member) -> TransferMessage.encode(open(member));
            case TransferMessage.Read read -> TransferMessage.encodePiece(read(read));
            case TransferMessage.Done(long copy) -> {
                forget(copy);
                yield new byte[0];
            }
        };
    }

    private TransferMessage.Manifest open(String member) throws IOException {
        while (copies.size() >= MAX_COPIES) {
            forget(copies.keySet().iterator().next());
        }
        Files.createDirectories(files.outgoing());
        long number = ++made;
        Path directory = files.outgoing().resolve(Long.toString(number));
        StateFiles.Stand stand = files.copyTo(directory);
        var manifest = new TransferMessage.Manifest(number, stand, sizes(directory));
        copies.put(number, new Copy(directory, manifest));
        LOG.info("{} fetches the state as of entry {}", member, stand.at().index());
        return manifest;
    }

    private static List<TransferMessage.FileSize> sizes(Path directory) throws IOException {
        var sizes = new ArrayList<TransferMessage.FileSize>();
        try (var all = Files.list(directory)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                sizes.add(
                        new TransferMessage.FileSize(
                                file.getFileName().toString(), Files.size(file)));
            }
        }
        return sizes;
    }

    private byte[] read(TransferMessage.Read read) throws IOException {
        Copy copy =
                Optional.ofNullable(copies.get(read.copy()))
                        .orElseThrow(
                                () -> new IOException("copy %d is gone".formatted(read.copy())));
        boolean known =
                copy.manifest().files().stream().anyMatch(f -> f.name().equals(read.file()));
        if (!known || read.offset() < 0 || read.length() < 0 || read.length() > MAX_PIECE_BYTES) {
            throw new IOException("no such piece: " + read);
        }
        var into = ByteBuffer.allocate(read.length());
        try (var file = FileChannel.open(copy.directory().resolve(read.file()))) {
            while (into.hasRemaining() && file.read(into, read.offset() + into.position()) >= 0) {}
        }
        byte[] data = new byte[into.flip().remaining()];
        into.get(data);
        return data;
    }

    private void forget(long number) throws IOException {
        Copy copy = copies.remove(number);
        if (copy != null) {
            StoreHome.deleteTree(copy.directory());
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
