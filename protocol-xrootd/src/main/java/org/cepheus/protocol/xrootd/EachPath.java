package org.cepheus.protocol.xrootd;

import java.util.ArrayList;
import java.util.List;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.port.NamespaceService;

/** Looks at the paths of one request one after the other. */
final class EachPath {
    /** The most paths of one request. */
    static final int MAX_PATHS = 512;

    /** What is done with what was found. */
    interface Visitor {
        void found(FsPath path, FileStatus status);

        /** True if the next path is to be looked at; otherwise the error is the answer. */
        boolean goesOnAfter(FsPath path, FsError error);

        /** All paths were looked at. */
        void end();
    }

    private final NamespaceService namespace;
    private final Exchange exchange;
    private final List<FsPath> paths;
    private final Visitor visitor;

    private EachPath(
            NamespaceService namespace, Exchange exchange, List<FsPath> paths, Visitor visitor) {
        this.namespace = namespace;
        this.exchange = exchange;
        this.paths = paths;
        this.visitor = visitor;
    }

    /**
     * The paths in lines of their own.
     *
     * @throws FsException TooLong, or as {@link RequestTarget#parse}
     */
    static List<FsPath> parse(String operation, String lines) {
        var paths = new ArrayList<FsPath>();
        for (String line : lines.split("\n", -1)) {
            if (!line.isEmpty()) {
                paths.add(RequestTarget.parse(line).path());
            }
        }
        if (paths.size() > MAX_PATHS) {
            throw new FsException(
                    new FsError.TooLong(
                            "%s of %d paths, the limit is %d"
                                    .formatted(operation, paths.size(), MAX_PATHS)));
        }
        return paths;
    }

    static void visit(
            NamespaceService namespace, Exchange exchange, List<FsPath> paths, Visitor visitor) {
        new EachPath(namespace, exchange, paths, visitor).next(0);
    }

    private void next(int index) {
        if (index == paths.size()) {
            visitor.end();
            return;
        }
        FsPath path = paths.get(index);
        exchange.whenDone(
                () -> namespace.stat(exchange.caller(), path),
                status -> {
                    visitor.found(path, status);
                    next(index + 1);
                },
                error -> {
                    if (visitor.goesOnAfter(path, error)) {
                        next(index + 1);
                    } else {
                        exchange.fail(error);
                    }
                });
    }
}
