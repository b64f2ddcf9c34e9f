package org.cepheus.protocol.xrootd;

import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.SpaceReport;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;

/** Answers query at a manager: what it knows of itself, of paths and of their room. */
final class NamespaceQueries {
    private final NamespaceService namespace;
    private final XrootdConnection connection;
    private final PrepareRequests prepares;

    NamespaceQueries(
            NamespaceService namespace, XrootdConnection connection, PrepareRequests prepares) {
        this.namespace = namespace;
        this.connection = connection;
        this.prepares = prepares;
    }

    void serve(Exchange exchange, XrootdRequest.Query request) {
        String argument = request.argument();
        ServerContext context = connection.context();
        switch (request.type()) {
            case XrootdRequest.Query.STATS ->
                    exchange.bareText(ConfigAnswers.statistics(context, connection.notes()));
            case XrootdRequest.Query.PREPARE -> prepares.query(exchange, argument);
            case XrootdRequest.Query.CHECKSUM -> checksum(exchange, argument);
            case XrootdRequest.Query.ATTRIBUTES, XrootdRequest.Query.FILE_INFO ->
                    attributes(exchange, argument);
            case XrootdRequest.Query.SPACE, XrootdRequest.Query.FILESYSTEM_INFO ->
                    space(exchange, argument.isEmpty() ? "/" : argument);
            case XrootdRequest.Query.CONFIG ->
                    exchange.bareText(ConfigAnswers.answer(context.config(), false, argument));
            case XrootdRequest.Query.CHECKSUM_CANCEL -> exchange.ok(); // None ever runs here.
            default -> exchange.fail(ConfigAnswers.notServed(request.type()));
        }
    }

    private static FsPath path(Exchange exchange, String argument) {
        FsPath path = RequestTarget.parse(argument).path();
        exchange.concerns(path.value(), Exchange.Told.FORBIDDEN);
        return path;
    }

    private void checksum(Exchange exchange, String argument) {
        RequestTarget target = RequestTarget.parse(argument);
        FsPath path = target.path();
        exchange.concerns(path.value(), Exchange.Told.FORBIDDEN);
        ChecksumType type = checksumType(target);
        exchange.whenDone(
                () -> namespace.stat(exchange.caller(), path),
                status -> exchange.text(type.word() + " " + known(status, type, path).hex()));
    }

    /**
     * The checksum that the CGI names, else adler32.
     *
     * @throws FsException Unsupported
     */
    static ChecksumType checksumType(RequestTarget target) {
        String name = target.value("cks.type").orElse(ChecksumType.ADLER32.word());
        return ChecksumType.named(name)
                .orElseThrow(() ->
                        new FsException(
                                new FsError.Unsupported(
                                        "checksum %s is not served; ask for adler32 or crc32c"
                                                .formatted(name))));
    }

    private static Checksum known(FileStatus status, ChecksumType type, FsPath path) {
        if (status.isDirectory()) {
            throw new FsException(
                    new FsError.IsDirectory(path + " is a directory and has no checksum"));
        }
        if (status.underUpdate()) {
            throw new FsException(
                    new FsError.FileLocked(
                            path + " is being updated: its checksum is known when that ends"));
        }
        return status.checksum(type)
                .orElseThrow(() ->
                        new FsException(
                                new FsError.Unsupported(
                                        "no %s is stored for %s".formatted(type.word(), path))));
    }

    /** With a quota on the way to the path, the limit that is nearest is what clients see. */
    private static String spaceText(SpaceReport space) {
        long total = space.totalBytes();
        long used = space.usedBytes();
        long quota = space.nearest().map(row -> row.limitBytes().orElse(-1)).orElse(-1L);
        long available = space.availableBytes();
        return "oss.cgroup=default&oss.space=%d&oss.free=%d&oss.maxf=%d&oss.used=%d&oss.quota=%d"
                .formatted(total, available, available, used, quota);
    }

    private void attributes(Exchange exchange, String argument) {
        FsPath path = path(exchange, argument);
        exchange.whenDone(
                () -> namespace.stat(exchange.caller(), path),
                status -> exchange.text(attributesText(status)));
    }

    /** What is known of an entry, in the form that C++ servers use. */
    static String attributesText(FileStatus status) {
        long modified = status.modified().getEpochSecond();
        return "oss.cgroup=default&oss.type=%s&oss.used=%d&oss.mt=%d&oss.ct=%d&oss.at=%d&oss.u=%s&oss.g=%s&oss.fs=%s"
                .formatted(
                        switch (status.kind()) {
                            case FILE -> "f";
                            case DIRECTORY -> "d";
                            case SYMLINK -> "o";
                        },
                        status.sizeBytes(),
                        modified,
                        status.changed().getEpochSecond(),
                        modified,
                        status.owner(),
                        status.group(),
                        status.access().mayWrite() ? "w" : "r");
    }

    private void space(Exchange exchange, String argument) {
        FsPath path = path(exchange, argument);
        exchange.whenDone(
                () -> namespace.space(exchange.caller(), path),
                space -> exchange.text(spaceText(space)));
    }
}
