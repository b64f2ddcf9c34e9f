package org.cepheus.admin;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.cepheus.domain.AccessBits;
import org.cepheus.domain.Caller;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FileKind;
import org.cepheus.domain.FileStatus;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.Identity;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.OnceKey;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.ServiceState;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.Mutation;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.DirectoryPage;
import org.cepheus.domain.port.DownloadService;
import org.cepheus.domain.port.EventFeed;
import org.cepheus.domain.port.FleetService;
import org.cepheus.domain.port.Grant;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.OpenRequest;
import org.cepheus.domain.port.OperatorOrder;
import org.cepheus.domain.port.OperatorService;
import org.cepheus.domain.port.OrderService;
import org.cepheus.domain.port.QuotaReport;
import org.cepheus.domain.port.SessionService;
import org.cepheus.domain.port.SpaceReport;

/** A namespace with one directory {@code /data} and one file in it, and its operator's view. */
final class FakeCluster
        implements NamespaceService,
                OperatorService,
                FleetService,
                OrderService,
                DownloadService,
                SessionService,
                Audit {
    static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    final List<Mutation> changes = new ArrayList<>();
    final List<OperatorOrder> orders = new ArrayList<>();
    final Map<OnceKey, Outcome> outcomes = new HashMap<>();
    final List<Caller> callers = new ArrayList<>();
    final List<String> audited = new ArrayList<>();
    final List<Caller> refused = new ArrayList<>();
    Optional<FsError> refusal = Optional.empty();

    @Override
    public void allowed(Caller caller, String operation, String object) {
        audited.add("allowed %s %s".formatted(operation, object));
    }

    @Override
    public void refused(Caller caller, String operation, String object, FsError error) {
        audited.add("refused %s %s".formatted(operation, object));
        refused.add(caller);
    }

    @Override
    public <T> void happened(List<T> changes, Function<? super T, Deed> shown) {
        throw new AssertionError("the admin port does nothing by itself");
    }

    @Override
    public CompletionStage<FileStatus> stat(Caller caller, FsPath path) {
        return switch (path.value()) {
            case "/data" -> answer(directory());
            case "/data/run 1.root" -> answer(file());
            default -> fail(new FsError.NotFound("no such file or directory: " + path));
        };
    }

    @Override
    public CompletionStage<Found> find(Caller caller, long inode) {
        return inode == file().inode()
                ? answer(new Found(FsPath.parse("/data/run 1.root"), file()))
                : fail(new FsError.NotFound("nothing has the inode " + inode));
    }

    @Override
    public CompletionStage<DirectoryPage> list(
            Caller caller, FsPath directory, String after, int max) {
        var entry = new DirectoryPage.Entry("run 1.root", file());
        return answer(
                after.isEmpty()
                        ? new DirectoryPage(List.of(entry), Optional.of("run 1.root"))
                        : new DirectoryPage(List.of(), Optional.empty()));
    }

    @Override
    public CompletionStage<Map<String, Bytes>> attributes(Caller caller, FsPath path) {
        return answer(
                Map.of(
                        "user.note",
                        Bytes.copyOf("grün".getBytes(StandardCharsets.UTF_8)),
                        "user.raw",
                        Bytes.copyOf(new byte[] {(byte) 0xff, 0})));
    }

    @Override
    public CompletionStage<SpaceReport> space(Caller caller, FsPath path) {
        return quotas(caller).thenApply(rows -> new SpaceReport(5_000, 4_000, rows));
    }

    @Override
    public CompletionStage<Grant> open(Caller caller, OpenRequest request) {
        return fail(new FsError.Unsupported("not in this fake"));
    }

    @Override
    public CompletionStage<Void> change(Caller caller, Mutation mutation) {
        return fail(new FsError.Unsupported("the API orders"));
    }

    @Override
    public CompletionStage<Void> order(Caller caller, OperatorOrder order, Optional<OnceKey> once) {
        once.ifPresent(key -> outcomes.put(key, new Outcome(refusal)));
        if (refusal.isPresent()) {
            return fail(refusal.get());
        }
        callers.add(caller);
        orders.add(order);
        if (order instanceof OperatorOrder.Change(var mutation)) {
            changes.add(mutation);
        }
        return CompletableFuture.runAsync(() -> {});
    }

    @Override
    public CompletionStage<Optional<Outcome>> outcome(Caller caller, OnceKey once) {
        if (outcomes.keySet().stream()
                .anyMatch(known ->
                        known.key().equals(once.key())
                                && !known.request().equals(once.request()))) {
            return fail(new FsError.InvalidArgument("used for another request"));
        }
        return answer(Optional.ofNullable(outcomes.get(once)));
    }

    @Override
    public CompletionStage<List<Node>> nodes(Caller caller) {
        return answer(
                List.of(
                        new Node.Mgm(
                                "mgm1",
                                new MgmAddress("127.0.0.1", 1094, 8080, 9080, 1125),
                                "leader",
                                OptionalLong.of(0),
                                OptionalLong.of(3)),
                        new Node.Fst(
                                new FstAddress(1, "127.0.0.1", 1095, 8081),
                                ServiceState.RO,
                                true,
                                Optional.of(NOON),
                                4,
                                List.of(1))));
    }

    @Override
    public CompletionStage<List<FileSystem>> fileSystems(Caller caller) {
        return answer(
                List.of(
                        new FileSystem(
                                1, "u1", ServiceState.RW, true, 5_000, 4_000, List.of(1), 2)));
    }

    @Override
    public CompletionStage<List<Space>> spaces(Caller caller) {
        return answer(List.of(new Space("default", 5_000, 4_000, 1_000, 1, 1, List.of(1))));
    }

    @Override
    public List<Session> sessions() {
        return List.of(new Session(3, "xroot", "anna", "127.0.0.1", NOON));
    }

    @Override
    public boolean end(long number) {
        return number == 3;
    }

    @Override
    public List<Setting> settings() {
        return List.of(new Setting("member", "mgm1"));
    }

    @Override
    public ClusterStatus status() {
        var fst = new FstAddress(1, "127.0.0.1", 1095, 8081);
        return new ClusterStatus(
                "3f0c",
                "mgm1",
                "leader",
                Optional.of(new MgmAddress("127.0.0.1", 1094, 8080, 9080, 1125)),
                3,
                78,
                77,
                List.of(
                        new MemberStatus(
                                "mgm1", "leader", OptionalLong.of(1), OptionalLong.empty())),
                1,
                2,
                1_000,
                List.of(new FstStatus(fst, true, NOON, 4)),
                List.of(new VolumeStatus(1, 5_000, 4_000, true)));
    }

    @Override
    public CompletionStage<List<QuotaReport>> quotas(Caller caller) {
        return answer(
                List.of(
                        new QuotaReport(
                                FsPath.parse("/data"),
                                QuotaKind.USER,
                                "anna",
                                OptionalLong.of(10_000),
                                OptionalLong.of(50),
                                1_000,
                                1,
                                200,
                                1),
                        new QuotaReport(
                                FsPath.parse("/data"),
                                QuotaKind.PROJECT,
                                "",
                                OptionalLong.empty(),
                                OptionalLong.empty(),
                                1_000,
                                1,
                                200,
                                1)));
    }

    @Override
    public CompletionStage<Downloads> downloads(Caller caller) {
        return answer(
                new Downloads(
                        List.of(
                                new Download(
                                        1,
                                        7,
                                        FsPath.parse("/data/f"),
                                        "anna",
                                        "127.0.0.1",
                                        NOON,
                                        100,
                                        40,
                                        "ab")),
                        3,
                        List.of(2)));
    }

    @Override
    public CompletionStage<Void> endDownload(Caller caller, int fstId, long number) {
        return number == 7
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.failedFuture(
                        new FsException(new FsError.NotFound("no download " + number)));
    }

    @Override
    public CompletionStage<List<Transfer>> transfers(Caller caller, int max) {
        return answer(
                List.of(
                        new Transfer(
                                OptionalLong.of(42),
                                FsPath.parse("/data/new"),
                                1,
                                "anna",
                                "127.0.0.1",
                                NOON,
                                OptionalLong.of(4_096),
                                4_096,
                                "active",
                                "00000000000000ab")));
    }

    /** The API over this cluster. */
    RestApi api(Identity operator, EventFeed events) {
        return new RestApi(
                operator, new RestApi.Ports(this, this, this, this, this, this, events, this));
    }

    private static FileStatus directory() {
        return status(FileKind.DIRECTORY, 0, List.of());
    }

    private static FileStatus file() {
        return status(FileKind.FILE, 1_000, List.of(Checksum.of(ChecksumType.ADLER32, 0xabc)));
    }

    private static FileStatus status(FileKind kind, long size, List<Checksum> checksums) {
        return new FileStatus(
                kind,
                5,
                7,
                size,
                0640,
                "anna",
                "users",
                NOON,
                NOON,
                NOON,
                checksums,
                false,
                new AccessBits(true, true, true));
    }

    private static <T> CompletionStage<T> answer(T value) {
        return CompletableFuture.supplyAsync(() -> value);
    }

    private static <T> CompletionStage<T> fail(FsError error) {
        return CompletableFuture.failedFuture(new FsException(error));
    }
}
