package org.cepheus.mgm;

import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.cepheus.admin.AdminConfig;
import org.cepheus.admin.AdminServer;
import org.cepheus.admin.AdminToken;
import org.cepheus.admin.RestApi;
import org.cepheus.auth.ClusterSecret;
import org.cepheus.auth.FstKeys;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.Identity;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.port.AccessPolicy;
import org.cepheus.domain.port.Admission;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.Authenticator;
import org.cepheus.domain.port.Metrics;
import org.cepheus.domain.port.NamespaceService;
import org.cepheus.domain.port.OperatorService;
import org.cepheus.domain.port.SessionService;
import org.cepheus.mgm.raft.Fatal;
import org.cepheus.mgm.raft.RaftMember;
import org.cepheus.mgm.raft.RaftSettings;
import org.cepheus.mgm.service.DiskGuard;
import org.cepheus.mgm.service.DownloadDesk;
import org.cepheus.mgm.service.EventLog;
import org.cepheus.mgm.service.FleetDesk;
import org.cepheus.mgm.service.FstDesk;
import org.cepheus.mgm.service.FstRegistry;
import org.cepheus.mgm.service.Housekeeping;
import org.cepheus.mgm.service.MgmNamespaceService;
import org.cepheus.mgm.service.NamespaceState;
import org.cepheus.mgm.service.OperatorDesk;
import org.cepheus.mgm.service.OrderDesk;
import org.cepheus.mgm.service.Proposals;
import org.cepheus.mgm.service.QuotaChecks;
import org.cepheus.mgm.service.QuotaCounting;
import org.cepheus.mgm.service.SystemAudit;
import org.cepheus.mgm.service.TicketOffice;
import org.cepheus.mgm.store.StoreHome;
import org.cepheus.namespace.Queries;
import org.cepheus.protocol.control.ControlServer;
import org.cepheus.protocol.control.DataMeasure;
import org.cepheus.protocol.control.OpenReads;
import org.cepheus.protocol.http.HttpRole;
import org.cepheus.protocol.http.HttpServer;
import org.cepheus.protocol.http.HttpServerConfig;
import org.cepheus.protocol.http.HttpServices;
import org.cepheus.protocol.xrootd.XrootdRole;
import org.cepheus.protocol.xrootd.XrootdServer;
import org.cepheus.protocol.xrootd.XrootdServerConfig;
import org.cepheus.runtime.HealthCode;
import org.cepheus.runtime.HealthRegistry;
import org.cepheus.runtime.Lifecycle;

/** One MGM, wired and running. Everything it is made of is named here, in the order of starting. */
public final class Mgm implements AutoCloseable {
    private static final long BLOCK_CACHE_BYTES = 64L << 20;
    private static final int SCAN_THREADS = 4;
    private static final int MAX_WAITING_SCANS = 1_000;
    private static final long HOUSEKEEPING_MILLIS = 1_000;

    private final MgmConfig config;
    private final Surroundings around;
    private final Lifecycle parts = new Lifecycle();
    private final FstKeys keys;
    private final DataDirectory data;
    private final RaftMember raft;
    private final FstRegistry fsts;
    private final MgmNamespaceService namespace;
    private final OperatorDesk operators;
    private final ControlServer control;

    /**
     * What a process gives to the parts in it.
     *
     * @param acceptors event loops (epoll) that accept
     * @param workers event loops (epoll) that serve
     * @param operator who the bearer of the admin token is
     * @param admission asked before a request takes memory
     * @param fatal what happens when this replica must not go on
     */
    public record Surroundings(
            EventLoopGroup acceptors,
            EventLoopGroup workers,
            Authenticator authenticator,
            AccessPolicy policy,
            Identity operator,
            Metrics metrics,
            Audit audit,
            Admission admission,
            HealthRegistry health,
            Supplier<String> prometheusText,
            SecureRandom random,
            Fatal fatal) {}

    /**
     * Starts an MGM. When it comes back every port is open; {@link #isLeading} says when it serves
     * changes. What is thrown leaves nothing running.
     *
     * @throws FsException with one sentence for the operator: a directory that is not ours or is in
     *     use, a secret others may read, a wrong configuration
     * @throws IOException for a port that is taken or a disk that fails
     */
    public static Mgm start(MgmConfig config, Surroundings around) throws IOException {
        List<String> problems = config.problems();
        if (!problems.isEmpty()) {
            throw new FsException(new FsError.InvalidArgument(String.join("; ", problems)));
        }
        return new Mgm(config, around);
    }

