package org.cepheus.admin;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.Metrics;
import org.cepheus.runtime.HealthRegistry;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The admin port of one process: {@code /health}, {@code /metrics} and, at an MGM, the REST API.
 * Handlers run on virtual threads, because they wait for the namespace.
 */
public final class AdminServer implements AutoCloseable {
    /** The most connections at once; more are not accepted until one ends. */
    static final int MAX_CONNECTIONS = 256;

    private static final int MAX_THREADS = 16;
    private static final long IDLE_MILLIS = 60_000;
    private static final long SHUTDOWN_IDLE_MILLIS = 50;
    private static final long STOP_MILLIS = 2_000;

    /** What anybody may look at: health, and counters from loopback. */
    public record Watched(HealthRegistry health, Supplier<String> prometheusText) {}

    /** Where requests are counted, and refusals written down. */
    public record Books(Metrics metrics, Audit audit) {}

    /** What needs the token. */
    public record Operated(AdminToken token, RestApi api) {}

    private final Server server;
    private final ServerConnector connector;
    private final Runnable beforeStop;

    private AdminServer(Server server, ServerConnector connector, Runnable beforeStop) {
        this.server = server;
        this.connector = connector;
        this.beforeStop = beforeStop;
    }

    /**
     * Opens the port and answers from then on.
     *
     * @param operated absent at a process without a namespace (an FST)
     * @param traces for the trace ids of requests
     * @throws IOException if the port cannot be opened
     */
    public static AdminServer start(
            AdminConfig config,
            Watched watched,
            Optional<Operated> operated,
            Books books,
            RandomGenerator traces)
            throws IOException {
        var threads = new QueuedThreadPool(MAX_THREADS, 2);
        threads.setName("admin");
        threads.setDaemon(true);
        threads.setVirtualThreadsExecutor(
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("admin-request-", 0).factory()));
        var server = new Server(threads);
        var connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http()));
        connector.setHost(config.host());
        connector.setPort(config.port());
        connector.setIdleTimeout(IDLE_MILLIS);
        connector.setShutdownIdleTimeout(SHUTDOWN_IDLE_MILLIS);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(MAX_CONNECTIONS, server));
        server.setHandler(new AdminHandler(watched, operated, books, traces));
        server.setErrorHandler(new JettyErrors(traces));
        server.setStopTimeout(STOP_MILLIS);
        return started(
                new AdminServer(
                        server, connector, () -> operated.ifPresent(each -> each.api().close())));
    }

    private static AdminServer started(AdminServer admin) throws IOException {
        try {
            admin.server.start();
            return admin;
        } catch (Exception e) { // What Jetty declares.
            admin.close();
            throw e instanceof IOException io ? io : new IOException(e);
        }
    }

    private static HttpConfiguration http() {
        var http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        return http;
    }

    /** The port that was opened. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Ends running requests after a short while and closes the port. */
    @Override
    public void close() throws IOException {
        beforeStop.run();
        try {
            server.stop();
        } catch (Exception e) { // What Jetty declares.
            throw new IOException("the admin port did not stop", e);
        }
    }
}
