package org.cepheus.it.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.RawSocket;
import org.cepheus.it.harness.RecordedSessions;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.cepheus.it.harness.XrootdWire;
import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.cepheus.protocol.xrootd.wire.RequestCodec;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that mean no good, or are badly broken, against a whole server: nothing that is stored
 * changes, nothing of the machine is kept, and the next client is served.
 */
class HostileClientsIT {
    private static final String DATA = "/safe/data";
    private static final int DATA_BYTES = 24 << 20;

    /** Names that the recorded sessions and these tests begin to write, and never finish. */
    private static final List<String> UNFINISHED =
            List.of("/safe/new", "/dir/new.root", "/dir/missing.root", "/dir/n.root");

    /** Every cut is tried so far into a session; behind it is file data. */
    private static final int HEADS_BYTES = 600;

    private static final int DATA_STEP_BYTES = 997;

    @RegisterExtension static final SharedUp UP = SharedUp.watchingBuffers();

    @TempDir static Path directory;

    private static StoredState stored;
    private static Footprint footprint;
    private static SlowClients slow;

    @BeforeAll
    static void storeSomething() {
        Sample sample = Sample.write(directory.resolve("data"), DATA_BYTES, 1);
        Sample small = Sample.write(directory.resolve("small"), 10_000, 2);
        xrdfs("mkdir", "-p", "/safe/empty");
        UP.get().cli("quota", "set", "/safe", "--bytes", "64MiB").succeeded();
        Client.named("xrdcp").run(sample.file(), UP.get().root(DATA)).succeeded();
        // What the recorded sessions name.
        for (String path : List.of("/a.txt", "/a.root", "/dir/a.root", "/dir/a.txt")) {
            Client.named("xrdcp").run("-p", small.file(), UP.get().root(path)).succeeded();
        }
        UP.get().cli("quota", "set", "/dir", "--bytes", "1TiB").succeeded();
        theNextClientsAreServed();
        stored = StoredState.of(UP.get());
        footprint = Footprint.of(UP.get());
        slow = SlowClients.start(UP.get(), DATA);
    }

    @AfterEach
    void nothingStoredHasChanged() {
        try (XrootdWire mgm = XrootdWire.loggedIn(mgm())) {
            // Ends the uploads that wait for their clients; the names have never appeared.
            UNFINISHED.forEach(path -> mgm.ask(new XrootdRequest.Remove(path)));
        }
        stored.awaitIn(UP.get());
    }

    @AfterAll
    static void nothingIsKeptAndTheNextClientsAreServed() {
        try (SlowClients all = slow) {
            all.awaitEnd();
            theNextClientsAreServed();
            footprint.awaitIn(UP.get());
        }
        // Lost buffers are noticed when they were collected and another one is made.
        Client.ofJdk("jcmd").run(UP.get().pid(), "GC.run").succeeded();
        theNextClientsAreServed();
        stored.awaitIn(UP.get());
        assertThat(UP.get().output()).doesNotContain("Exception");
        assertThat(UP.get().log()).doesNotContain("fault of ours", "LEAK:");
    }

    private static void theNextClientsAreServed() {
        Path copy = directory.resolve("copy");
        String sum = Sample.adler32Of(directory.resolve("data"));
        Client.named("xrdcp").run("-f", UP.get().root(DATA), copy).succeeded();
        assertThat(Sample.adler32Of(copy)).isEqualTo(sum);
        Client.named("curl")
                .run("-sS", "-L", "--fail", "-o", copy, UP.get().http(DATA))
                .succeeded();
        assertThat(Sample.adler32Of(copy)).isEqualTo(sum);
    }

    // ---- sessions that break off

    @Test
    void recordedXrootdSessionsMayBreakOffAnywhere() {
        var live = new LiveSessions(UP.get());
        Set<ByteBuffer> said = new HashSet<>();
        for (RecordedSessions.Session session : RecordedSessions.of("protocol-xrootd", ".client")) {
            for (int end = 0; end < session.bytes().length; end += step(end)) {
                LiveSessions.Cut cut = live.xrootd(session, end);
                if (said.add(ByteBuffer.wrap(cut.bytes()))) {
                    breakOff(cut);
                }
            }
        }
    }

    @Test
    void recordedHttpSessionsMayBreakOffAnywhere() {
        var live = new LiveSessions(UP.get());
        for (RecordedSessions.Session session : RecordedSessions.of("protocol-http", ".client")) {
            int last = LiveSessions.endOfHarmless(session);
            for (int end = 0; end < last; end += step(end)) {
                breakOff(live.http(session, end));
            }
        }
    }

