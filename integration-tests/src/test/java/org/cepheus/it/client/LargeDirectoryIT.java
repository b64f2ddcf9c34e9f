package org.cepheus.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cepheus.it.harness.CepheusUp;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.RawSocket;
import org.cepheus.it.harness.SharedUp;
import org.cepheus.it.harness.XrootdWire;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A directory of very many entries is listed in the memory of a few pages. */
class LargeDirectoryIT {
    private static final int ENTRIES = 100_000;
    private static final int AHEAD = 1_000;
    private static final Pattern HEAP_USED = Pattern.compile("heap.*? used (\\d+)K");

    /** All of it would be some 60 MiB of XML, and as much again of entries. */
    private static final long FEW_PAGES_BYTES = 12 << 20;

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    @Test
    void aListingHoldsAFewPagesForClientsThatDoNotRead() throws IOException {
        CepheusUp up = UP.get();
        makeEntries(up);
        Path listing = directory.resolve("listing");
        list(listing);
        long heap = heapBytes(up);
        double buffers = up.metric("cepheus_buffer_bytes");

        try (RawSocket one = listingUnread(up);
                RawSocket two = listingUnread(up)) {
            assertThat(one.take(1)).hasSize(1);
            assertThat(two.take(1)).hasSize(1);
            Deadline.await(
                    "no page is being made",
                    Duration.ofSeconds(20),
                    () -> heapBytes(up) - heap < FEW_PAGES_BYTES);
            assertThat(up.metric("cepheus_buffer_bytes") - buffers).isLessThan(FEW_PAGES_BYTES);
            Client.named("xrdfs").run(up.server(), "stat", "/many/0").succeeded();
        }

        list(listing);
        try (var lines = Files.lines(listing)) {
            assertThat(lines.filter(line -> line.contains("<D:response>")).count())
                    .isGreaterThan(ENTRIES / 1_000);
        }
        assertThat(count(Files.readString(listing), "<D:href>")).isEqualTo(ENTRIES + 1);
        assertThat(
                        Client.named("xrdfs")
                                .run(up.server(), "ls", "/many")
                                .succeeded()
                                .output()
                                .lines()
                                .count())
                .isEqualTo(ENTRIES);
    }

    private static void makeEntries(CepheusUp up) {
        try (XrootdWire mgm = XrootdWire.loggedIn(up.portBase())) {
            mgm.ask(new XrootdRequest.MakeDirectory(0, 0755, "/many"));
            for (int made = 0; made < ENTRIES; made += AHEAD) {
                for (int i = made; i < made + AHEAD; i++) {
                    mgm.send(
                            XrootdWire.bytes(
                                    new XrootdRequest.MakeDirectory(0, 0755, "/many/" + i)));
                }
                for (int i = 0; i < AHEAD; i++) {
                    assertThat(mgm.answer().status()).isZero();
                }
            }
        }
    }

    private static RawSocket listingUnread(CepheusUp up) {
        return RawSocket.connect(up.portBase() + 10)
                .say("PROPFIND /many HTTP/1.1\nHost: h\nDepth: 1\nContent-Length: 0\n\n");
    }

    private static void list(Path into) {
        Client.named("curl")
                .run(
                        "-sS",
                        "--fail",
                        "-X",
                        "PROPFIND",
                        "-H",
                        "Depth: 1",
                        "-o",
                        into,
                        UP.get().http("/many"))
                .succeeded();
    }

    private static long heapBytes(CepheusUp up) {
        Client jcmd = Client.ofJdk("jcmd");
        jcmd.run(up.pid(), "GC.run").succeeded();
        Matcher used = HEAP_USED.matcher(jcmd.run(up.pid(), "GC.heap_info").succeeded().output());
        assertThat(used.find()).isTrue();
        return Long.parseLong(used.group(1)) << 10;
    }

    private static int count(String text, String word) {
        int found = 0;
        for (int at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
            found++;
        }
        return found;
    }
}
