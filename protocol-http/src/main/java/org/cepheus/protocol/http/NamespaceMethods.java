package org.cepheus.protocol.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.NamespaceService;

/** The methods that need no file bytes: the same at an MGM and at the door of an FST. */
final class NamespaceMethods {
    private static final int DIRECTORY_MODE = 0755;

    private final NamespaceService namespace;
    private final Propfind propfind;

    NamespaceMethods(NamespaceService namespace) {
        this.namespace = namespace;
        this.propfind = new Propfind(namespace);
    }

    /** Answers everything but GET and PUT. */
    void handle(Exchange exchange) {
        switch (exchange.verb()) {
            case HEAD -> head(exchange);
            case DELETE -> ifWanted(exchange, () -> delete(exchange));
            case MKCOL -> ifWanted(exchange, () -> makeDirectory(exchange));
            case MOVE -> ifWanted(exchange, () -> move(exchange));
            case PROPFIND -> propfind.handle(exchange);
            case OPTIONS -> options(exchange);
            case REFUSED ->
                    exchange.fail(
                            new FsError.Unsupported(
                                    "this method is not offered here; offered are " + Verb.ALLOWED),
                            405);
            case UNKNOWN ->
                    exchange.fail(
                            new FsError.Unsupported(
                                    "this method is not known here; known are " + Verb.ALLOWED));
            case GET, PUT -> throw new IllegalStateException("bytes are no matter of a namespace");
        }
    }

    private <T> void ask(Exchange exchange, CompletionStage<T> stage, Consumer<T> done) {
        exchange.when(stage, done);
    }

    private CompletionStage<FileStatus> stat(Exchange exchange, FsPath path) {
        return exchange.held(() -> namespace.stat(exchange.caller(), path));
    }

    /** Does a method unless the preconditions of the request are against it. */
    void ifWanted(Exchange exchange, Runnable method) {
        if (!Preconditions.arePresent(exchange.headers())) {
            method.run();
            return;
        }
        exchange.when(
                stat(exchange, exchange.target().path()),
                status -> judge(exchange, Optional.of(status), method),
                error -> {
                    if (error instanceof FsError.NotFound) {
                        judge(exchange, Optional.empty(), method);
                    } else {
                        exchange.fail(error);
                    }
                });
    }

    private static void judge(Exchange exchange, Optional<FileStatus> there, Runnable method) {
        Preconditions.Verdict verdict = Preconditions.of(exchange.headers(), false, there);
        if (verdict == Preconditions.Verdict.GO_ON) {
            method.run();
        } else {
            Preconditions.answer(exchange, verdict, new DefaultHttpHeaders());
        }
    }

    // ---- reading

    private void head(Exchange exchange) {
        ask(
                exchange,
                stat(exchange, exchange.target().path()),
                status -> {
                    Preconditions.Verdict verdict =
                            Preconditions.of(exchange.headers(), true, Optional.of(status));
                    HttpHeaders headers = description(exchange, status);
                    if (verdict != Preconditions.Verdict.GO_ON) {
                        headers.remove(HttpHeaderNames.CONTENT_LENGTH);
                        Preconditions.answer(exchange, verdict, headers);
                        return;
                    }
                    exchange.begin(HttpResponseStatus.OK, headers);
                    exchange.end();
                });
    }

    private static HttpHeaders description(Exchange exchange, FileStatus status) {
        var headers = new DefaultHttpHeaders();
        if (status.isDirectory()) {
            headers.set(HttpHeaderNames.CONTENT_TYPE, Listing.CONTENT_TYPE);
            headers.set(HttpHeaderNames.LAST_MODIFIED, HttpDates.format(status.modified()));
            return headers;
        }
        Entities.describe(Entities.tag(status), status.modified(), headers);
        headers.set(HttpHeaderNames.CONTENT_LENGTH, status.sizeBytes());
        if (!status.underUpdate()) {
            Digests.add(exchange.headers(), status.checksums(), headers);
        }
        return headers;
    }

    /** A directory for a person's eyes. */
    void listing(Exchange exchange) {
        FsPath path = exchange.target().path();
        EntryStream.open(
                exchange,
                namespace,
                path,
                first -> {
                    var headers =
                            new DefaultHttpHeaders()
                                    .set(HttpHeaderNames.CONTENT_TYPE, Listing.CONTENT_TYPE)
                                    .set("Content-Security-Policy", "default-src 'none'");
                    exchange.beginStream(HttpResponseStatus.OK, headers);
                    first.send(new Listing(path));
                });
    }

    private void options(Exchange exchange) {
        exchange.answer(
                HttpResponseStatus.OK,
                new DefaultHttpHeaders()
                        .set("DAV", "1")
                        .set("MS-Author-Via", "DAV")
                        .set(HttpHeaderNames.ALLOW, Verb.ALLOWED),
                "");
    }

    // ---- changing