    /** The server has to end it, too. */
    private static void breakOff(LiveSessions.Cut cut) {
        try (RawSocket client = RawSocket.connect(cut.port())) {
            client.send(cut.bytes()).endSending().rest();
        }
    }

    private static int step(int end) {
        return end < HEADS_BYTES ? 1 : DATA_STEP_BYTES;
    }

    // ---- numbers

    @Test
    void lengthsMayBeWrong() {
        List<XrootdRequest> requests =
                List.of(
                        new XrootdRequest.Remove(DATA),
                        new XrootdRequest.RemoveDirectory("/safe/emptyX"),
                        new XrootdRequest.MakeDirectory(0, 0755, "/safe/emptyX"),
                        new XrootdRequest.Move(DATA, "/safe/elsewhere"),
                        new XrootdRequest.Chmod(0, DATA),
                        new XrootdRequest.Truncate(0, 0, DATA),
                        new XrootdRequest.Open(0644, XrootdWire.CREATE, 0, "/none/new"),
                        new XrootdRequest.Prepare(8, 0, 0, 0, DATA),
                        new XrootdRequest.Query(XrootdRequest.Query.CHECKSUM, 0, DATA),
                        new XrootdRequest.DirList(0x0e, "/safe"));
        for (XrootdRequest request : requests) {
            byte[] frame = XrootdWire.bytes(request);
            int length = frame.length - RequestCodec.HEADER_BYTES;
            boolean mayBeShorter =
                    !(request instanceof XrootdRequest.Move)
                            && !(request instanceof XrootdRequest.RemoveDirectory);
            for (int wrong :
                    List.of(
                            -1,
                            Integer.MIN_VALUE,
                            Integer.MAX_VALUE,
                            (16 << 20) + 1,
                            length + 1,
                            mayBeShorter ? length - 1 : -length)) {
                for (int port : List.of(mgm(), mgm() + 1)) {
                    try (XrootdWire client = XrootdWire.loggedIn(port)) {
                        client.send(XrootdWire.damaged(frame, wrong)).endAndHear();
                    }
                }
            }
        }
    }

    @Test
    void dataMayBeAnnouncedAndNotCome() {
        Grant grant = grant("/safe/new", true);
        for (int announced : List.of(1, 4096, 1 << 20, Integer.MAX_VALUE, -1)) {
            for (int id : List.of(XrootdRequest.WRITE, XrootdRequest.PGWRITE)) {
                try (XrootdWire fst = XrootdWire.loggedIn(grant.port())) {
                    int handle = fst.ask(grant.open()).handle();
                    byte[] head = XrootdWire.bytes(new XrootdRequest.Write(handle, 0, 0, 0));
                    ByteBuffer.wrap(head).putShort(2, (short) id);
                    fst.send(XrootdWire.damaged(head, announced));
                    fst.send(new byte[announced == 1 ? 0 : 1_000]).endAndHear();
                }
            }
        }
    }

    @Test
    void offsetsMayBeAnything() {
        List<Long> offsets =
                List.of(-1L, Long.MIN_VALUE, 1L << 31, 1L << 40, 1L << 62, Long.MAX_VALUE);
        Grant reading = grant(DATA, false);
        Grant writing = grant("/safe/new", true);
        try (XrootdWire reader = XrootdWire.loggedIn(reading.port())) {
            int read = reader.ask(reading.open()).handle();
            for (long offset : offsets) {
                for (int length : List.of(-1, 1, 4097, Integer.MAX_VALUE)) {
                    for (int id : List.of(XrootdRequest.READ, XrootdRequest.PGREAD)) {
                        byte[] frame = XrootdWire.bytes(new XrootdRequest.Read(read, 0, 0, 0));
                        ByteBuffer.wrap(frame)
                                .putShort(2, (short) id)
                                .putLong(8, offset)
                                .putInt(16, length);
                        boolean wrong = offset < 0 || length < 0 || offset + length < 0;
                        assertThat(reader.send(frame).answer().error())
                                .as("%d of %d at %d", id, length, offset)
                                .isEqualTo(wrong ? ErrorCode.ARG_INVALID : 0);
                    }
                }
                try (XrootdWire writer = XrootdWire.loggedIn(writing.port())) {
                    int handle = writer.ask(writing.open()).handle();
                    byte[] frame = XrootdWire.bytes(new XrootdRequest.Write(handle, 0, 8, 0));
                    ByteBuffer.wrap(frame).putLong(8, offset);
                    assertThat(writer.send(frame).send(new byte[8]).answer().error())
                            .as("a write at %d", offset)
                            .isNotZero();
                }
                try (XrootdWire writer = XrootdWire.loggedIn(writing.port())) {
                    byte[] cut = XrootdWire.bytes(new XrootdRequest.Truncate(0, 0, ""));
                    ByteBuffer.wrap(cut).putLong(8, offset);
                    writer.ask(writing.open());
                    assertThat(writer.send(cut).answer().error())
                            .as("a truncate to %d", offset)
                            .isNotZero();
                }
            }
        }
    }

