package org.cepheus.protocol.xrootd.client;

import io.netty.channel.EventLoopGroup;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.StatText;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;

/**
 * A client of one XRootD site: keeps a connection to the server it was given and to those it is
 * redirected to. Stages complete on event loops and fail with {@link FsException}; after a lost
 * connection or a deadline the operation may have happened. Its table of connections has a private
 * lock.
 */
public final class XrootdClient implements AutoCloseable {
    private static final int MAX_REDIRECTS = 16;
    private static final int MAX_CONNECTIONS = 64;

    private final EventLoopGroup loops;
    private final XrootdEndpoint entry;
    private final XrootdClientSettings settings;
    private final Map<XrootdEndpoint, CompletableFuture<ClientConnection>> connections =
            new HashMap<>();

    /** Connects when the first request is made. */
    public XrootdClient(EventLoopGroup loops, XrootdEndpoint entry, XrootdClientSettings settings) {
        this.loops = loops;
        this.entry = entry;
        this.settings = settings;
    }

    /** One entry of a listing. */
    public record Listed(String name, StatText stat) {}

    /** An answer and the connection that gave it. */
    record Reply(ClientConnection from, XrootdResponse response) {}

    public CompletionStage<StatText> stat(String path) {
        return call(new XrootdRequest.Stat(0, 0, path))
                .thenApply(body ->
                        StatText.parse(text(body)).orElseThrow(() -> broken("stat", text(body))));
    }

    /** All entries with their stat; fails with TooLong beyond 16 MiB of them. */
    public CompletionStage<List<Listed>> list(String path) {
        return call(new XrootdRequest.DirList(2, path)).thenApply(XrootdClient::entries);
    }

    private static List<Listed> entries(Bytes body) {
        String[] lines = text(body).split("\n", -1);
        var entries = new ArrayList<Listed>();
        for (int i = 2; i + 1 < lines.length; i += 2) {
            String line = lines[i + 1];
            entries.add(
                    new Listed(
                            lines[i],
                            StatText.parse(line).orElseThrow(() -> broken("dirlist", line))));
        }
        return entries;
    }

    public CompletionStage<Void> makeDirectory(String path, int mode, boolean withParents) {
        return done(new XrootdRequest.MakeDirectory(withParents ? 1 : 0, mode, path));
    }

    public CompletionStage<Void> remove(String path) {
        return done(new XrootdRequest.Remove(path));
    }

    public CompletionStage<Void> removeDirectory(String path) {
        return done(new XrootdRequest.RemoveDirectory(path));
    }

    public CompletionStage<Void> move(String source, String target) {
        return done(new XrootdRequest.Move(source, target));
    }

    public CompletionStage<Void> ping() {
        return done(new XrootdRequest.Ping());
    }

    /** The server's text for one kind of query. */
    public CompletionStage<String> query(int type, String argument) {
        return call(new XrootdRequest.Query(type, 0, argument)).thenApply(XrootdClient::text);
    }

    public CompletionStage<Checksum> checksum(String path, ChecksumType type) {
        String argument = path + "?cks.type=" + type.word();
        return query(XrootdRequest.Query.CHECKSUM, argument).thenApply(XrootdClient::checksumOf);
    }

    private static Checksum checksumOf(String text) {
        String[] words = text.strip().split(" ", -1);
        Optional<ChecksumType> type = ChecksumType.named(words[0]);
        if (words.length != 2 || type.isEmpty()) {
            throw broken("checksum", text);
        }
        return new Checksum(type.get(), words[1]);
    }

    /** Opens for reading. */
    public CompletionStage<XrootdFile> openForReading(String path) {
        int options = XrootdRequest.Open.FOR_READ | XrootdRequest.Open.RETURN_STAT;
        return open(new XrootdRequest.Open(0, options, 0, path));
    }

