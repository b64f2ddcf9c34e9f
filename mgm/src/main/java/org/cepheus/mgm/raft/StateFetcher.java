package org.cepheus.mgm.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.cepheus.domain.codec.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches the state as files from the leader, over the Raft port, when the log does not go back far
 * enough. One thread, one fetch at a time. What was fetched whole is taken over even if this
 * process ends before; a fetch that was cut short begins again.
 */
final class StateFetcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StateFetcher.class);
    private static final int PIECE_BYTES = 2 << 20;
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    /** To copy the state, the giving member writes to disk what it has in memory. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** The leader asks again at once when a fetch has failed. */
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final RaftSettings settings;
    private final StateFiles files;
    private final Bytes key;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().name("state-fetcher").daemon().factory());

    StateFetcher(RaftSettings settings, StateFiles files, Bytes key) {
        this.settings = settings;
        this.files = files;
        this.key = key;
    }

    /**
     * Fetches a state that is not older than the entry before that index, to be taken over then.
     * Does not block; the stage fails when it did not come whole, and nothing has changed.
     */
    CompletableFuture<Applied.Position> fetch(RaftPeerId from, long firstInLog) {
        var fetched = new CompletableFuture<Applied.Position>();
        try {
            thread.execute(() -> {
                try {
                    fetched.complete(fetchNow(from, firstInLog));
                } catch (IOException | RuntimeException e) {
                    LOG.warn("the state could not be fetched from {}: {}", from, e.toString());
                    CompletableFuture.delayedExecutor(PAUSE.toMillis(), TimeUnit.MILLISECONDS)
                            .execute(() -> fetched.completeExceptionally(e));
                }
            });
        } catch (RejectedExecutionException e) {
            fetched.completeExceptionally(e);
        }
        return fetched;
    }

    private Applied.Position fetchNow(RaftPeerId from, long firstInLog) throws IOException {
        try (RaftClient client = client()) {
            var manifest =
                    TransferMessage.manifest(
                            ask(client, from, new TransferMessage.Open(settings.member())));
            Applied.Position at = manifest.stand().at();
            if (at.index() + 1 < firstInLog) {
                throw new IOException(
                        "the state of %s ends at entry %d, its log begins at %d"
                                .formatted(from, at.index(), firstInLog));
            }
            long bytes = manifest.files().stream().mapToLong(TransferMessage.FileSize::bytes).sum();
            LOG.info(
                    "fetching the state as of entry {} from {}: {} bytes in {} files",
                    at.index(),
                    from,
                    bytes,
                    manifest.files().size());
            Path incoming = files.emptyIncoming();
            for (TransferMessage.FileSize file : manifest.files()) {
                fetchFile(client, from, manifest.copy(), file, incoming);
            }
            sync(incoming);
            files.accept(manifest.stand());
            ask(client, from, new TransferMessage.Done(manifest.copy()));
            LOG.info("fetched the state as of entry {}", at.index());
            return at;
        }
    }

    private RaftClient client() {
        var properties = new RaftProperties();
        GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf("16MB"));
        RaftClientConfigKeys.Rpc.setRequestTimeout(
                properties, TimeDuration.valueOf(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        return RaftClient.newBuilder()
                .setProperties(properties)
                .setRaftGroup(settings.group())
                .setClientId(ClientId.randomId())
                .setRetryPolicy(RetryPolicies.noRetry())
                .build();
    }

    private byte[] ask(RaftClient client, RaftPeerId whom, TransferMessage.Request request)
            throws IOException {
        byte[] bytes = TransferMessage.encode(request, key);
        RaftClientReply reply =
                client.io()
                        .sendStaleRead(
                                Message.valueOf(UnsafeByteOperations.unsafeWrap(bytes)), 0, whom);
        if (!reply.isSuccess()) {
            throw new IOException("%s refuses".formatted(whom), reply.getException());
        }
        return reply.getMessage().getContent().toByteArray();
    }

    private void fetchFile(
            RaftClient client,
            RaftPeerId from,
            long copy,
            TransferMessage.FileSize file,
            Path directory)
            throws IOException {
        if (!FILE_NAME.matcher(file.name()).matches()) {
            throw new IOException("'%s' is no name of a store's file".formatted(file.name()));
        }
        try (var out =
                FileChannel.open(
                        directory.resolve(file.name()),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE)) {
            for (long offset = 0; offset < file.bytes(); ) {
                int length = (int) Math.min(PIECE_BYTES, file.bytes() - offset);
                var read = new TransferMessage.Read(copy, file.name(), offset, length);
                byte[] piece = TransferMessage.piece(ask(client, from, read));
                if (piece.length != length) {
                    throw new IOException("%s was cut short at %d".formatted(file.name(), offset));
                }
                var left = ByteBuffer.wrap(piece);
                while (left.hasRemaining()) {
                    offset += out.write(left);
                }
            }
            out.force(true);
        }
    }

    private static void sync(Path directory) throws IOException {
        try (var channel = FileChannel.open(directory)) {
            channel.force(true);
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
