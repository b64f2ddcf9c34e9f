package org.cepheus.protocol.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.concurrent.CompletionStage;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.command.Mutation;

/**
 * MOVE (RFC 4918 section 9.9): a rename, and never a copy. A file over a file is one step. Anything
 * else that is in the way is set aside under a hidden name first and removed last, so that a move
 * that fails leaves both where they were.
 */
final class MoveMethod {
    private final Changes changes;

    MoveMethod(Changes changes) {
        this.changes = changes;
    }

    void handle(Exchange exchange) {
        Relocation.read(
                exchange,
                changes,
                relocation -> {
                    if (relocation.there().isEmpty() || relocation.isFileOverFile()) {
                        var renaming =
                                new Mutation.Rename(
                                        relocation.source(),
                                        relocation.target(),
                                        relocation.there().isPresent());
                        exchange.when(
                                changes.change(
                                        exchange,
                                        Preconditions.guarded(exchange, renaming),
                                        _ -> false),
                                _ -> done(exchange, relocation),
                                error -> failed(exchange, error));
                    } else {
                        replace(exchange, relocation, relocation.there().get());
                    }
                });
    }

    private CompletionStage<Void> rename(Exchange exchange, FsPath from, FsPath to) {
        return changes.change(exchange, new Mutation.Rename(from, to, false), _ -> false);
    }

    private static void done(Exchange exchange, Relocation relocation) {
        exchange.allowed();
        exchange.answer(
                relocation.there().isPresent()
                        ? HttpResponseStatus.NO_CONTENT
                        : HttpResponseStatus.CREATED);
    }

    private static void failed(Exchange exchange, FsError error) {
        // The source was there a moment ago: what is missing is the target's parent.
        if (error instanceof FsError.NotFound) {
            exchange.fail(error, 409);
        } else {
            exchange.fail(error);
        }
    }

    private void replace(Exchange exchange, Relocation relocation, FileStatus there) {
        FsPath aside = relocation.target().parent().child(".replaced-" + exchange.caller().trace());
        exchange.when(
                rename(exchange, relocation.target(), aside),
                _ ->
                        exchange.when(
                                rename(exchange, relocation.source(), relocation.target()),
                                _ -> removeOld(exchange, relocation, there, aside),
                                error ->
                                        exchange.when(
                                                rename(exchange, aside, relocation.target()),
                                                _ -> failed(exchange, error),
                                                _ -> leftAside(exchange, aside, error))),
                error -> failed(exchange, error));
    }

    private static void leftAside(Exchange exchange, FsPath aside, FsError error) {
        exchange.fail(
                new FsError.Internal(
                        "%s; what was at the Destination is at %s now"
                                .formatted(error.message(), aside)));
    }

    private void removeOld(
            Exchange exchange, Relocation relocation, FileStatus there, FsPath aside) {
        if (there.isDirectory()) {
            TreeRemoval.run(
                    exchange,
                    changes,
                    aside,
                    failure ->
                            failure.ifPresentOrElse(
                                    exchange::failPartly, () -> done(exchange, relocation)));
        } else {
            exchange.when(
                    changes.remove(exchange, new Mutation.RemoveFile(aside)),
                    _ -> done(exchange, relocation),
                    error -> exchange.failPartly(new Crowd.Failure(aside, error)));
        }
    }
}
