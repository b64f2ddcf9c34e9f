package org.cepheus.protocol.http;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.Identity;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.port.Admission;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.Authenticator;
import org.cepheus.domain.port.Metrics;
import org.cepheus.protocol.socket.ClientFaults;

/** A manager and a data server over the fakes, on free ports of the loopback. */
final class Site implements AutoCloseable {
    private final EventLoopGroup loops =
            new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    final MemoryData data = new MemoryData();
    final MemoryNamespace namespace = new MemoryNamespace(data);
    final HttpServer manager;
    final HttpServer fst;
    private final List<String> audited = new ArrayList<>();

    /** What was logged of the manager's clients, by a clock that stands still. */
    final List<String> faults = new CopyOnWriteArrayList<>();

    /** Memory is as short as a test says. */
    static final class SettableAdmission implements Admission {
        volatile boolean refuses;

        @Override
        public Optional<FsError> refusal() {
            return refuses
                    ? Optional.of(new FsError.Overloaded("no memory in this test", 7))
                    : Optional.empty();
        }

        @Override
        public boolean isShort() {
            return refuses;
        }
    }

    final SettableAdmission admission = new SettableAdmission();

    private Site(Duration patience, Duration hold) throws IOException {
        var config = new HttpServerConfig("127.0.0.1", 0, 20, patience, hold);
        var services =
                new HttpServices(
                        new LoopbackUser(),
                        Metrics.NONE,
                        new ListedAudit(),
                        admission,
                        new SplittableRandom(1),
                        InstantSource.system());
        manager =
                HttpServer.start(
                        config,
                        loops,
                        loops,
                        new HttpRole.Manager(namespace, namespace::fst),
                        services,
                        new ClientFaults(() -> 0, (_, line) -> faults.add(line)));
        var back = new MgmAddress("127.0.0.1", 1094, manager.port(), 0, 0);
        fst =
                HttpServer.start(
                        config,
                        loops,
                        loops,
                        new HttpRole.DataServer(data, namespace, 1, () -> Optional.of(back)),
                        services);
        namespace.redirectTo(new FstAddress(1, "127.0.0.1", 1095, fst.port()));
    }

    static Site open() throws IOException {
        return new Site(Duration.ofSeconds(20), Duration.ofSeconds(5));
    }

    static Site open(Duration patience, Duration hold) throws IOException {
        return new Site(patience, hold);
    }

    String managerUrl(String path) {
        return "http://127.0.0.1:" + manager.port() + path;
    }

    String doorUrl(String path) {
        return "http://127.0.0.1:" + fst.port() + path;
    }

    /** What was audited: {@code allowed} or {@code refused}, operation and object. */
    List<String> audited() {
        synchronized (audited) {
            return List.copyOf(audited);
        }
    }

    @Override
    public void close() {
        manager.close();
        fst.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        data.close();
    }

    private static final class LoopbackUser implements Authenticator {
        @Override
        public List<String> offers() {
            return List.of();
        }

        @Override
        public Identity authenticate(Credential credential, boolean loopback) {
            return new Identity(loopback ? "ada" : "nobody", List.of("users"), false);
        }
    }

    private final class ListedAudit implements Audit {
        @Override
        public void allowed(Caller caller, String operation, String object) {
            add("allowed " + operation + " " + object);
        }

        @Override
        public void refused(Caller caller, String operation, String object, FsError error) {
            add("refused " + operation + " " + object);
        }

        @Override
        public <T> void happened(List<T> changes, Function<? super T, Deed> shown) {
            throw new AssertionError("a server of a protocol does nothing by itself");
        }

        private void add(String line) {
            synchronized (audited) {
                audited.add(line);
            }
        }
    }
}
