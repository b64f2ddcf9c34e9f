package org.cepheus.it.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.RawSocket;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.cepheus.it.harness.XrootdWire;
import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tickets that are not good here, or not any more, open nothing and change nothing. */
class StolenTicketsIT {
    private static final String DATA = "/safe/data";
    private static final String NEW = "/safe/new";
    private static final int BYTES = 100_000;

    @RegisterExtension static final SharedUp UP = SharedUp.watchingBuffers();

    @TempDir static Path directory;

    private Forger forger;
    private StoredState stored;

    @BeforeAll
    static void storeSomething() {
        Sample sample = Sample.write(directory.resolve("data"), BYTES, 1);
        for (String path : List.of(DATA, "/safe/other")) {
            Client.named("xrdcp").run("-p", sample.file(), UP.get().root(path)).succeeded();
        }
        UP.get().cli("quota", "set", "/safe", "--bytes", "64MiB").succeeded();
    }

    @BeforeEach
    void look() {
        forger = new Forger(UP.get());
        Deadline.await(
                "the data of removed files is deleted",
                Duration.ofSeconds(30),
                () -> UP.get().dataFiles().size() == UP.get().names("/safe").size());
        stored = StoredState.of(UP.get());
    }

    @AfterEach
    void nothingStoredHasChanged() {
        remove(NEW);
        stored.awaitIn(UP.get());
    }

    @Test
    void anExpiredTicketLeadsBackToTheMgm() {
        for (boolean writing : List.of(false, true)) {
            Grant grant = grant(writing);
            String expired = forger.expired(grant);

            assertThat(open(grant.port(), grant.path(), expired).status())
                    .isEqualTo(XrootdResponse.REDIRECT);
            assertThat(http(grant.httpPort(), grant.path(), expired, writing))
                    .startsWith("HTTP/1.1 307 ")
                    .doesNotContain("cph.tkt");
        }
    }

    @Test
    void aForgedTicketOpensNothing() {
        for (boolean writing : List.of(false, true)) {
            Grant grant = grant(writing);
            List<String> forged = forgeries(grant.ticket());
            forged.add(forger.underAnotherSecret(grant));
            forged.add(forger.ofAnotherCluster(grant));
            try (XrootdWire fst = XrootdWire.loggedIn(grant.port())) {
                for (String ticket : forged) {
                    assertThat(fst.ask(opening(grant.path(), ticket)).error())
                            .as(ticket)
                            .isEqualTo(ErrorCode.NOT_AUTHORIZED);
                }
            }
            for (String ticket : forged) {
                assertThat(http(grant.httpPort(), grant.path(), ticket, writing))
                        .as(ticket)
                        .startsWith("HTTP/1.1 403 ");
            }
            assertThat(open(grant.port(), grant.path(), "1." + "A".repeat(60_000)).error())
                    .isEqualTo(ErrorCode.NOT_AUTHORIZED);
        }
    }

    /** Every character changed, and every beginning. */
    private static List<String> forgeries(String ticket) {
        var forged = new ArrayList<String>();
        for (int i = 0; i < ticket.length(); i++) {
            char other = ticket.charAt(i) == 'A' ? 'B' : 'A';
            forged.add(ticket.substring(0, i) + other + ticket.substring(i + 1));
            if (i > 0) {
                forged.add(ticket.substring(0, i));
            }
        }
        forged.add(ticket + "A");
        forged.add(ticket + "=");
        forged.add(ticket.toLowerCase(Locale.ROOT));
        return forged;
    }

    @Test
    void aTicketForAnotherFileOpensNothing() {
        for (boolean writing : List.of(false, true)) {
            Grant grant = grant(writing);

            assertThat(open(grant.port(), "/safe/other", grant.ticket()).error())
                    .isEqualTo(ErrorCode.NOT_AUTHORIZED);
            try (XrootdWire fst = XrootdWire.loggedIn(grant.port())) {
                assertThat(
                                fst.ask(
                                                new XrootdRequest.Truncate(
                                                        0, 0, "/safe/other?" + grant.opaque()))
                                        .error())
                        .isEqualTo(ErrorCode.NOT_AUTHORIZED);
            }
            assertThat(http(grant.httpPort(), "/safe/other", grant.ticket(), writing))
                    .startsWith("HTTP/1.1 307 ")
                    .contains("/safe/other")
                    .doesNotContain("cph.tkt");
        }
    }

    @Test
    void aTicketToReadWritesNothing() {
        Grant grant = grant(false);
        try (XrootdWire fst = XrootdWire.loggedIn(grant.port())) {
            int handle = fst.ask(grant.open()).handle();

            assertThat(fst.write(handle, 0, new byte[10]).error()).isNotZero();
            assertThat(fst.ask(new XrootdRequest.Truncate(handle, 1, "")).error()).isNotZero();
            assertThat(fst.ask(new XrootdRequest.Truncate(0, 1, grant.target())).error())
                    .isNotZero();
            assertThat(fst.ask(new XrootdRequest.Close(handle)).status()).isZero();
        }
        assertThat(http(grant.httpPort(), DATA, grant.ticket(), true))
                .startsWith("HTTP/1.1 307 ")
                .doesNotContain("cph.tkt");
    }

