package org.cepheus.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.cepheus.auth.ClusterSecret;
import org.cepheus.auth.FstKeys;
import org.cepheus.cli.CommandFailure;
import org.cepheus.cli.ExitCode;
import org.cepheus.domain.MgmAddress;
import org.cepheus.fst.FstConfig;
import org.cepheus.mgm.Mgm;
import org.cepheus.mgm.MgmConfig;
import org.cepheus.runtime.Lifecycle;

/** A whole cluster in one process: one MGM, two FSTs, two volumes, for this machine only. */
final class Up {
    /** An election of one takes a tenth of a second; replaying a long log takes longest. */
    private static final Duration READY_LIMIT = Duration.ofMinutes(5);

    private static final long POLL_MILLIS = 5;

    /** A laptop has less to spare than a site. */
    private static final long LEAST_FREE_BYTES = 256L << 20;

    private final DataDirectory data;
    private final Ports ports;

    private Up(DataDirectory data, Ports ports) {
        this.data = data;
        this.ports = ports;
    }

    /**
     * Runs until the process is told to end.
     *
     * @throws CommandFailure with one sentence: a taken port, a foreign directory
     */
    static int run(Path directory, Ports ports, LogFormat format, PrintWriter out)
            throws Exception {
        ports.refuseTaken();
        var parts = new Lifecycle();
        DataDirectory data = DataDirectory.open(directory);
        parts.onStop("data directory", data);
        ServerLog.toFile(data.log(), format);
        var up = new Up(data, ports);
        return Servers.run(
                parts,
                "mgm1",
                data.audit(),
                OptionalLong.empty(),
                engine -> {
                    up.start(engine);
                    out.print(new Hints(ports, data.root(), engine.starter()).text());
                    out.flush();
                });
    }

    /** The FSTs come up beside the MGM, on another core, and look for it until it leads. */
    private void start(Engine engine) throws Exception {
        FstKeys keys = new FstKeys(secret(engine));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> fsts = threads.submit(() -> startFsts(keys, engine));
            Mgm mgm = Servers.startMgm(mgmConfig(), engine);
            get(fsts);
            awaitReady(mgm);
        }
        ClientFile.write(data, ports);
    }

    private static void get(Future<Boolean> started) throws Exception {
        try {
            started.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** One after the other, because the first makes the volumes. */
    private boolean startFsts(FstKeys keys, Engine engine) throws Exception {
        for (int id = 1; id <= Ports.FST_COUNT; id++) {
            Path keyFile = data.fstKey(id);
            writePrivate(keyFile, keys.keyOf(id).toText());
            Servers.startFst(
                    fstConfig(id, keyFile), engine, engine.metrics().beside(Servers.fstName(id)));
        }
        return true;
    }

    private static void writePrivate(Path file, String text) throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(
                    file,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
        }
        Files.writeString(file, text + "\n");
    }

    /** Empty directories become volumes until the first start succeeded; then they are a loss. */
    private FstConfig fstConfig(int id, Path keyFile) throws IOException {
        var volumes = new ArrayList<FstConfig.VolumeConfig>();
        for (Path directory : data.volumes()) {
            if (!ClientFile.isIn(data)) {
                Files.createDirectories(directory);
            }
            volumes.add(new FstConfig.VolumeConfig(volumes.size() + 1, directory));
        }
        return new FstConfig(
                id,
                data.cluster(),
                Ports.HOST,
                Ports.HOST,
                ports.xrootdOfFst(id),
                ports.httpOfFst(id),
                keyFile,
                List.of(InetSocketAddress.createUnresolved(Ports.HOST, ports.control())),
                volumes,
                !ClientFile.isIn(data),
                OptionalLong.empty());
    }

    private ClusterSecret secret(Engine engine) throws IOException {
        if (!Files.exists(data.secret())) {
            ClusterSecret.draw(engine.random()).writeNew(data.secret());
        }
        return ClusterSecret.read(data.secret());
    }

    private MgmConfig mgmConfig() {
        MgmConfig usual =
                MgmConfig.alone(
                        data.cluster(),
                        new MgmAddress(
                                Ports.HOST,
                                ports.xrootd(),
                                ports.http(),
                                ports.admin(),
                                ports.control()),
                        ports.raft(),
                        data.mgm(),
                        data.secret(),
                        data.adminToken());
        return new MgmConfig(
                usual.member(),
                usual.peers(),
                usual.listenHost(),
                usual.data(),
                usual.secretFile(),
                usual.adminTokenFile(),
                usual.cluster(),
                usual.siteName(),
                LEAST_FREE_BYTES,
                usual.keptEntries());
    }

    /** Ready is when a client that connects now gets its file through. */
    private static void awaitReady(Mgm mgm) throws InterruptedException {
        long deadline = System.nanoTime() + READY_LIMIT.toNanos();
        while (!isReady(mgm)) {
            if (System.nanoTime() > deadline) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        "not ready within %d s: %s; see the log"
                                .formatted(READY_LIMIT.toSeconds(), waitsFor(mgm)));
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private static boolean isReady(Mgm mgm) {
        return mgm.isLeading() && mgm.hasFst(1) && mgm.hasFst(2);
    }

    private static String waitsFor(Mgm mgm) {
        return mgm.isLeading() ? "an FST did not register" : "no leader was elected";
    }
}