    private Mgm(MgmConfig config, Surroundings around) throws IOException {
        this.config = config;
        this.around = around;
        try {
            ClusterSecret secret = secret();
            keys = new FstKeys(secret);
            data =
                    started(
                            "data directory",
                            () ->
                                    DataDirectory.open(
                                            config.data(), config.member(), config.cluster()));
            var home = new StoreHome(data.root());
            var state =
                    started(
                            "store",
                            () -> new NamespaceState(home, config.cluster(), BLOCK_CACHE_BYTES));
            ThreadPoolExecutor scans = scanThreads();
            parts.onStop("scan threads", scans::shutdownNow);
            var events =
                    new EventLog(
                            directory -> state.ask(queries -> queries.directory(directory)),
                            scans,
                            state.last().index());
            state.onEntry(events);
            raft = started("raft", () -> raft(state));
            // What is replayed was told before; nothing is proposed yet.
            state.onEntry(new SystemAudit(raft.aggregator().proposer(), state, around.audit()));
            fsts =
                    new FstRegistry(
                            System::nanoTime,
                            InstantSource.system(),
                            () -> state.ask(Queries::states));
            DiskGuard guard =
                    started(
                            "disk guard",
                            () ->
                                    new DiskGuard(
                                            data.root(), config.leastFreeBytes(), raft::stepDown));
            guard.start();
            var proposals = new Proposals(raft.aggregator()::submit, guard::trouble);
            var tickets = new TicketOffice(config.cluster(), keys, InstantSource.system());
            namespace =
                    new MgmNamespaceService(
                            state, raft.gate(), proposals, fsts, tickets, around.policy(), scans);
            var counting =
                    started(
                            "quota counting",
                            () -> new QuotaCounting(raft::isLeading, state, proposals));
            counting.start(HOUSEKEEPING_MILLIS);
            operators =
                    new OperatorDesk(
                            config.cluster(),
                            config.member(),
                            raft,
                            state,
                            fsts,
                            scans,
                            counting,
                            started(
                                    "quota checks",
                                    () ->
                                            new QuotaChecks(
                                                    state::snapshot, InstantSource.system())));
            var fleet = new FleetDesk(config.peers(), config.settings(), raft, state, fsts, scans);
            control = started("control port", () -> control(state, proposals, tickets));
            housekeeping(state, proposals).start(HOUSEKEEPING_MILLIS);
            watch(guard, state);
            SessionService sessions = openXrootd();
            openHttp();
            openAdmin(
                    secret,
                    new RestApi.Ports(
                            namespace,
                            operators,
                            fleet,
                            new OrderDesk(
                                    state,
                                    raft.gate(),
                                    namespace,
                                    proposals,
                                    scans,
                                    control::orderEnd),
                            new DownloadDesk(raft.gate(), scans, fsts, reads()),
                            sessions,
                            events,
                            around.audit()));
        } catch (IOException | RuntimeException e) {
            parts.close();
            throw e;
        }
    }

    private <T extends AutoCloseable> T started(String name, Callable<T> part) throws IOException {
        try {
            return parts.start(name, part);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) { // What Callable declares.
            throw new IOException(name + " did not start", e);
        }
    }

    private ClusterSecret secret() throws IOException {
        if (config.isAlone() && !Files.exists(config.secretFile())) {
            Files.createDirectories(config.secretFile().toAbsolutePath().getParent());
            ClusterSecret.draw(around.random()).writeNew(config.secretFile());
        }
        return ClusterSecret.read(config.secretFile());
    }

    private RaftMember raft(NamespaceState state) throws IOException {
        var settings =
                new RaftSettings(
                        config.cluster(),
                        config.member(),
                        config.peers(),
                        data.raft(),
                        // No FST has the number 0, and so none has this key.
                        Optional.of(Bytes.copyOf(keys.keyOf(0).subkey("raft state"))),
                        config.keptEntries());
        return new RaftMember(settings, state, around.random(), around.fatal());
    }