    /**
     * Sends a change, again if there was no leader. A repeated change may meet its own first
     * effect; the predicate knows what that looks like.
     */
    private CompletionStage<Void> change(
            Exchange exchange, Mutation mutation, Predicate<FsError> isOwnEffect) {
        var mayHaveHappened = new AtomicBoolean();
        return exchange.<Void>held(() ->
                        namespace
                                .change(exchange.caller(), mutation)
                                .whenComplete((_, failure) -> {
                                    if (failure != null
                                            && FsException.errorOf(failure)
                                                    instanceof FsError.Unavailable) {
                                        mayHaveHappened.set(true);
                                    }
                                }))
                .exceptionally(failure -> {
                    FsError error = FsException.errorOf(failure);
                    if (mayHaveHappened.get() && isOwnEffect.test(error)) {
                        return null;
                    }
                    throw new FsException(error);
                });
    }

    private void changed(Exchange exchange, HttpResponseStatus status) {
        exchange.allowed();
        exchange.answer(status);
    }

    private void delete(Exchange exchange) {
        FsPath path = exchange.target().path();
        if (path.isRoot()) {
            throw new FsException(new FsError.PermissionDenied("the root cannot be deleted"));
        }
        ask(
                exchange,
                stat(exchange, path),
                status -> {
                    Mutation removal =
                            status.isDirectory()
                                    ? new Mutation.RemoveDirectory(path)
                                    : new Mutation.RemoveFile(path);
                    ask(
                            exchange,
                            change(exchange, removal, e -> e instanceof FsError.NotFound),
                            _ -> changed(exchange, HttpResponseStatus.NO_CONTENT));
                });
    }

    private void makeDirectory(Exchange exchange) {
        if (exchange.hasBody()) {
            exchange.fail(
                    new FsError.Unsupported("MKCOL takes no body here; send it without one"), 415);
            return;
        }
        var making = new Mutation.MakeDirectory(exchange.target().path(), DIRECTORY_MODE, false);
        ask(
                exchange,
                change(exchange, making, e -> e instanceof FsError.AlreadyExists),
                _ -> changed(exchange, HttpResponseStatus.CREATED));
    }

    private void move(Exchange exchange) {
        FsPath source = exchange.target().path();
        FsPath target = destination(exchange);
        boolean replace = mayOverwrite(exchange);
        if (source.equals(target)) {
            exchange.fail(
                    new FsError.InvalidArgument("source and Destination are the same: " + source),
                    403);
            return;
        }
        ask(
                exchange,
                stat(exchange, source),
                _ ->
                        exchange.when(
                                stat(exchange, target),
                                there -> rename(exchange, target, replace, Optional.of(there)),
                                error -> {
                                    if (error instanceof FsError.NotFound) {
                                        rename(exchange, target, replace, Optional.empty());
                                    } else {
                                        exchange.fail(error);
                                    }
                                }));
    }

    private void rename(
            Exchange exchange, FsPath target, boolean replace, Optional<FileStatus> there) {
        if (there.isPresent() && !replace) {
            exchange.fail(new FsError.AlreadyExists("there is " + target + ", and Overwrite is F"));
            return;
        }
        var renaming = new Mutation.Rename(exchange.target().path(), target, replace);
        exchange.when(
                change(exchange, renaming, _ -> false),
                _ ->
                        changed(
                                exchange,
                                there.isPresent()
                                        ? HttpResponseStatus.NO_CONTENT
                                        : HttpResponseStatus.CREATED),
                error -> {
                    // The source was there a moment ago: what is missing is the target's parent.
                    if (error instanceof FsError.NotFound) {
                        exchange.fail(error, 409);
                    } else {
                        exchange.fail(error);
                    }
                });
    }

    private static boolean mayOverwrite(Exchange exchange) {
        String overwrite = exchange.header("Overwrite").strip();
        return switch (overwrite) {
            case "", "T", "t" -> true;
            case "F", "f" -> false;
            default ->
                    throw new FsException(
                            new FsError.InvalidArgument("Overwrite is T or F, not " + overwrite));
        };
    }

    private static FsPath destination(Exchange exchange) {
        String url = exchange.header("Destination").strip();
        if (url.isEmpty()) {
            throw new FsException(
                    new FsError.InvalidArgument(
                            "MOVE needs a Destination header with the new URL"));
        }
        String authority = RequestTarget.authority(url);
        String host = exchange.header(HttpHeaderNames.HOST);
        String via = exchange.target().query(RequestTarget.VIA).orElse(host);
        if (!authority.isEmpty()
                && !authority.equalsIgnoreCase(host)
                && !authority.equalsIgnoreCase(via)) {
            throw new FsException(
                    new FsError.CrossDevice(
                            "the Destination is at %s, but a move stays on one server, here %s"
                                    .formatted(authority, host)));
        }
        return RequestTarget.parse(url).path();
    }
}
