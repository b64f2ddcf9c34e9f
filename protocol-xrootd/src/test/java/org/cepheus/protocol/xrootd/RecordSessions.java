package org.cepheus.protocol.xrootd;

import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.fuzz.StillSite;
import org.cepheus.domain.fuzz.Tap;
import org.cepheus.domain.port.Admission;
import org.cepheus.domain.port.Audit;
import org.cepheus.domain.port.Metrics;
import org.cepheus.protocol.socket.EpollLoops;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writes down what real clients and our servers say to each other: the corpus that the fuzz tests
 * damage. {@code -Drecord=src/test/resources/corpus -Dtest=RecordSessions}.
 */
@EnabledIfSystemProperty(named = "record", matches = ".+")
class RecordSessions {
    private static final String FILE = "data.root";

    @TempDir private Path local;

    private record Servers(XrootdServer mgm, XrootdServer fst, Tap mgmTap, Tap fstTap) {}

    @Test
    void recordsWhatClientsSay() throws IOException, InterruptedException {
        EventLoopGroup loops = EpollLoops.start(1, "record");
        try {
            Servers servers = start(loops);
            String at = "root://127.0.0.1:" + servers.mgmTap().port() + "/";
            Path file = Files.write(local.resolve(FILE), new byte[10_000]);
            record(servers, "upload", "xrdcp", "-f", file.toString(), at + "/dir/new.root");
            record(servers, "posc", "xrdcp", "--posc", file.toString(), at + "/dir/missing.root");
            record(servers, "download", "xrdcp", "-f", at + "/dir/a.root", file.toString());
            record(servers, "streams", "xrdcp", "-S", "2", "-f", at + "/a.root", file.toString());
            record(servers, "checksum", "xrdcp", "-C", "crc32c:print", "-f", at + "/a.root", "-");
            record(servers, "cat", "xrdfs", at, "cat", "/a.txt");
            record(servers, "tail", "xrdfs", at, "tail", "/a.txt");
            for (String command :
                    List.of(
                            "stat /dir",
                            "ls -l /dir",
                            "mkdir -p /dir/x",
                            "mv /a.txt /b.txt",
                            "rm /a.txt",
                            "rmdir /dir",
                            "chmod /a.txt rw-r--r--",
                            "truncate /a.txt 10",
                            "locate /a.txt",
                            "statvfs /dir",
                            "spaceinfo /dir",
                            "query config chksum",
                            "query checksum /a.txt",
                            "query space /",
                            "query stats a",
                            "query xattr /a.txt",
                            "prepare -s /a.txt",
                            "xattr /a.txt set user.colour=red",
                            "xattr /a.txt list")) {
                record(
                        servers,
                        command.replaceAll("[^a-z]+", "-").replaceAll("-$", ""),
                        ("xrdfs " + at + " " + command).split(" ", -1));
            }
            servers.mgmTap().close();
            servers.fstTap().close();
            servers.mgm().close();
            servers.fst().close();
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    private static Servers start(EventLoopGroup loops) throws IOException {
        var nowhere = new FstAddress(1, "127.0.0.1", 1, 1);
        var still = new StillSite(nowhere, StillSite::atOnce);
        var manager = new Tap[1];
        XrootdServer fst =
                server(
                        loops,
                        new XrootdRole.DataServer(
                                still,
                                still,
                                () ->
                                        Optional.of(
                                                new MgmAddress(
                                                        "127.0.0.1", manager[0].port(), 0, 0, 0))));
        var fstTap = new Tap(fst.port());
        var site =
                new StillSite(new FstAddress(1, "127.0.0.1", fstTap.port(), 0), StillSite::atOnce);
        XrootdServer mgm =
                server(loops, new XrootdRole.Manager(site, new FakeLogin(List.of("unix"))));
        manager[0] = new Tap(mgm.port());
        return new Servers(mgm, fst, manager[0], fstTap);
    }

    private static XrootdServer server(EventLoopGroup loops, XrootdRole role) throws IOException {
        var config = new XrootdServerConfig("127.0.0.1", 0, "localhost", "test");
        return XrootdServer.start(
                config,
                loops,
                loops,
                role,
                Metrics.NONE,
                Audit.NONE,
                new SplittableRandom(1),
                Admission.ALWAYS);
    }

    /** Whatever comes of the command, it was said. */
    private void record(Servers servers, String name, String... command)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(local.resolve("log").toFile())
                        .start();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        write(servers.mgmTap(), name, "mgm");
        write(servers.fstTap(), name, "fst");
    }

    private static void write(Tap tap, String name, String server) throws IOException {
        Path directory = Files.createDirectories(Path.of(System.getProperty("record")));
        List<Tap.Session> sessions = tap.take();
        for (int i = 0; i < sessions.size(); i++) {
            String base = "%s%d-%s".formatted(name, i + 1, server);
            Files.write(directory.resolve(base + ".client"), sessions.get(i).client());
            Files.write(directory.resolve(base + ".server"), sessions.get(i).server());
        }
    }
}
