package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.cepheus.domain.Checksum;
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
import org.cepheus.domain.port.QuotaReport;
import org.cepheus.domain.port.SpaceReport;
import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.cepheus.protocol.xrootd.wire.StatText;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;

/** What a manager does with requests: asks the namespace, and sends opens to data servers. */
final class NamespaceRequests implements RoleRequests {
    private static final int IS_MANAGER = 0x2;
    private static final int PERMISSION_BITS = 0777;
    private static final int DEFAULT_FILE_MODE = 0644;
    private static final int MAX_STATX_PATHS = 512;
    private static final long MEBIBYTE = 1024 * 1024;

    private final XrootdRole.Manager role;
    private final XrootdConnection connection;

    NamespaceRequests(XrootdRole.Manager role, XrootdConnection connection) {
        this.role = role;
        this.connection = connection;
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
    public BulkSink bulk(Exchange exchange, XrootdRequest request) {
        return BulkSink.dropping(() -> notOpen(exchange));
    }

    @Override
    public void serve(Exchange exchange, XrootdRequest request) {
        switch (request) {
            case XrootdRequest.Stat r -> stat(exchange, r);
            case XrootdRequest.StatMany r -> statMany(exchange, r.paths());
            case XrootdRequest.Locate r -> locate(exchange, r);
            case XrootdRequest.DirList r -> {
                FsPath directory = path(exchange, r.target(), false);
                new DirectoryListing(namespace(), exchange, directory, r.withStat()).start();
            }
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
            case XrootdRequest.Query r -> query(exchange, r);
            case XrootdRequest.SetInfo _, XrootdRequest.Ping _ -> exchange.ok();
            case XrootdRequest.Truncate r when !r.target().isEmpty() ->
                    exchange.fail(
                            new FsError.Unsupported(
                                    "truncate by path is not served; open the file for update"));
            case XrootdRequest.Prepare _, XrootdRequest.NotServed _ ->
                    exchange.fail(
                            new FsError.Unsupported(request.operation() + " is not served here"));
            case XrootdRequest.Close _,
                    XrootdRequest.Read _,
                    XrootdRequest.ReadMany _,
                    XrootdRequest.PageRead _,
                    XrootdRequest.Write _,
                    XrootdRequest.PageWrite _,
                    XrootdRequest.Sync _,
                    XrootdRequest.Truncate _ ->
                    notOpen(exchange);
            case XrootdRequest.Login _,
                    XrootdRequest.Auth _,
                    XrootdRequest.Bind _,
                    XrootdRequest.Protocol _,
                    XrootdRequest.EndSession _,
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
        exchange.concerns(target.path().value(), isChange);
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
        text(exchange, "1 %d %d 0 0 0".formatted(space.availableBytes() / MEBIBYTE, usedPercent));
    }

    /** One flag byte for each path; what cannot be seen counts as not there. */
    private void statMany(Exchange exchange, String paths) {
        List<FsPath> wanted = new ArrayList<>();
        for (String line : paths.split("\n", -1)) {
            if (!line.isEmpty()) {
                wanted.add(RequestTarget.parse(line).path());
            }
        }
        if (wanted.size() > MAX_STATX_PATHS) {
            throw new FsException(
                    new FsError.TooLong(
                            "statx of %d paths, the limit is %d"
                                    .formatted(wanted.size(), MAX_STATX_PATHS)));
        }
        statNext(exchange, wanted, exchange.begin(wanted.size()));
    }

    private void statNext(Exchange exchange, List<FsPath> wanted, ByteBuf flags) {
        int done = flags.writerIndex() - exchange.bodyStart();
        if (done == wanted.size()) {
            exchange.ok(flags);
            return;
        }
        exchange.whenDone(
                () -> namespace().stat(exchange.caller(), wanted.get(done)),
                status -> {
                    flags.writeByte(status.isDirectory() ? StatText.DIRECTORY : 0);
                    statNext(exchange, wanted, flags);
                },
                error -> {
                    flags.release();
                    exchange.fail(error);
                });
    }

    /** This server itself is where everything is: clients must not list or count FSTs. */
    private void locate(Exchange exchange, XrootdRequest.Locate request) {
        String target = request.target();
        if (target.startsWith("*")) {
            text(exchange, "Sw" + ownAddress(request.prefersName()));
            return;
        }
        FsPath path = path(exchange, target, false);
        exchange.whenDone(
                () -> namespace().stat(exchange.caller(), path),
                _ -> text(exchange, "Sw" + ownAddress(request.prefersName())));
    }

    private String ownAddress(boolean byName) {
        var local = connection.localAddress();
        String host =
                byName
                        ? connection.context().config().advertisedHost()
                        : local.getAddress().getHostAddress();
        return XrootdErrors.hostText(host) + ":" + local.getPort();
    }

    // ---- Open

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

    // ---- Query

    private void query(Exchange exchange, XrootdRequest.Query request) {
        switch (request.type()) {
            case XrootdRequest.Query.CONFIG ->
                    text(
                            exchange,
                            ConfigAnswers.answer(
                                    connection.context().config(), "manager", request.argument()));
            case XrootdRequest.Query.CHECKSUM -> checksum(exchange, request.argument());
            case XrootdRequest.Query.SPACE -> {
                String argument = request.argument().isEmpty() ? "/" : request.argument();
                FsPath path = path(exchange, argument, false);
                exchange.whenDone(
                        () -> namespace().space(exchange.caller(), path),
                        space -> text(exchange, spaceText(space)));
            }
            default ->
                    exchange.fail(
                            new FsError.Unsupported(
                                    "query type %d is not served here".formatted(request.type())));
        }
    }

    private void checksum(Exchange exchange, String argument) {
        RequestTarget target = RequestTarget.parse(argument);
        exchange.concerns(target.path().value(), false);
        String name = target.value("cks.type").orElse(ChecksumType.ADLER32.word());
        ChecksumType type =
                ChecksumType.named(name)
                        .orElseThrow(() ->
                                new FsException(
                                        new FsError.Unsupported(
                                                "checksum %s is not served; ask for adler32 or crc32c"
                                                        .formatted(name))));
        exchange.whenDone(
                () -> namespace().stat(exchange.caller(), target.path()),
                status -> {
                    Checksum checksum = known(status, type, target.path());
                    text(exchange, type.word() + " " + checksum.hex());
                });
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

    /** With a quota on the way to the path its innermost byte limit is what clients see. */
    private static String spaceText(SpaceReport space) {
        long total = space.totalBytes();
        long used = Math.max(0, total - space.freeBytes());
        long quota = -1;
        for (QuotaReport row : space.quotas()) {
            if (row.limitBytes().isPresent()) {
                quota = row.limitBytes().getAsLong();
                used = row.usedBytes();
            }
        }
        long available = space.availableBytes();
        return "oss.cgroup=default&oss.space=%d&oss.free=%d&oss.maxf=%d&oss.used=%d&oss.quota=%d"
                .formatted(total, available, available, used, quota);
    }

    private static void text(Exchange exchange, String text) {
        ByteBuf body = exchange.begin(text.length() + 1);
        body.writeCharSequence(text, StandardCharsets.UTF_8);
        exchange.ok(body.writeByte(0));
    }
}
