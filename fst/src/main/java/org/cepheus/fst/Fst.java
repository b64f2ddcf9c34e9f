package org.cepheus.fst;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.cepheus.auth.FstKey;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsException;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.LeaseRef;
import org.cepheus.domain.Location;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.port.DataService;
import org.cepheus.domain.port.Metrics;
import org.cepheus.protocol.control.ControlClient;
import org.cepheus.protocol.control.ControlClientConfig;
import org.cepheus.protocol.control.DataMeasure;
import org.cepheus.protocol.control.FstSide;
import org.cepheus.protocol.control.Heartbeat;
import org.cepheus.protocol.control.Hello;
import org.cepheus.protocol.control.HelloAccepted;
import org.cepheus.protocol.control.OpenReads;
import org.cepheus.protocol.http.HttpRole;
import org.cepheus.protocol.http.HttpServer;
import org.cepheus.protocol.http.HttpServerConfig;
import org.cepheus.protocol.http.HttpServices;
import org.cepheus.protocol.xrootd.XrootdRole;
import org.cepheus.protocol.xrootd.XrootdServer;
import org.cepheus.protocol.xrootd.XrootdServerConfig;
import org.cepheus.runtime.Lifecycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One FST: its volumes, the listeners for clients, and the connection to the leading MGM. */
public final class Fst implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Fst.class);

    private static final int MAX_KEY_FILE_BYTES = 4_096;
    private static final int SPACE_PERIOD_SECONDS = 5;
    private static final int SWEEP_PERIOD_SECONDS = 10;
    private static final int BOOT_RANDOM_BITS = 20;

    private final FstConfig config;
    private final FstServices services;
    private final Lifecycle lifecycle = new Lifecycle();
    private final Volumes volumes;
    private final FstDataService data;
    private final ControlClient control;
    private final XrootdServer xrootd;
    private final HttpServer http;

    private Fst(FstConfig config, FstServices services) throws Exception {
        this.config = config;
        this.services = services;
        try {
            FstKey key = readKey(config);
            volumes =
                    lifecycle.start(
                            name("volumes"),
                            () ->
                                    Volumes.open(
                                            config.volumes(),
                                            config.cluster(),
                                            config.initialiseVolumes()));
            control =
                    lifecycle.start(
                            name("control"),
                            () ->
                                    ControlClient.create(
                                            services.workers(), new Side(), services.random()));
            data =
                    new FstDataService(
                            config.cluster(), key, volumes.mounted(), control, services.clock());
            xrootd = lifecycle.start(name("xrootd"), this::startXrootd);
            http = lifecycle.start(name("http"), this::startHttp);
            lifecycle.start(name("timer"), this::startTimer);
            registerGauges(services.metrics());
            control.connect(controlConfig(key));
        } catch (Exception e) {
            lifecycle.close();
            throw e;
        }
    }

    /**
     * Starts an FST; it listens when this returns, and looks for the leading MGM from then on.
     *
     * @throws FsException with one sentence if the configuration, the key or a volume is refused
     * @throws IOException if a port is taken
     */
    public static Fst start(FstConfig config, FstServices services) throws Exception {
        List<String> problems = config.problems();
        if (!problems.isEmpty()) {
            throw new FsException(new FsError.InvalidArgument(String.join("; ", problems)));
        }
        return new Fst(config, services);
    }

    private String name(String part) {
        return "fst-%d-%s".formatted(config.fstId(), part);
    }

    private static FstKey readKey(FstConfig config) {
        Path file = config.keyFile();
        try {
            if (Files.size(file) > MAX_KEY_FILE_BYTES) {
                throw new FsException(
                        new FsError.InvalidArgument("%s is no FST key: too long".formatted(file)));
            }
            FstKey key = FstKey.parse(Files.readString(file));
            if (key.fstId() != config.fstId()) {
                throw new FsException(
                        new FsError.InvalidArgument(
                                "%s holds the key of FST %d, this is FST %d"
                                        .formatted(file, key.fstId(), config.fstId())));
            }
            return key;
        } catch (IOException e) {
            throw new FsException(
                    new FsError.InvalidArgument(
                            "the FST key %s cannot be read: %s".formatted(file, e)));
        }
    }

    private DataService served() {
        return config.streamBytesPerSecond().isPresent()
                ? new PacedDataService(
                        data, config.streamBytesPerSecond().getAsLong(), System::nanoTime)
                : data;
    }

    private XrootdServer startXrootd() throws IOException {
        return XrootdServer.start(
                new XrootdServerConfig(
                        config.host(), config.xrootdPort(), config.advertisedHost(), ""),
                services.acceptors(),
                services.workers(),
                new XrootdRole.DataServer(served(), control.namespace(), control::manager),
                services.metrics(),
                services.audit(),
                services.random(),
                services.admission());
    }

    private HttpServer startHttp() throws IOException {
        return HttpServer.start(
                HttpServerConfig.at(config.host(), config.httpPort()),
                services.acceptors(),
                services.workers(),
                new HttpRole.DataServer(
                        served(), control.namespace(), config.fstId(), control::manager),
                new HttpServices(
                        services.authenticator(),
                        services.metrics(),
                        services.audit(),
                        services.admission(),
                        services.random(),
                        services.clock()));
    }

    private ScheduledExecutorService startTimer() {
        ScheduledExecutorService timer =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name(name("timer")).factory());
        timer.scheduleWithFixedDelay(
                volumes::refresh, SPACE_PERIOD_SECONDS, SPACE_PERIOD_SECONDS, TimeUnit.SECONDS);
        timer.scheduleWithFixedDelay(
                () -> data.giveUpAbandoned(FstDataService.HOLD),
                SWEEP_PERIOD_SECONDS,
                SWEEP_PERIOD_SECONDS,
                TimeUnit.SECONDS);
        return timer;
    }

    private void registerGauges(Metrics metrics) {
        metrics.gauge("fst_streams", "Files that clients have open at the FST", data::streams);
        metrics.gauge(
                "fst_uploads",
                "Uploads in progress at the FST, those on hold included",
                data::uploadCount);
        metrics.gauge(
                "fst_connected",
                "1 while the leading MGM knows this FST",
                () -> control.isConnected() ? 1 : 0);
        metrics.table(
                "volume_queued_calls",
                "Calls that wait for a thread of the volume",
                List.of("volume"),
                () -> ofVolumes(each -> each.pool().queued()));
        metrics.table(
                "volume_hung",
                "1 while a call to the volume has lasted too long",
                List.of("volume"),
                () -> ofVolumes(each -> each.pool().isHung() ? 1 : 0));
    }

    private List<Metrics.Row> ofVolumes(ToLongFunction<MountedVolume> value) {
        return volumes.mounted().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each ->
                        new Metrics.Row(
                                List.of(each.getKey().toString()),
                                value.applyAsLong(each.getValue())))
                .toList();
    }

    private ControlClientConfig controlConfig(FstKey key) {
        var address =
                new FstAddress(config.fstId(), config.advertisedHost(), xrootd.port(), http.port());
        var hello = new Hello(config.cluster(), boot(), address, volumes.offered());
        return new ControlClientConfig(
                hello, Bytes.copyOf(key.subkey("control")), mgms(config.mgms()));
    }

    // Orders the starts of an FST by the clock; what a clock that went back would do to the order
    // is set right when the MGM says which boot it knows.
    private long boot() {
        return services.clock().millis() << BOOT_RANDOM_BITS
                | services.random().nextLong(1L << BOOT_RANDOM_BITS);
    }

    private static List<ControlClientConfig.Mgm> mgms(List<InetSocketAddress> addresses) {
        return addresses.stream()
                .map(at -> new ControlClientConfig.Mgm(at.getHostString(), at.getPort()))
                .toList();
    }

    private final class Side implements FstSide {
        @Override
        public Heartbeat heartbeat() {
            return new Heartbeat(volumes.loads(), data.streams());
        }

        @Override
        public CompletionStage<List<Long>> delete(int volumeId, List<Long> dataIds) {
            return data.delete(volumeId, dataIds);
        }

        @Override
        public CompletionStage<DataMeasure> measure(int volumeId, long dataId, int restoreEpoch) {
            return data.measure(new Location(volumeId, dataId), restoreEpoch);
        }

        @Override
        public CompletionStage<Void> endUpload(LeaseRef lease, String reason) {
            return data.endUpload(lease, reason);
        }

        @Override
        public OpenReads reads(int max) {
            return data.reads(max);
        }

        @Override
        public void endRead(long number, String reason) {
            data.endRead(number, reason);
        }

        @Override
        public CompletionStage<Void> accepted(HelloAccepted accepted) {
            LOG.info(
                    "FST {} joins cluster {} at restore epoch {}",
                    config.fstId(),
                    accepted.cluster(),
                    accepted.restoreEpoch());
            return volumes.enterEpoch(accepted.restoreEpoch());
        }
    }

    public int xrootdPort() {
        return xrootd.port();
    }

    public int httpPort() {
        return http.port();
    }

    /** True while the leading MGM knows this FST. */
    public boolean isConnected() {
        return control.isConnected();
    }

    /**
     * Stops listening first; uploads that run are aborted by the MGM when it sees the next start.
     */
    @Override
    public void close() {
        lifecycle.close();
    }
}