    // ---- requests out of their place

    private static List<XrootdRequest> allKinds(int handle) {
        return List.of(
                new XrootdRequest.Remove(DATA),
                new XrootdRequest.RemoveDirectory("/safe/empty"),
                new XrootdRequest.MakeDirectory(0, 0755, "/safe/made"),
                new XrootdRequest.Move(DATA, "/safe/moved"),
                new XrootdRequest.Chmod(0, DATA),
                new XrootdRequest.Truncate(0, 1, DATA),
                new XrootdRequest.Open(0644, XrootdWire.CREATE, 0, "/safe/new"),
                new XrootdRequest.Attributes(
                        0,
                        XrootdRequest.Attributes.SET,
                        0,
                        DATA,
                        List.of("colour"),
                        List.of(Bytes.copyOf(new byte[] {1}))),
                new XrootdRequest.StatMany(DATA),
                new XrootdRequest.Stat(0, 0, DATA),
                new XrootdRequest.DirList(0, "/"),
                new XrootdRequest.Locate(0, DATA),
                new XrootdRequest.Query(XrootdRequest.Query.CONFIG, 0, "role"),
                new XrootdRequest.Prepare(8, 0, 0, 0, DATA),
                new XrootdRequest.SetInfo(0, "appid x"),
                new XrootdRequest.Sync(handle),
                new XrootdRequest.Close(handle),
                new XrootdRequest.Read(handle, 0, 10, 0),
                new XrootdRequest.PageRead(handle, 0, 10, 0, 0),
                new XrootdRequest.ReadMany(
                        0, List.of(new XrootdRequest.ReadMany.Segment(handle, 10, 0))),
                new XrootdRequest.Truncate(handle, 1, ""));
    }

    @Test
    void nothingIsDoneBeforeTheLogin() {
        for (int port : List.of(mgm(), mgm() + 1)) {
            for (XrootdRequest request : allKinds(0)) {
                try (XrootdWire client = XrootdWire.greeted(port)) {
                    assertThat(client.ask(request).error())
                            .as(request.operation())
                            .isEqualTo(ErrorCode.INVALID_REQUEST);
                    assertThat(client.write(0, 0, new byte[10]).error())
                            .isEqualTo(ErrorCode.INVALID_REQUEST);
                }
            }
        }
    }

    @Test
    void handlesServeNobodyElseAndNothingAfterTheirClose() {
        Grant grant = grant(DATA, false);
        Grant writing = grant("/safe/new", true);
        try (XrootdWire owner = XrootdWire.loggedIn(grant.port());
                XrootdWire writer = XrootdWire.loggedIn(writing.port());
                XrootdWire foreign = XrootdWire.loggedIn(grant.port())) {
            int handle = owner.ask(grant.open()).handle();
            int upload = writer.ask(writing.open()).handle();
            assertThat(writer.write(upload, 0, new byte[10]).status()).isZero();

            assertHandlesAreNotOpen(foreign, List.of(handle, upload, -1, Integer.MAX_VALUE));
            byte[] nobody = new byte[16];
            foreign.ask(new XrootdRequest.EndSession(Bytes.copyOf(nobody)));
            assertThat(owner.ask(new XrootdRequest.Read(handle, 0, 10, 0)).body()).hasSize(10);
            assertThat(writer.write(upload, 10, new byte[10]).status()).isZero();

            assertThat(owner.ask(new XrootdRequest.Close(handle)).status()).isZero();
            assertHandlesAreNotOpen(owner, List.of(handle));
        }
    }

