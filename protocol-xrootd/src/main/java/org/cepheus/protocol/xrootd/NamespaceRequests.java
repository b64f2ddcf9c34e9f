package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.Identity;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.Authenticator;
import org.cepheus.domain.port.Grant;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.OpenRequest;
import org.cepheus.domain.port.SpaceReport;
import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.cepheus.protocol.xrootd.wire.StatText;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;

/** What a manager does with requests: asks the namespace, and sends opens to data servers. */
final class NamespaceRequests implements RoleRequests {
    private static final int IS_MANAGER = 0x2;
    private static final int PERMISSION_BITS = 0777;
    private static final int DEFAULT_FILE_MODE = 0644;
    private static final long MEBIBYTE = 1024 * 1024;

    private final XrootdRole.Manager role;
    private final XrootdConnection connection;
    private final PrepareRequests prepares;
    private final NamespaceQueries queries;

    NamespaceRequests(XrootdRole.Manager role, XrootdConnection connection) {
        this.role = role;
        this.connection = connection;
        this.prepares = new PrepareRequests(role.namespace());
        this.queries = new NamespaceQueries(role.namespace(), connection, prepares);
    }

    /** Manager only: with more, clients treat a dead FST as fatal and bind substreams here. */
    @Override
    public int protocolFlags() {
        return IS_MANAGER;
    }

    @Override
    public int handshakeType() {
        return 0;
    }

    @Override
    public String securityOffer() {
        var offer = new StringBuilder();
        role.authenticator().offers().forEach(name -> offer.append("&P=").append(name));
        return offer.toString();
    }

    @Override
    public Identity authenticate(Authenticator.Credential credential, boolean loopback) {
        return role.authenticator().authenticate(credential, loopback);
    }

    /** A manager has nothing open. */
    @Override
    public void endSession() {}

    @Override
    public Substream bind(XrootdConnection stream) {
        throw new FsException(
                new FsError.Unsupported(
                        "streams are bound at data servers; a manager has no data"));
    }

    @Override
    public BulkSink bulk(Exchange exchange, XrootdRequest request) {
        return BulkSink.dropping(() -> notOpen(exchange));
    }

    @Override
    public void serve(Exchange exchange, XrootdRequest request) {
        switch (request) {
            case XrootdRequest.Stat r -> stat(exchange, r);
            case XrootdRequest.StatMany r -> statMany(exchange, r.paths());
            case XrootdRequest.Locate r -> locate(exchange, r);
            case XrootdRequest.DirList r -> list(exchange, r);
            case XrootdRequest.Open r -> open(exchange, r);
            case XrootdRequest.MakeDirectory r ->
                    change(
                            exchange,
                            new Mutation.MakeDirectory(
                                    path(exchange, r.target(), true),
                                    r.mode() & PERMISSION_BITS,
                                    r.withParents()));
            case XrootdRequest.Remove r ->
                    change(exchange, new Mutation.RemoveFile(path(exchange, r.target(), true)));
            case XrootdRequest.RemoveDirectory r ->
                    change(
                            exchange,
                            new Mutation.RemoveDirectory(path(exchange, r.target(), true)));
            case XrootdRequest.Move r ->
                    change(
                            exchange,
                            new Mutation.Rename(
                                    path(exchange, r.source(), true),
                                    RequestTarget.parse(r.target()).path(),
                                    true));
            case XrootdRequest.Chmod r ->
                    change(
                            exchange,
                            new Mutation.SetMode(
                                    path(exchange, r.target(), true), r.mode() & PERMISSION_BITS));
            case XrootdRequest.Query r -> queries.serve(exchange, r);
            case XrootdRequest.Prepare r -> prepares.prepare(exchange, r);
            case XrootdRequest.Attributes r -> attributes(exchange, r);
            case XrootdRequest.SetInfo r -> connection.notes().take(exchange, r.text());
            case XrootdRequest.Ping _ -> exchange.ok();
            case XrootdRequest.Truncate r when !r.target().isEmpty() -> truncate(exchange, r);
            case XrootdRequest.NotServed r -> exchange.fail(new FsError.Unsupported(r.reason()));
            case XrootdRequest.Close _,
                    XrootdRequest.Read _,
                    XrootdRequest.ReadMany _,
                    XrootdRequest.PageRead _,
                    XrootdRequest.Write _,
                    XrootdRequest.PageWrite _,
                    XrootdRequest.WriteMany _,
                    XrootdRequest.Sync _,
                    XrootdRequest.Truncate _ ->
                    notOpen(exchange);
            case XrootdRequest.Login _,
                    XrootdRequest.Auth _,
                    XrootdRequest.Bind _,
                    XrootdRequest.Protocol _,
                    XrootdRequest.EndSession _,
                    XrootdRequest.Signature _,
                    XrootdRequest.Unknown _ ->
                    exchange.fail(
                            ErrorCode.INVALID_REQUEST,
                            request.operation() + " does not belong after the login");
        }
    }