    @Test
    void aTicketForAnotherFstOpensNothing() {
        for (boolean writing : List.of(false, true)) {
            Grant grant = grant(writing);
            int mgm = UP.get().portBase();
            int other = grant.port() == mgm + 1 ? mgm + 2 : mgm + 1;

            assertThat(open(other, grant.path(), grant.ticket()).error())
                    .isEqualTo(ErrorCode.NOT_AUTHORIZED);
            assertThat(http(other + 10, grant.path(), grant.ticket(), writing))
                    .startsWith("HTTP/1.1 403 ");
        }
    }

    @Test
    void theTicketOfAnAbortedUploadWritesNothing() {
        Grant grant = grant(true);
        write(grant, new byte[5_000]);
        remove(NEW);

        assertThat(writeAndClose(grant)).isNotZero();
        assertThat(http(grant.httpPort(), NEW, grant.ticket(), true))
                .doesNotStartWith("HTTP/1.1 2");
    }

    @Test
    void theTicketOfAForgottenLeaseWritesNothing() {
        Grant grant = grant(true);
        String ticket = forger.ofAForgottenLease(grant);

        assertThat(writeAndClose(new Grant(NEW, grant.port(), "cph.tkt=" + ticket))).isNotZero();
        assertThat(http(grant.httpPort(), NEW, ticket, true)).doesNotStartWith("HTTP/1.1 2");
    }

    @Test
    void theTicketOfACommittedUploadChangesNothingEvenAfterARestart() {
        Grant grant = grant(true);
        assertThat(writeAndClose(grant)).isZero();
        StoredState committed = StoredState.of(UP.get());

        replay(grant);
        committed.awaitIn(UP.get());
        UP.get().kill();
        UP.get().restart();
        replay(grant);

        committed.awaitIn(UP.get());
        Client.named("xrdcp").run("-f", UP.get().root(NEW), directory.resolve("copy")).succeeded();
        remove(NEW);
        stored = StoredState.of(UP.get());
    }

    /** Everything that could change a content by the ticket that made it. */
    private static void replay(Grant grant) {
        try (XrootdWire fst = XrootdWire.loggedIn(grant.port())) {
            XrootdWire.Answer opened = fst.ask(grant.open());
            if (opened.error() == 0) {
                int handle = opened.handle();
                assertThat(fst.write(handle, 0, new byte[] {1, 2, 3}).error()).isNotZero();
                fst.ask(new XrootdRequest.Truncate(handle, 1, ""));
                fst.ask(new XrootdRequest.Close(handle));
            }
        }
        try (XrootdWire fst = XrootdWire.loggedIn(grant.port())) {
            fst.ask(new XrootdRequest.Truncate(0, 1, grant.target()));
        }
        http(grant.httpPort(), grant.path(), grant.ticket(), true);
    }

    // ---- words

    private static Grant grant(boolean writing) {
        return Grant.of(UP.get(), writing ? NEW : DATA, writing);
    }

    private static void remove(String path) {
        try (XrootdWire mgm = XrootdWire.loggedIn(UP.get().portBase())) {
            mgm.ask(new XrootdRequest.Remove(path));
        }
    }

    private static XrootdRequest.Open opening(String path, String ticket) {
        return new XrootdRequest.Open(0, 0, 0, path + "?cph.tkt=" + ticket);
    }

    private static XrootdWire.Answer open(int port, String path, String ticket) {
        try (XrootdWire fst = XrootdWire.loggedIn(port)) {
            return fst.ask(opening(path, ticket));
        }
    }

    private static void write(Grant grant, byte[] data) {
        try (XrootdWire fst = XrootdWire.loggedIn(grant.port())) {
            int handle = fst.ask(grant.open()).handle();
            assertThat(fst.write(handle, 0, data).status()).isZero();
        }
    }

    /** The first error on the way, or 0. */
    private static int writeAndClose(Grant grant) {
        try (XrootdWire fst = XrootdWire.loggedIn(grant.port())) {
            XrootdWire.Answer opened = fst.ask(grant.open());
            if (opened.error() != 0) {
                return opened.error();
            }
            int written = fst.write(opened.handle(), 0, new byte[5_000]).error();
            int closed = fst.ask(new XrootdRequest.Close(opened.handle())).error();
            return written != 0 ? written : closed;
        }
    }

    /** The head of the answer to a GET or a PUT. */
    private static String http(int port, String path, String ticket, boolean writing) {
        String method = writing ? "PUT" : "GET";
        String length = writing ? "Content-Length: 3\n" : "";
        String body = writing ? "abc" : "";
        try (RawSocket client = RawSocket.connect(port)) {
            return client.say(
                            "%s %s?cph.tkt=%s HTTP/1.1\nHost: h\n%s\n%s"
                                    .formatted(method, path, ticket, length, body))
                    .head();
        }
    }
}
