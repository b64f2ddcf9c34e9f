package org.cepheus.protocol.http;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.cepheus.domain.FstAddress;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.fuzz.StillSite;
import org.cepheus.domain.fuzz.Tap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writes down what real clients say to our servers: the corpus that the fuzz tests damage. {@code
 * -Drecord=src/test/resources/corpus -Dtest=RecordSessions}.
 */
@EnabledIfSystemProperty(named = "record", matches = ".+")
class RecordSessions {
    @TempDir private Path local;

    @Test
    void recordsWhatClientsSay() throws IOException, InterruptedException {
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        var taps = new Tap[2];
        var nowhere = new FstAddress(1, "127.0.0.1", 1, 1);
        var still = new StillSite(nowhere, StillSite::atOnce);
        HttpServer fst =
                StillServer.start(
                        loops,
                        new HttpRole.DataServer(
                                still,
                                still,
                                1,
                                () ->
                                        Optional.of(
                                                new MgmAddress(
                                                        "127.0.0.1", 1, taps[0].port(), 0, 0))));
        taps[1] = new Tap(fst.port());
        var site =
                new StillSite(new FstAddress(1, "127.0.0.1", 1, taps[1].port()), StillSite::atOnce);
        HttpServer mgm = StillServer.start(loops, new HttpRole.Manager(site, Optional::empty));
        taps[0] = new Tap(mgm.port());
        try {
            recordAll(taps);
        } finally {
            for (Tap tap : taps) {
                tap.close();
            }
            mgm.close();
            fst.close();
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    private void recordAll(Tap[] taps) throws IOException, InterruptedException {
        String file = Files.write(local.resolve("data.root"), new byte[3_000]).toString();
        String out = local.resolve("out").toString();
        for (String each :
                List.of(
                        "put -T FILE URL/dir/new.root",
                        "put-chunked -H Transfer-Encoding:chunked -H Expect:100-continue -T FILE URL/dir/new.root",
                        "put-digest -H Digest:adler32=0bb80001 -T FILE URL/dir/new.root",
                        "get URL/dir/a.root",
                        "range -r 100-199 URL/dir/a.root",
                        "head -I -H Want-Digest:crc32c URL/dir/a.root",
                        "ranges -r 0-9,20-29 URL/dir/a.root",
                        "if -H If-None-Match:\"7\" URL/dir/a.root",
                        "listing URL/dir",
                        "delete -X DELETE URL/a.txt",
                        "mkcol -X MKCOL URL/dir/x",
                        "move -X MOVE -H Destination:URL/b.txt -H Overwrite:F URL/a.txt",
                        "copy -X COPY -H Destination:URL/b.txt URL/a.txt",
                        "propfind -X PROPFIND -H Depth:1 URL/dir",
                        "lock -X LOCK URL/a.txt",
                        "options -X OPTIONS URL/")) {
            String[] words = each.split(" ", 2);
            for (int at = 0; at < 2; at++) {
                String url = "http://127.0.0.1:" + taps[at].port();
                String line = words[1].replace("URL", url).replace("FILE", file);
                record(taps, words[0] + at, ("curl -sS -L -o " + out + " " + line).split(" ", -1));
            }
        }
        for (int at = 0; at < 2; at++) {
            String url = "http://127.0.0.1:" + taps[at].port();
            record(taps, "davix-ls" + at, "davix-ls", "-l", url + "/dir");
            record(taps, "davix-put" + at, "davix-put", file, url + "/dir/n.root");
            record(taps, "davix-get" + at, "davix-get", url + "/dir/a.root", out + at);
            record(taps, "davix-mv" + at, "davix-mv", url + "/dir/a.root", url + "/dir/b.root");
            record(taps, "davix-rm" + at, "davix-rm", url + "/dir/a.root");
        }
        String remote = ":webdav,url='http://127.0.0.1:" + taps[1].port() + "':dir";
        record(taps, "rclone-ls", "rclone", "lsd", "--config", "/dev/null", remote);
        record(taps, "rclone-put", "rclone", "copy", "--config", "/dev/null", file, remote);
    }

    /** Whatever comes of the command, it was said. */
    private void record(Tap[] taps, String name, String... command)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(local.resolve("log").toFile())
                        .start();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        write(taps[0], name, "mgm");
        write(taps[1], name, "fst");
    }

    private static void write(Tap tap, String name, String server) throws IOException {
        Path directory = Files.createDirectories(Path.of(System.getProperty("record")));
        List<Tap.Session> sessions = tap.take();
        for (int i = 0; i < sessions.size(); i++) {
            Files.write(
                    directory.resolve("%s-%d-%s.client".formatted(name, i + 1, server)),
                    sessions.get(i).client());
        }
    }
}
