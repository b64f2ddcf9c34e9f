package org.cepheus.protocol.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Optional;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.command.Mutation;

/** The methods that need no file bytes: the same at an MGM and at the door of an FST. */
final class NamespaceMethods {
    private static final int DIRECTORY_MODE = 0755;

    private final Changes changes;
    private final MoveMethod moves;
    private final Propfind propfind;
    private final PropPatch propPatch;

    NamespaceMethods(Changes changes) {
        this.changes = changes;
        this.moves = new MoveMethod(changes);
        this.propfind = new Propfind(changes);
        this.propPatch = new PropPatch(changes);
    }

    /** Answers everything that needs no bytes. */
    void handle(Exchange exchange) {
        switch (exchange.verb()) {
            case DELETE -> ifWanted(exchange, () -> delete(exchange));
            case MKCOL -> ifWanted(exchange, () -> makeDirectory(exchange));
            case MOVE -> ifWanted(exchange, () -> moves.handle(exchange));
            case PROPFIND -> propfind.handle(exchange);
            case PROPPATCH -> ifWanted(exchange, () -> propPatch.handle(exchange));
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
            case GET, HEAD, PUT, COPY ->
                    throw new IllegalStateException("bytes are no matter of a namespace");
        }
    }

    /** Does a method unless the preconditions of the request are against it. */
    void ifWanted(Exchange exchange, Runnable method) {
        if (!Preconditions.arePresent(exchange.headers())) {
            method.run();
            return;
        }
        exchange.when(
                changes.stat(exchange, exchange.target().path()),
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
        Preconditions.Verdict verdict = Preconditions.of(exchange, there);
        if (verdict == Preconditions.Verdict.GO_ON) {
            method.run();
        } else {
            Preconditions.answer(exchange, verdict, new DefaultHttpHeaders());
        }
    }

    // ---- reading

    /**
     * Answers HEAD.
     *
     * @param withBytes answers instead when a digest is wanted that only reading the file tells
     */
    void head(Exchange exchange, Runnable withBytes) {
        exchange.when(
                changes.stat(exchange, exchange.target().path()),
                status -> {
                    if (status.isFile()
                            && !status.underUpdate()
                            && !Digests.missing(exchange.headers(), status.checksums()).isEmpty()) {
                        withBytes.run();
                        return;
                    }
                    Preconditions.Verdict verdict =
                            Preconditions.of(
                                    exchange.headers(),
                                    true,
                                    status.isFile() ? Entities.tag(status) : "",
                                    status.modified());
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
                changes,
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

    /** Class 1 and not 2: there are no locks, so none are promised. */
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

    private static void changed(Exchange exchange, HttpResponseStatus status) {
        exchange.allowed();
        exchange.answer(status);
    }

    private void delete(Exchange exchange) {
        FsPath path = exchange.target().path();
        if (path.isRoot()) {
            throw new FsException(new FsError.PermissionDenied("the root cannot be deleted"));
        }
        exchange.when(
                changes.stat(exchange, path),
                status -> {
                    if (status.isDirectory()) {
                        deleteTree(exchange, path);
                    } else {
                        exchange.when(
                                changes.change(
                                        exchange,
                                        Preconditions.guarded(
                                                exchange, new Mutation.RemoveFile(path)),
                                        e -> e instanceof FsError.NotFound),
                                _ -> changed(exchange, HttpResponseStatus.NO_CONTENT));
                    }
                });
    }

    /** The Depth of a DELETE can only be infinity (RFC 4918 section 9.6.1). */
    private void deleteTree(Exchange exchange, FsPath path) {
        String depth = exchange.header("Depth").strip();
        if (!depth.isEmpty() && !depth.equalsIgnoreCase("infinity")) {
            exchange.fail(
                    new FsError.InvalidArgument(
                            "a directory is deleted with all that is in it: the Depth is infinity, not "
                                    + depth));
            return;
        }
        TreeRemoval.run(
                exchange,
                changes,
                path,
                failure ->
                        failure.ifPresentOrElse(
                                exchange::failPartly,
                                () -> changed(exchange, HttpResponseStatus.NO_CONTENT)));
    }

    private void makeDirectory(Exchange exchange) {
        if (exchange.hasBody()) {
            exchange.fail(
                    new FsError.Unsupported("MKCOL takes no body here; send it without one"), 415);
            return;
        }
        var making = new Mutation.MakeDirectory(exchange.target().path(), DIRECTORY_MODE, false);
        exchange.when(
                changes.make(exchange, making), _ -> changed(exchange, HttpResponseStatus.CREATED));
    }
}