    private static ThreadPoolExecutor scanThreads() {
        var threads =
                new ThreadPoolExecutor(
                        SCAN_THREADS,
                        SCAN_THREADS,
                        30,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(MAX_WAITING_SCANS),
                        Thread.ofPlatform().name("scan-", 0).daemon().factory());
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    private ControlServer control(NamespaceState state, Proposals proposals, TicketOffice tickets)
            throws IOException {
        var desk =
                new FstDesk(
                        config.cluster(),
                        config.self().address(),
                        state,
                        proposals,
                        fsts,
                        tickets,
                        namespace);
        return ControlServer.start(
                config.listenHost(),
                config.self().address().controlPort(),
                around.workers(),
                desk,
                desk,
                around.random());
    }

    private Housekeeping housekeeping(NamespaceState state, Proposals proposals)
            throws IOException {
        return started(
                "housekeeping",
                () ->
                        new Housekeeping(
                                raft::isLeading,
                                state,
                                raft.aggregator()::leaseNanos,
                                proposals,
                                fsts,
                                orders(),
                                this::lostLeadership));
    }

    private Housekeeping.Orders orders() {
        return new Housekeeping.Orders() {
            @Override
            public CompletionStage<List<Long>> delete(int fstId, int volumeId, List<Long> dataIds) {
                return control.orderDelete(fstId, volumeId, dataIds);
            }

            @Override
            public CompletionStage<DataMeasure> measure(
                    int fstId, int volumeId, long dataId, int restoreEpoch) {
                return control.orderMeasure(fstId, volumeId, dataId, restoreEpoch);
            }
        };
    }

    private DownloadDesk.Fsts reads() {
        return new DownloadDesk.Fsts() {
            @Override
            public CompletionStage<OpenReads> reads(int fstId, int max) {
                return control.askReads(fstId, max);
            }

            @Override
            public CompletionStage<Void> endRead(int fstId, long number, String reason) {
                return control.orderEndRead(fstId, number, reason);
            }
        };
    }

    /** FSTs look for the new leader when their connections here are gone. */
    private void lostLeadership() {
        fsts.forgetAll();
        control.disconnectAll();
    }

    private void watch(DiskGuard guard, NamespaceState state) {
        around.health()
                .register(
                        "disk",
                        () ->
                                guard.trouble()
                                        .map(trouble ->
                                                HealthRegistry.Result.found(
                                                        HealthCode.DISK_NEARLY_FULL, trouble))
                                        .orElseGet(() -> HealthRegistry.Result.ok("has room")));
        new MgmMetrics(around.metrics(), raft, state, fsts).register();
    }

    private XrootdServer openXrootd() throws IOException {
        var at =
                new XrootdServerConfig(
                        config.listenHost(),
                        config.self().address().xrootdPort(),
                        config.self().address().host(),
                        config.siteName());
        return started(
                "xrootd port",
                () ->
                        XrootdServer.start(
                                at,
                                around.acceptors(),
                                around.workers(),
                                new XrootdRole.Manager(namespace, around.authenticator()),
                                around.metrics(),
                                around.audit(),
                                around.random(),
                                around.admission()));
    }

    private void openHttp() throws IOException {
        var services =
                new HttpServices(
                        around.authenticator(),
                        around.metrics(),
                        around.audit(),
                        around.admission(),
                        around.random(),
                        InstantSource.system());
        started(
                "http port",
                () ->
                        HttpServer.start(
                                HttpServerConfig.at(
                                        config.listenHost(), config.self().address().httpPort()),
                                around.acceptors(),
                                around.workers(),
                                new HttpRole.Manager(namespace, fsts::leastLoaded),
                                services));
    }

    private void openAdmin(ClusterSecret secret, RestApi.Ports rest) throws IOException {
        if (!Files.exists(config.adminTokenFile())) {
            ClusterSecret.writePrivateText(config.adminTokenFile(), secret.adminToken() + "\n");
        }
        AdminToken token = AdminToken.read(config.adminTokenFile());
        started(
                "admin port",
                () ->
                        AdminServer.start(
                                new AdminConfig(
                                        config.listenHost(), config.self().address().adminPort()),
                                new AdminServer.Watched(around.health(), around.prometheusText()),
                                Optional.of(
                                        new AdminServer.Operated(
                                                token, new RestApi(around.operator(), rest))),
                                new AdminServer.Books(around.metrics(), around.audit()),
                                around.random()));
    }

    public UUID cluster() {
        return config.cluster();
    }

    /** The keys of this cluster's FSTs, for those in the same process. */
    public FstKeys fstKeys() {
        return keys;
    }

    public NamespaceService namespace() {
        return namespace;
    }

    public OperatorService operators() {
        return operators;
    }

    /** Where clients find this member. */
    public MgmAddress address() {
        return config.self().address();
    }

    public boolean isLeading() {
        return raft.isLeading();
    }

    /** True if files can be placed at that FST: it is connected and has told of its volumes. */
    public boolean hasFst(int fstId) {
        return fsts.isServing(fstId);
    }

    /** Closes every port, then the log, then the store. */
    @Override
    public void close() {
        parts.close();
    }
}
