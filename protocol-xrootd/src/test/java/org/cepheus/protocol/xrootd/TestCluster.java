package org.cepheus.protocol.xrootd;

import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.port.Admission;
import org.cepheus.domain.port.Authenticator;
import org.cepheus.protocol.socket.ClientFaults;
import org.cepheus.protocol.socket.EpollLoops;

/** A manager and a data server of one {@link MemorySite} on free ports of loopback. */
final class TestCluster implements AutoCloseable {
    static final Duration LATE_AFTER = Duration.ofMillis(300);

    final CountingMetrics metrics = new CountingMetrics();
    final RecordingAudit audit = new RecordingAudit();
    final MemorySite site = new MemorySite();

    /** What was logged of clients, by servers whose clock stands still. */
    final List<String> faults = new CopyOnWriteArrayList<>();

    final EventLoopGroup loops = EpollLoops.start(2, "test-xrootd");
    final XrootdServer mgm;
    final XrootdServer fst;
    private final Patience patience;
    private final SettableAdmission admission = new SettableAdmission();

    /** Memory is as short as a test says. */
    static final class SettableAdmission implements Admission {
        volatile boolean refuses;
        volatile boolean isShort;

        @Override
        public Optional<FsError> refusal() {
            return refuses
                    ? Optional.of(new FsError.Overloaded("no memory in this test", 7))
                    : Optional.empty();
        }

        @Override
        public boolean isShort() {
            return isShort;
        }
    }

    TestCluster() throws IOException {
        this(new FakeLogin(List.of("unix")));
    }

    TestCluster(Authenticator login) throws IOException {
        this(login, Patience.USUAL);
    }

    TestCluster(Authenticator login, Patience patience) throws IOException {
        this.patience = patience;
        mgm = start(new XrootdRole.Manager(site, login));
        fst = start(new XrootdRole.DataServer(site, site, this::manager));
        site.fst = new FstAddress(1, "127.0.0.1", fst.port(), 0);
    }

    private Optional<MgmAddress> manager() {
        return Optional.of(new MgmAddress("127.0.0.1", mgm.port(), 0, 0, 0));
    }

    private XrootdServer start(XrootdRole role) throws IOException {
        var config = new XrootdServerConfig("127.0.0.1", 0, "localhost", "test");
        var sessions = new Sessions(new SplittableRandom(1));
        var context =
                new ServerContext(
                        config,
                        metrics,
                        audit,
                        sessions,
                        LATE_AFTER,
                        patience,
                        admission,
                        new ClientFaults(() -> 0, (_, line) -> faults.add(line)));
        return XrootdServer.start(context, loops, loops, role);
    }

    SettableAdmission admission() {
        return admission;
    }

    @Override
    public void close() {
        fst.close();
        mgm.close();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