    private NamespaceService namespace() {
        return role.namespace();
    }

    private static FsPath path(Exchange exchange, String target, boolean isChange) {
        return concerned(exchange, RequestTarget.parse(target), isChange, false).path();
    }

    private static RequestTarget concerned(
            Exchange exchange, RequestTarget target, boolean isChange, boolean isOpen) {
        exchange.concerns(
                target.path().value(), isChange ? Exchange.Told.ALL : Exchange.Told.FORBIDDEN);
        exchange.refusedElsewhere(target.refusedElsewhere(isOpen));
        if (!target.triedHosts().isEmpty()) {
            exchange.triedInVain();
        }
        return target;
    }

    private static void notOpen(Exchange exchange) {
        exchange.fail(ErrorCode.FILE_NOT_OPEN, "no file is open here; a manager has only names");
    }

    private void change(Exchange exchange, Mutation mutation) {
        exchange.whenDone(
                () -> namespace().change(exchange.caller(), mutation), _ -> exchange.ok());
    }

    /**
     * xrdcp -r sends the path of {@code root://host//} empty, which elsewhere means an open file;
     * there are none here, so it can only mean the root.
     */
    private void stat(Exchange exchange, XrootdRequest.Stat request) {
        String target = request.target().isEmpty() ? "/" : request.target();
        FsPath path = path(exchange, target, false);
        if (request.ofFilesystem()) {
            exchange.whenDone(
                    () -> namespace().space(exchange.caller(), path),
                    space -> statFilesystem(exchange, space));
        } else {
            exchange.whenDone(
                    () -> namespace().stat(exchange.caller(), path),
                    status -> {
                        ByteBuf body = exchange.begin(120);
                        StatText.of(status).write(body);
                        exchange.ok(body.writeByte(0));
                    });
        }
    }

    private static void statFilesystem(Exchange exchange, SpaceReport space) {
        long total = Math.max(1, space.totalBytes());
        long usedPercent = 100 - 100 * Math.min(total, space.freeBytes()) / total;
        exchange.text("1 %d %d 0 0 0".formatted(space.availableBytes() / MEBIBYTE, usedPercent));
    }

    /** One flag byte for each path; what cannot be seen is the error of the whole. */
    private void statMany(Exchange exchange, String paths) {
        List<FsPath> wanted = EachPath.parse("statx", paths);
        var flags = new ByteArrayOutputStream(wanted.size());
        EachPath.visit(
                namespace(),
                exchange,
                wanted,
                new EachPath.Visitor() {
                    @Override
                    public void found(FsPath path, FileStatus status) {
                        flags.write(status.isDirectory() ? StatText.DIRECTORY : 0);
                    }

                    @Override
                    public boolean goesOnAfter(FsPath path, FsError error) {
                        return false;
                    }

                    @Override
                    public void end() {
                        exchange.ok(exchange.begin(flags.size()).writeBytes(flags.toByteArray()));
                    }
                });
    }

    /** This server itself is where everything is: clients must not list or count FSTs. */
    private void locate(Exchange exchange, XrootdRequest.Locate request) {
        String target = request.target();
        if (target.startsWith("*")) {
            exchange.text("Sw" + ownAddress(request.prefersName()));
            return;
        }
        FsPath path = path(exchange, target, false);
        exchange.whenDone(
                () -> namespace().stat(exchange.caller(), path),
                _ -> exchange.text("Sw" + ownAddress(request.prefersName())));
    }

    private String ownAddress(boolean byName) {
        var local = connection.localAddress();
        String host =
                byName
                        ? connection.context().config().advertisedHost()
                        : local.getAddress().getHostAddress();
        return XrootdErrors.hostText(host) + ":" + local.getPort();
    }

