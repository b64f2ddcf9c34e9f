package org.cepheus.protocol.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.command.Mutation;

/**
 * COPY inside the namespace (RFC 4918 section 9.8), at the door of an FST: a file over a file
 * replaces it in one step; anything else that is in the way is removed first, as the RFC demands.
 */
final class CopyMethod {
    private final Changes changes;
    private final FileCopy.Place place;

    CopyMethod(Changes changes, FileCopy.Place place) {
        this.changes = changes;
        this.place = place;
    }

    void handle(Exchange exchange) {
        boolean entriesToo = isDeep(exchange);
        Relocation.read(
                exchange, changes, relocation -> makeRoom(exchange, relocation, entriesToo));
    }

    private static boolean isDeep(Exchange exchange) {
        String depth = exchange.header("Depth").strip();
        return switch (depth) {
            case "", "infinity", "Infinity" -> true;
            case "0" -> false;
            default ->
                    throw new FsException(
                            new FsError.InvalidArgument(
                                    "the Depth of a COPY is 0 or infinity, not " + depth));
        };
    }

    private void makeRoom(Exchange exchange, Relocation relocation, boolean entriesToo) {
        if (relocation.there().isEmpty() || relocation.isFileOverFile()) {
            copy(exchange, relocation, entriesToo);
        } else if (relocation.there().get().isDirectory()) {
            TreeRemoval.run(
                    exchange,
                    changes,
                    relocation.target(),
                    failure ->
                            failure.ifPresentOrElse(
                                    exchange::failPartly,
                                    () -> copy(exchange, relocation, entriesToo)));
        } else {
            exchange.when(
                    changes.remove(exchange, new Mutation.RemoveFile(relocation.target())),
                    _ -> copy(exchange, relocation, entriesToo));
        }
    }

    private void copy(Exchange exchange, Relocation relocation, boolean entriesToo) {
        if (relocation.status().isDirectory()) {
            TreeCopy.run(
                    exchange,
                    changes,
                    place,
                    relocation,
                    entriesToo,
                    failure ->
                            failure.ifPresentOrElse(
                                    f -> failed(exchange, relocation, f),
                                    () -> done(exchange, relocation)));
            return;
        }
        exchange.when(
                place.copy(
                                exchange,
                                relocation.source(),
                                relocation.target(),
                                relocation.there().isPresent())
                        .thenCompose(_ ->
                                changes.copyAttributes(
                                        exchange,
                                        relocation.source(),
                                        relocation.status(),
                                        relocation.target())),
                _ -> done(exchange, relocation),
                error ->
                        failed(
                                exchange,
                                relocation,
                                new Crowd.Failure(relocation.target(), error)));
    }

    private static void failed(Exchange exchange, Relocation relocation, Crowd.Failure failure) {
        boolean first =
                failure.path().equals(relocation.target())
                        || failure.path().equals(relocation.source());
        if (first && failure.error() instanceof FsError.NotFound) {
            // The source was there a moment ago: what is missing is the target's parent.
            exchange.fail(failure.error(), 409);
        } else if (first) {
            exchange.fail(failure.error());
        } else {
            exchange.failPartly(failure);
        }
    }

    private static void done(Exchange exchange, Relocation relocation) {
        exchange.allowed();
        exchange.answer(
                relocation.there().isPresent()
                        ? HttpResponseStatus.NO_CONTENT
                        : HttpResponseStatus.CREATED);
    }
}