    private static void assertHandlesAreNotOpen(XrootdWire client, List<Integer> handles) {
        for (int handle : handles) {
            for (XrootdRequest request : allKinds(handle)) {
                boolean isOfHandle =
                        switch (request) {
                            case XrootdRequest.Sync _,
                                    XrootdRequest.Close _,
                                    XrootdRequest.Read _,
                                    XrootdRequest.PageRead _,
                                    XrootdRequest.ReadMany _ ->
                                    true;
                            case XrootdRequest.Truncate(_, _, String path) -> path.isEmpty();
                            default -> false;
                        };
                if (isOfHandle) {
                    assertThat(client.ask(request).error())
                            .as("%s of %d", request.operation(), handle)
                            .isEqualTo(ErrorCode.FILE_NOT_OPEN);
                }
            }
            assertThat(client.write(handle, 0, new byte[10]).error())
                    .isEqualTo(ErrorCode.FILE_NOT_OPEN);
        }
    }

    // ---- too much at once, or too little

    @Test
    void aThousandRequestsSentAheadAreAnswered() {
        Grant grant = grant(DATA, false);
        try (XrootdWire mgm = XrootdWire.loggedIn(mgm());
                XrootdWire fst = XrootdWire.loggedIn(grant.port());
                RawSocket http = RawSocket.connect(mgm() + 10)) {
            byte[] stat = XrootdWire.bytes(new XrootdRequest.Stat(0, 0, DATA));
            int handle = fst.ask(grant.open()).handle();
            byte[] read = XrootdWire.bytes(new XrootdRequest.Read(handle, 5, 1_000, 0));
            for (int i = 0; i < 1_000; i++) {
                mgm.send(stat);
                fst.send(read);
            }
            http.say("HEAD %s HTTP/1.1\nHost: h\n\n".formatted(DATA).repeat(1_000));

            for (int i = 0; i < 1_000; i++) {
                assertThat(mgm.answer().status()).as("stat %d", i).isZero();
                assertThat(fst.answer().body()).as("read %d", i).hasSize(1_000);
                assertThat(http.head()).as("HEAD %d", i).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    @Test
    void halfClosedConnectionsEnd() {
        Grant grant = grant("/safe/new", true);
        try (XrootdWire mgm = XrootdWire.loggedIn(mgm());
                XrootdWire fst = XrootdWire.loggedIn(grant.port());
                RawSocket get = RawSocket.connect(mgm() + 11);
                RawSocket put = RawSocket.connect(mgm() + 11)) {
            mgm.send(XrootdWire.bytes(new XrootdRequest.DirList(0x0e, "/safe"))).endAndHear();
            int handle = fst.ask(grant.open()).handle();
            fst.write(handle, 0, new byte[100]);
            fst.endAndHear();
            get.say("GET %s HTTP/1.1\nHost: h\n\n".formatted(DATA)).endSending().rest();
            put.say("PUT /safe/new HTTP/1.1\nHost: h\nContent-Length: 100\n\nabc");
            put.endSending().rest();
        }
    }

    @Test
    void floodsOfHeadersAreRefused() {
        for (int port : List.of(mgm() + 10, mgm() + 11)) {
            assertThat(answer(port, "GET / HTTP/1.1\nHost: h\n" + "X: y\n".repeat(50_000) + "\n"))
                    .contains(" 431 ");
            assertThat(answer(port, "GET / HTTP/1.1\nX: " + "y".repeat(1 << 20) + "\n\n"))
                    .contains(" 431 ");
            assertThat(answer(port, "GET /" + "y".repeat(1 << 20) + " HTTP/1.1\n\n"))
                    .contains(" 414 ");
            assertThat(answer(port, "\n".repeat(100_000) + "GET / HTTP/1.1\nX")).contains(" 414 ");
        }
    }

    @Test
    void bodiesWhoseLengthCannotBeTrustedLeaveNothing() {
        String put = "PUT /safe/new HTTP/1.1\nHost: h\n";
        for (String rest :
                List.of(
                        "Content-Length: -1\n\nabc",
                        "Content-Length: 3\nContent-Length: 4\n\nabc",
                        "Content-Length: 3\nTransfer-Encoding: chunked\n\n3\nabc\n0\n\n",
                        "Content-Length: 99999999999999999999\n\nabc",
                        "Content-Length: 9223372036854775807\n\nabc",
                        "Content-Length: 0x3\n\nabc",
                        "Transfer-Encoding: chunked\n\n-1\nabc\n0\n\n",
                        "Transfer-Encoding: chunked\n\nffffffffffffffffff\nabc\n0\n\n",
                        "Transfer-Encoding: chunked\n\n7fffffff\nabc\n0\n\n",
                        "Transfer-Encoding: chunked\n\n3;" + "x".repeat(100_000) + "\nabc\n0\n\n",
                        "Transfer-Encoding: chunked\n\n3\nabcdef\n0\n\n",
                        "Transfer-Encoding: gzip, chunked\n\n3\nabc\n0\n\n",
                        "Transfer-Encoding: chunked, chunked\n\n3\nabc\n0\n\n")) {
            String answer = lastAnswer(mgm() + 11, put + rest);
            assertThat(answer).as(rest).doesNotStartWith("HTTP/1.1 2");
        }
    }

    // ---- paths that lead out

    @Test
    void noPathLeadsOutOfTheNamespace() {
        List<String> paths =
                List.of(
                        "/..",
                        "/../..",
                        "/../etc/passwd",
                        "/safe/../../etc/passwd",
                        "/safe/..",
                        "/safe/../safe/data",
                        "//..//..//etc/passwd",
                        "/./../etc/passwd");
        try (XrootdWire mgm = XrootdWire.loggedIn(mgm())) {
            for (String path : paths) {
                for (XrootdRequest request :
                        List.of(
                                new XrootdRequest.Stat(0, 0, path),
                                new XrootdRequest.DirList(0, path),
                                new XrootdRequest.Remove(path),
                                new XrootdRequest.MakeDirectory(1, 0755, path),
                                new XrootdRequest.Move(DATA, path),
                                new XrootdRequest.Open(0644, XrootdWire.CREATE | 0x100, 0, path))) {
                    assertThat(mgm.ask(request).error())
                            .as("%s %s", request.operation(), path)
                            .isEqualTo(ErrorCode.ARG_INVALID);
                }
            }
        }
        for (String path : paths) {
            for (String dots : List.of("..", "%2e%2e", "%2E.", ".%2e")) {
                for (String slash : List.of("/", "%2f", "%2F")) {
                    assertLeadsNowhere(path.replace("..", dots).replace("/", slash), " 400 ");
                }
            }
        }
    }

    /** What is not a dot or a slash after decoding once is a strange name, or not UTF-8. */
    @Test
    void otherSpellingsOfDotsAreNames() {
        for (String dots :
                List.of("%252e%252e", "..%5c..", "..\\..", "%uff0e%uff0e", "..;", "...", ".. ")) {
            assertLeadsNowhere("/" + dots.replace(" ", "%20") + "/etc/passwd", " 40");
        }
        for (String bytes :
                List.of("%c0%ae%c0%ae", "%e0%80%ae%e0%80%ae", "%c0%af", "%ff", "..%00", "%0a")) {
            assertLeadsNowhere("/" + bytes + "/etc/passwd", " 400 ");
            assertLeadsNowhere("/safe/" + bytes, " 400 ");
        }
    }

    private static void assertLeadsNowhere(String path, String status) {
        for (int port : List.of(mgm() + 10, mgm() + 11)) {
            for (String method :
                    List.of("GET", "HEAD", "PUT", "DELETE", "MKCOL", "PROPFIND", "PROPPATCH")) {
                String rest = " HTTP/1.1\nHost: h\nDepth: 1\nContent-Length: 0\n\n";
                // 405 and 409 say as well that nothing was done.
                assertThat(answer(port, method + " " + path + rest))
                        .as("%s %s", method, path)
                        .startsWith("HTTP/1.1" + status);
            }
            // An MGM sends a COPY to an FST before it looks at where it leads.
            for (String method : port == mgm() + 10 ? List.of("MOVE") : List.of("MOVE", "COPY")) {
                String answer =
                        answer(
                                port,
                                "%s %s HTTP/1.1\nHost: 127.0.0.1:%d\nDestination: http://127.0.0.1:%d%s\n\n"
                                        .formatted(method, DATA, port, port, path));
                assertThat(answer).as("%s to %s", method, path).startsWith("HTTP/1.1 4");
            }
        }
    }

    // ---- words

    private static Grant grant(String path, boolean writing) {
        return Grant.of(UP.get(), path, writing);
    }

    /** The head of the answer. */
    private static String answer(int port, String request) {
        try (RawSocket client = RawSocket.connect(port)) {
            return client.say(request).head();
        }
    }

    /** What is answered to a client that says no more. */
    private static String lastAnswer(int port, String request) {
        try (RawSocket client = RawSocket.connect(port)) {
            return client.say(request).endSending().restAsText();
        }
    }

    private static int mgm() {
        return UP.get().portBase();
    }

    private static void xrdfs(String... arguments) {
        Object[] all = new Object[arguments.length + 1];
        all[0] = UP.get().server();
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        Client.named("xrdfs").run(all).succeeded();
    }
}