    /** Opens a new file, or with {@code replace} one whose content will be replaced. */
    public CompletionStage<XrootdFile> openForWriting(
            String path, boolean replace, boolean withParents) {
        int options =
                XrootdRequest.Open.UPDATE
                        | (replace ? XrootdRequest.Open.DELETE : XrootdRequest.Open.NEW)
                        | (withParents ? XrootdRequest.Open.MAKE_PATH : 0);
        return open(new XrootdRequest.Open(0644, options, 0, path));
    }

    /** Opens where the redirects lead. */
    public CompletionStage<XrootdFile> open(XrootdRequest.Open request) {
        return follow(request)
                .thenApply(reply ->
                        new XrootdFile(
                                reply.from(),
                                ResponseCodec.opened(ClientConnection.ok(reply.response()))));
    }

    private CompletionStage<Void> done(XrootdRequest request) {
        return call(request).thenApply(_ -> null);
    }

    private CompletionStage<Bytes> call(XrootdRequest request) {
        return follow(request).thenApply(reply -> ClientConnection.ok(reply.response()));
    }

    /** Sends it to the entry and then wherever it is redirected to. */
    CompletionStage<Reply> follow(XrootdRequest request) {
        return follow(request, entry, System.nanoTime() + settings.requestDeadline().toNanos(), 0);
    }

    private CompletionStage<Reply> follow(
            XrootdRequest request, XrootdEndpoint at, long deadlineNanos, int redirects) {
        return connection(at)
                .thenCompose(connection ->
                        connection
                                .send(request, null, null, deadlineNanos)
                                .thenApply(answer -> new Reply(connection, answer)))
                .thenCompose(reply -> {
                    if (!(reply.response() instanceof XrootdResponse.Redirect redirect)) {
                        return CompletableFuture.completedFuture(reply);
                    }
                    if (redirects >= MAX_REDIRECTS || redirect.port() < 0) {
                        return CompletableFuture.failedFuture(
                                new FsException(
                                        new FsError.IoFailure(
                                                "redirected %d times, last to %s"
                                                        .formatted(
                                                                redirects + 1, redirect.host()))));
                    }
                    return follow(
                            withOpaque(request, redirect.opaque()),
                            new XrootdEndpoint(redirect.host(), redirect.port()),
                            deadlineNanos,
                            redirects + 1);
                });
    }

    private static XrootdRequest withOpaque(XrootdRequest request, String opaque) {
        if (!(request instanceof XrootdRequest.Open open) || opaque.isEmpty()) {
            return request;
        }
        String joint = open.target().indexOf('?') < 0 ? "?" : "&";
        return new XrootdRequest.Open(
                open.mode(), open.options(), open.moreOptions(), open.target() + joint + opaque);
    }

    private CompletionStage<ClientConnection> connection(XrootdEndpoint at) {
        synchronized (connections) {
            connections
                    .values()
                    .removeIf(known ->
                            known.isCompletedExceptionally()
                                    || (known.isDone() && !known.resultNow().isOpen()));
            CompletableFuture<ClientConnection> known = connections.get(at);
            if (known != null) {
                return known;
            }
            if (connections.size() >= MAX_CONNECTIONS) {
                return CompletableFuture.failedFuture(
                        new FsException(
                                new FsError.Overloaded(
                                        "connected to %d servers, the limit is that"
                                                .formatted(MAX_CONNECTIONS),
                                        1)));
            }
            var opening = ClientConnection.open(loops, at, settings).toCompletableFuture();
            connections.put(at, opening);
            return opening;
        }
    }

    private static String text(Bytes body) {
        String all = new String(body.toArray(), StandardCharsets.UTF_8);
        int nul = all.indexOf('\0');
        return nul < 0 ? all : all.substring(0, nul);
    }

    private static FsException broken(String operation, String text) {
        return new FsException(
                new FsError.IoFailure("%s was answered with '%.200s'".formatted(operation, text)));
    }

    /** Closes all connections; open files are lost. */
    @Override
    public void close() {
        synchronized (connections) {
            connections.values().forEach(opening -> opening.thenAccept(ClientConnection::close));
            connections.clear();
        }
    }
}
