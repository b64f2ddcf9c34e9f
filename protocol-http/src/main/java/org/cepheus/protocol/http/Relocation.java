package org.cepheus.protocol.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.Optional;
import java.util.function.Consumer;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;

/**
 * What a COPY or MOVE asks for (RFC 4918 sections 9.8 and 9.9).
 *
 * @param status what is at the source
 * @param there what is at the target now
 */
record Relocation(FsPath source, FileStatus status, FsPath target, Optional<FileStatus> there) {
    /** Reads the request and looks at both names; answers what must not be. */
    static void read(Exchange exchange, Changes changes, Consumer<Relocation> then) {
        FsPath source = exchange.target().path();
        FsPath target = destination(exchange);
        boolean replace = mayOverwrite(exchange);
        if (source.isAtOrBelow(target) || target.isAtOrBelow(source)) {
            exchange.fail(
                    new FsError.InvalidArgument(
                            "%s and the Destination %s are the same, or one is inside the other"
                                    .formatted(source, target)),
                    403);
            return;
        }
        exchange.when(
                changes.stat(exchange, source),
                status ->
                        exchange.when(
                                changes.stat(exchange, target),
                                there ->
                                        go(
                                                exchange,
                                                replace,
                                                new Relocation(
                                                        source, status, target, Optional.of(there)),
                                                then),
                                error ->
                                        nothingThere(
                                                exchange,
                                                error,
                                                new Relocation(
                                                        source, status, target, Optional.empty()),
                                                then)));
    }

    private static void go(
            Exchange exchange, boolean replace, Relocation wanted, Consumer<Relocation> then) {
        if (replace) {
            then.accept(wanted);
        } else {
            exchange.fail(
                    new FsError.AlreadyExists(
                            "there is " + wanted.target() + ", and Overwrite is F"));
        }
    }

    private static void nothingThere(
            Exchange exchange, FsError error, Relocation wanted, Consumer<Relocation> then) {
        if (error instanceof FsError.NotFound) {
            then.accept(wanted);
        } else {
            exchange.fail(error);
        }
    }

    /** A file over a file: one step of the namespace. Anything else over something is several. */
    boolean isFileOverFile() {
        return status.isFile() && there.filter(FileStatus::isFile).isPresent();
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
                            "%s needs a Destination header with the new URL"
                                    .formatted(exchange.verb())));
        }
        String authority = RequestTarget.authority(url);
        String host = exchange.header(HttpHeaderNames.HOST);
        String via = exchange.target().query(RequestTarget.VIA).orElse(host);
        if (!authority.isEmpty()
                && !authority.equalsIgnoreCase(host)
                && !authority.equalsIgnoreCase(via)) {
            throw new FsException(
                    new FsError.CrossDevice(
                            "the Destination is at %s, but %s stays on one server, here %s"
                                    .formatted(authority, exchange.verb(), host)));
        }
        return RequestTarget.parse(url).path();
    }
}
