package org.cepheus.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import org.cepheus.admin.AdminConfig;
import org.cepheus.admin.AdminServer;
import org.cepheus.auth.LoopbackAuthenticator;
import org.cepheus.cli.CommandFailure;
import org.cepheus.cli.ExitCode;
import org.cepheus.domain.FsException;
import org.cepheus.domain.port.AccessPolicy;
import org.cepheus.domain.port.Metrics;
import org.cepheus.fst.Fst;
import org.cepheus.fst.FstConfig;
import org.cepheus.fst.FstServices;
import org.cepheus.mgm.Mgm;
import org.cepheus.mgm.MgmConfig;
import org.cepheus.mgm.raft.Fatal;
import org.cepheus.runtime.HealthCode;
import org.cepheus.runtime.HealthRegistry.Result;
import org.cepheus.runtime.Lifecycle;

/** Starts the servers of a process, and runs one of them until the process is told to end. */
final class Servers {
    private Servers() {}

    /** What a process does until it is told to end; it prints when it is ready. */
    interface Body {
        void start(Engine engine) throws Exception;
    }

    static int runMgm(MgmFile file, PrintWriter out) throws Exception {
        ServerLog.toTerminal(file.logFormat());
        Files.createDirectories(file.data());
        return run(
                new Lifecycle(),
                file.member(),
                file.auditFile(),
                file.bufferLimitBytes(),
                engine -> {
                    startMgm(file.config(), engine);
                    out.println("ready");
                });
    }

    static int runFst(FstFile file, boolean initialise, PrintWriter out) throws Exception {
        ServerLog.toTerminal(file.logFormat());
        return run(
                new Lifecycle(),
                fstName(file.id()),
                file.auditFile(),
                file.bufferLimitBytes(),
                engine -> {
                    Fst fst = startFst(file.config(initialise), engine, engine.metrics());
                    openWatched(file, fst, engine);
                    out.println("ready");
                });
    }

    /** Health and metrics of an FST that has a process of its own. */
    private static void openWatched(FstFile file, Fst fst, Engine engine) throws Exception {
        engine.health()
                .register(
                        "mgm",
                        () ->
                                fst.isConnected()
                                        ? Result.ok("connected to the leader")
                                        : Result.found(
                                                HealthCode.NO_MGM,
                                                "none of %s takes this FST in"
                                                        .formatted(file.mgms())));
        var admin = new AdminConfig(file.host(), file.admin());
        var watched = new AdminServer.Watched(engine.health(), engine.metrics()::prometheusText);
        engine.parts()
                .start(
                        "admin port",
                        () ->
                                AdminServer.start(
                                        admin,
                                        watched,
                                        Optional.empty(),
                                        new AdminServer.Books(engine.metrics(), engine.audit()),
                                        engine.random()));
    }

    static String fstName(int id) {
        return "fst" + id;
    }

    static Fst startFst(FstConfig config, Engine engine, Metrics metrics) throws Exception {
        var services =
                new FstServices(
                        engine.acceptors(),
                        engine.workers(),
                        new LoopbackAuthenticator(engine.starter()),
                        metrics,
                        engine.audit(),
                        engine.admission(),
                        engine.random(),
                        InstantSource.system());
        return engine.parts().start(fstName(config.fstId()), () -> Fst.start(config, services));
    }

    static Mgm startMgm(MgmConfig config, Engine engine) throws Exception {
        Mgm mgm =
                engine.parts()
                        .start(
                                config.member(),
                                () ->
                                        Mgm.start(
                                                config,
                                                new Mgm.Surroundings(
                                                        engine.acceptors(),
                                                        engine.workers(),
                                                        new LoopbackAuthenticator(engine.starter()),
                                                        AccessPolicy.POSIX_ONLY,
                                                        engine.starter(),
                                                        engine.metrics(),
                                                        engine.audit(),
                                                        engine.admission(),
                                                        engine.health(),
                                                        engine.metrics()::prometheusText,
                                                        engine.random(),
                                                        Fatal.HALT)));
        new ClusterHealth(mgm.operators()).registerIn(engine.health());
        return mgm;
    }

    /**
     * Starts an engine and what runs on it, and waits until the process is told to end.
     *
     * @param parts may hold what was opened before; stopped at the end of the process
     * @param bufferLimitBytes as the engine takes it
     * @throws CommandFailure with the one sentence of what could not be started
     */
    static int run(
            Lifecycle parts, String part, Path audit, OptionalLong bufferLimitBytes, Body body)
            throws Exception {
        Shutdown shutdown = Shutdown.of(parts);
        try {
            body.start(Engine.start(parts, part, audit, bufferLimitBytes));
        } catch (FsException | IOException | IllegalStateException e) {
            if (shutdown.isAsked()) {
                return ExitCode.OK;
            }
            throw refusal(e);
        }
        shutdown.await();
        return ExitCode.OK;
    }

    private static Exception refusal(Exception failure) {
        return switch (failure) {
            case FsException known -> new CommandFailure(ExitCode.FAILED, known.error().message());
            case IOException io ->
                    new CommandFailure(ExitCode.FAILED, String.valueOf(io.getMessage()));
            default -> failure;
        };
    }
}