    private void list(Exchange exchange, XrootdRequest.DirList request) {
        RequestTarget target =
                concerned(exchange, RequestTarget.parse(request.target()), false, false);
        Optional<ChecksumType> checksum =
                request.withChecksum()
                        ? Optional.of(NamespaceQueries.checksumType(target))
                        : Optional.empty();
        var show = new DirectoryListing.Shown(request.withStat(), checksum);
        new DirectoryListing(namespace(), exchange, target.path(), show).start();
    }

    /** A handle is of no use here: only paths have attributes at a manager. */
    private void attributes(Exchange exchange, XrootdRequest.Attributes request) {
        if (request.target().isEmpty()) {
            notOpen(exchange);
        } else {
            FsPath path = path(exchange, request.target(), false);
            AttributeRequests.serve(AttributeStore.of(namespace(), path), exchange, request);
        }
    }

    // ---- Open

    /** Bytes are cut where they are: the client repeats this at an FST, with a ticket to update. */
    private void truncate(Exchange exchange, XrootdRequest.Truncate request) {
        RequestTarget target =
                concerned(exchange, RequestTarget.parse(request.target()), true, true);
        OpenRequest update =
                OpenRequest.writing(
                                target.path(),
                                LeaseCommand.Intent.UPDATE,
                                DEFAULT_FILE_MODE,
                                OptionalLong.empty())
                        .avoiding(target.triedFsts(), target.triedHosts());
        exchange.whenDone(
                () -> namespace().open(exchange.caller(), update),
                grant -> redirect(exchange, grant));
    }

    private void open(Exchange exchange, XrootdRequest.Open request) {
        RequestTarget target =
                concerned(exchange, RequestTarget.parse(request.target()), true, true);
        if (target.value("tpc.stage").filter("copy"::equals).isPresent()) {
            // Only this number and text let xrdcp --tpc first fall back to a copy of its own.
            exchange.fail(
                    ErrorCode.FS_ERROR,
                    "tpc not supported: copy %s through the client".formatted(target.path()));
            return;
        }
        if (request.hasTemplate()) {
            throw new FsException(
                    new FsError.Unsupported(
                            "an open file as template (dup, samefs) is not served: copy through the client"));
        }
        exchange.whenDone(
                () -> namespace().open(exchange.caller(), openRequest(request, target)),
                grant -> redirect(exchange, grant));
    }

    private static OpenRequest openRequest(XrootdRequest.Open request, RequestTarget target) {
        Optional<LeaseCommand.Intent> intent = intent(request);
        OpenRequest wanted =
                intent.map(writing ->
                                OpenRequest.writing(
                                        target.path(),
                                        writing,
                                        fileMode(request.mode()),
                                        declaredSize(target)))
                        .orElseGet(() -> OpenRequest.reading(target.path()));
        wanted = wanted.avoiding(target.triedFsts(), target.triedHosts());
        return intent.isPresent() && request.has(XrootdRequest.Open.MAKE_PATH)
                ? wanted.withParents()
                : wanted;
    }

    private static Optional<LeaseCommand.Intent> intent(XrootdRequest.Open request) {
        if (request.has(XrootdRequest.Open.DELETE)) {
            return Optional.of(LeaseCommand.Intent.REPLACE);
        }
        if (request.has(XrootdRequest.Open.NEW)) {
            return Optional.of(LeaseCommand.Intent.NEW);
        }
        return request.isForWriting() ? Optional.of(LeaseCommand.Intent.UPDATE) : Optional.empty();
    }

    private static int fileMode(int mode) {
        int bits = mode & PERMISSION_BITS;
        return bits == 0 ? DEFAULT_FILE_MODE : bits;
    }

    private static OptionalLong declaredSize(RequestTarget target) {
        String text = target.value("oss.asize").orElse("");
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            long size = Long.parseLong(text);
            if (size >= 0) {
                return OptionalLong.of(size);
            }
        } catch (NumberFormatException _) {
            // Said below, with the value.
        }
        throw new FsException(
                new FsError.InvalidArgument("oss.asize must be a size in bytes, is " + text));
    }

    private static void redirect(Exchange exchange, Grant grant) {
        exchange.redirect(
                grant.fst().host(),
                grant.fst().xrootdPort(),
                RequestTarget.TICKET + "=" + grant.sealedTicket());
    }
}
