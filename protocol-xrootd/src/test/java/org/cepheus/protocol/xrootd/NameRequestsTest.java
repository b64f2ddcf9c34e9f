package org.cepheus.protocol.xrootd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.cepheus.domain.FsError;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.command.LeaseCommand;
import org.cepheus.protocol.xrootd.wire.ErrorCode;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.cepheus.protocol.xrootd.wire.XrootdRequest.Attributes;
import org.cepheus.protocol.xrootd.wire.XrootdRequest.Query;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests about names, as bytes: attributes, prepare, queries, truncate, signatures. */
final class NameRequestsTest {
    private TestCluster cluster;
    private RawConnection mgm;

    @BeforeEach
    void start() throws IOException {
        cluster = new TestCluster(new FakeLogin(List.of()));
        mgm = new RawConnection(cluster.mgm.port()).loggedIn();
        cluster.site.put("/a", "content".getBytes(StandardCharsets.US_ASCII));
    }

    @AfterEach
    void stop() throws IOException {
        mgm.close();
        cluster.close();
    }

    private static Bytes bytes(String text) {
        return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Attributes attributes(int action, int options, String... names) {
        return new Attributes(0, action, options, "/a", List.of(names), List.of());
    }

    private static Attributes set(String target, int options, String name, String value) {
        return new Attributes(
                0, Attributes.SET, options, target, List.of(name), List.of(bytes(value)));
    }

    private static String text(RawConnection.Answer answer) {
        assertThat(answer.status()).as(answer.decoded().toString()).isZero();
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @Test
    void attributesAreSetReadListedAndRemoved() throws IOException {
        assertThat(text(mgm.ask(set("/a", 0, "colour", "blue")))).isEqualTo("\0\1\0\0colour\0");
        assertThat(text(mgm.ask(set("/a", 0, "user.size", "")))).isEqualTo("\0\1\0\0user.size\0");

        assertThat(text(mgm.ask(attributes(Attributes.GET, 0, "colour", "none"))))
                .isEqualTo("\1\2\0\0colour\0\u000b\ufffdnone\0\0\0\0\4blue\0\0\0\0");
        assertThat(text(mgm.ask(attributes(Attributes.LIST, 0x10))))
                .isEqualTo("colour\0\0\0\0\4bluesize\0\0\0\0\0");
        assertThat(text(mgm.ask(attributes(Attributes.LIST, 0)))).isEqualTo("colour\0size\0");
        assertThat(text(mgm.ask(attributes(Attributes.DELETE, 0, "colour", "size"))))
                .isEqualTo("\0\2\0\0colour\0\0\0size\0");
        assertThat(mgm.ask(attributes(Attributes.LIST, 0)).body()).isEmpty();
    }

    @Test
    void whatCannotBeDoneToAttributesIsSaidInWords() throws IOException {
        mgm.ask(set("/a", 0, "colour", "blue"));

        assertThat(mgm.ask(set("/a", 1, "colour", "red")).errorCode())
                .isEqualTo(ErrorCode.IT_EXISTS);
        assertThat(mgm.ask(set("/none", 0, "colour", "red")).errorCode())
                .isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(mgm.ask(attributes(Attributes.DELETE, 0, "none")).errorCode())
                .isEqualTo(ErrorCode.ATTRIBUTE_NOT_FOUND);
        assertThat(text(mgm.ask(attributes(Attributes.DELETE, 0, "none", "colour"))))
                .startsWith("\1\2\u000b\ufffdnone\0\0\0colour");
        cluster.site.trouble = java.util.Optional.of(new FsError.Unavailable("election", 3));
        assertThat(mgm.ask(set("/a", 0, "colour", "red")).status()).isEqualTo(XrootdResponse.WAIT);
    }

    @Test
    void anAttributeOfTheLongestValueIsTaken() throws IOException {
        String value = "v".repeat(Attributes.MAX_VALUE_BYTES);

        assertThat(mgm.ask(set("/a", 0, "n".repeat(248), value)).status()).isZero();
        assertThat(mgm.ask(set("/a", 0, "n", value + "v")).errorCode())
                .isEqualTo(ErrorCode.ARG_INVALID);
        assertThat(mgm.ask(set("/a", 0, "n".repeat(249), "")).errorCode())
                .isEqualTo(ErrorCode.ARG_INVALID);
        assertThat(mgm.ask(new XrootdRequest.Ping()).status()).isZero();
    }

    @Test
    void openFilesHaveTheAttributesOfTheirNames() throws IOException {
        mgm.ask(set("/a", 0, "colour", "blue"));
        XrootdResponse answer = mgm.ask(new XrootdRequest.Open(0, 0x10, 0, "/a")).decoded();
        String ticket = ((XrootdResponse.Redirect) answer).opaque();
        try (RawConnection fst = new RawConnection(cluster.fst.port()).loggedIn()) {
            byte[] opened = fst.ask(new XrootdRequest.Open(0, 0x10, 0, "/a?" + ticket)).body();
            int handle = ResponseCodec.opened(Bytes.copyOf(opened)).handle();

            assertThat(
                            text(
                                    fst.ask(
                                            new Attributes(
                                                    handle,
                                                    Attributes.LIST,
                                                    0,
                                                    "",
                                                    List.of(),
                                                    List.of()))))
                    .isEqualTo("colour\0");
            assertThat(text(fst.ask(new Query(Query.FILE_INFO, handle, ""))))
                    .startsWith("oss.cgroup=default&oss.type=f&oss.used=7&");
            assertThat(fst.ask(set("", 0, "x", "y")).status()).isZero();
            assertThat(
                            fst.ask(
                                            new Attributes(
                                                    99,
                                                    Attributes.LIST,
                                                    0,
                                                    "",
                                                    List.of(),
                                                    List.of()))
                                    .errorCode())
                    .isEqualTo(ErrorCode.FILE_NOT_OPEN);
        }
    }

    @Test
    void attributesOfAnUploadAreSetWhenItsNameIsThere() throws IOException {
        XrootdResponse answer = mgm.ask(new XrootdRequest.Open(0644, 0x28, 0, "/new")).decoded();
        String ticket = ((XrootdResponse.Redirect) answer).opaque();
        try (RawConnection fst = new RawConnection(cluster.fst.port()).loggedIn()) {
            byte[] opened = fst.ask(new XrootdRequest.Open(0, 0x20, 0, "/new?" + ticket)).body();
            int handle = ResponseCodec.opened(Bytes.copyOf(opened)).handle();
            var set =
                    new Attributes(
                            handle,
                            Attributes.SET,
                            0,
                            "",
                            List.of("colour", "sys.x"),
                            List.of(bytes("blue"), bytes("y")));
            assertThat(text(fst.ask(set))).startsWith("\1\2\0\0colour\0\u000b\ufffdsys.x");
            assertThat(text(fst.ask(list(handle)))).isEqualTo("colour\0");
            assertThat(mgm.ask(set("/new", 0, "a", "b")).errorCode())
                    .isEqualTo(ErrorCode.NOT_FOUND);

            assertThat(fst.ask(new XrootdRequest.Close(handle)).status()).isZero();
        }

        var all = new Attributes(0, Attributes.LIST, 0x10, "/new", List.of(), List.of());
        assertThat(text(mgm.ask(all))).isEqualTo("colour\0\0\0\0\4blue");
    }

    private static Attributes list(int handle) {
        return new Attributes(handle, Attributes.LIST, 0, "", List.of(), List.of());
    }

    @Test
    void truncateByPathIsDoneByTheDataServer() throws IOException {
        XrootdResponse answer = mgm.ask(new XrootdRequest.Truncate(0, 3, "/a")).decoded();
        assertThat(answer).isInstanceOf(XrootdResponse.Redirect.class);
        String ticket = ((XrootdResponse.Redirect) answer).opaque();
        try (RawConnection fst = new RawConnection(cluster.fst.port()).loggedIn()) {
            assertThat(fst.ask(new XrootdRequest.Truncate(0, 3, "/a?" + ticket)).status()).isZero();
            assertThat(fst.ask(new XrootdRequest.Truncate(0, 3, "/a")).status())
                    .isEqualTo(XrootdResponse.REDIRECT);
        }

        assertThat(cluster.site.content("/a")).contains("con".getBytes(StandardCharsets.US_ASCII));
        assertThat(mgm.ask(new XrootdRequest.Truncate(0, 3, "/none")).errorCode())
                .isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void preparedFilesAreOnlineAtOnce() throws IOException {
        String id = text(mgm.ask(new XrootdRequest.Prepare(8, 1, 0, 0, "/a")));
        assertThat(id).matches("disk-[0-9a-f]{16}");

        assertThat(text(mgm.ask(new Query(Query.PREPARE, 0, id + "\n/a\n/no\"ne"))))
                .startsWith("{\"request_id\":\"" + id + "\",\"responses\":[")
                .contains("\"path\":\"/a\",\"path_exists\":true,\"on_tape\":false,\"online\":true")
                .contains("\"path\":\"/no\\\"ne\",\"path_exists\":false");
        assertThat(mgm.ask(new XrootdRequest.Prepare(1, 0, 0, 0, id)).status()).isZero();
        assertThat(mgm.ask(new XrootdRequest.Prepare(0, 0, 0, 1, "/a")).body()).isEmpty();
        assertThat(mgm.ask(new XrootdRequest.Prepare(8, 1, 0, 0, "/a\n/none")).errorCode())
                .isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(mgm.ask(new XrootdRequest.Prepare(1, 0, 0, 0, "another")).errorCode())
                .isEqualTo(ErrorCode.ARG_INVALID);
        assertThat(mgm.ask(new Query(Query.PREPARE, 0, "another")).errorCode())
                .isEqualTo(ErrorCode.ARG_INVALID);
    }

    @Test
    void queriesAreAnsweredOrRefusedClearly() throws IOException {
        assertThat(text(mgm.ask(new Query(Query.STATS, 0, "a"))))
                .startsWith("<statistics ")
                .contains("<num>1</num>");
        assertThat(text(mgm.ask(new Query(Query.ATTRIBUTES, 0, "/a"))))
                .contains("oss.type=f&oss.used=7&", "&oss.u=ann&oss.g=users&oss.fs=w");
        assertThat(text(mgm.ask(new Query(Query.FILESYSTEM_INFO, 0, "/"))))
                .contains("oss.quota=1073741824");
        assertThat(mgm.ask(new Query(Query.CHECKSUM_CANCEL, 0, "/a")).status()).isZero();
        for (int opaque : List.of(16, 32, 64)) {
            assertThat(mgm.ask(new Query(opaque, 0, "x")).decoded())
                    .isInstanceOfSatisfying(
                            XrootdResponse.Failed.class,
                            failed -> {
                                assertThat(failed.code()).isEqualTo(ErrorCode.UNSUPPORTED);
                                assertThat(failed.text()).contains("plug-in");
                            });
        }
        int visa = 8;
        assertThat(mgm.ask(new Query(visa, 0, "/a")).errorCode()).isEqualTo(ErrorCode.UNSUPPORTED);
        try (RawConnection fst = new RawConnection(cluster.fst.port()).loggedIn()) {
            for (int type : List.of(visa, 16, 32, 64)) {
                assertThat(fst.ask(new Query(type, 0, "")).errorCode())
                        .as("query %d at a data server", type)
                        .isEqualTo(ErrorCode.UNSUPPORTED);
            }
        }
    }

    /** The bits would stand above a port: collapse, recovery of writes. */
    @Test
    void redirectsSayNothingBesideTheAddress() throws IOException {
        for (int options : List.of(0x10, 0x22, 0x0120)) {
            var to =
                    (XrootdResponse.Redirect)
                            mgm.ask(new XrootdRequest.Open(0644, options, 0, "/a")).decoded();
            assertThat(to.port()).isEqualTo(cluster.fst.port());
            assertThat(to.host()).doesNotContain("?", "&");
        }
    }

    @Test
    void configurationIsTextThatCanBeParsedToItsLastByte() throws IOException {
        assertThat(text(mgm.ask(new Query(Query.CONFIG, 0, "readv_iov_max\nreadv_ior_max"))))
                .isEqualTo("1024\n2097136\n");
    }

    @Test
    void appendingChangesTheFileInPlace() throws IOException {
        assertThat(mgm.ask(new XrootdRequest.Open(0, 0x200, 0, "/a")).status())
                .isEqualTo(XrootdResponse.REDIRECT);
        assertThat(cluster.site.opens.getLast().writing()).contains(LeaseCommand.Intent.UPDATE);
    }

    @Test
    void listingsHaveChecksumsWhenAsked() throws IOException {
        cluster.site.makeDirectory("/d");

        assertThat(text(mgm.ask(new XrootdRequest.DirList(4, "/?cks.type=crc32c"))))
                .startsWith(".\n0 0 0 0\na\n")
                .containsPattern(
                        "a\\n[^\\n]+ \\[ crc32c:[0-9a-f]{8} ]\\nd\\n[^\\n]+ \\[ crc32c:none ]");
        assertThat(mgm.ask(new XrootdRequest.DirList(4, "/?cks.type=sha512")).errorCode())
                .isEqualTo(ErrorCode.UNSUPPORTED);
        assertThat(text(mgm.ask(new XrootdRequest.DirList(8, "/"))))
                .contains("a\n")
                .doesNotContain("[");
    }

    @Test
    void locateAnswersItselfInAllForms() throws IOException {
        String port = ":" + cluster.mgm.port() + "\0";
        for (int options : List.of(0, 0x80, 0x2000, 0x401, 0x501)) {
            assertThat(text(mgm.ask(new XrootdRequest.Locate(options, "*/a"))))
                    .matches("Sw(127.0.0.1|localhost)" + port);
            assertThat(text(mgm.ask(new XrootdRequest.Locate(options, "/a"))))
                    .matches("Sw(127.0.0.1|localhost)" + port);
        }
        assertThat(mgm.ask(new XrootdRequest.Locate(0, "/none")).errorCode())
                .isEqualTo(ErrorCode.NOT_FOUND);
    }

    @Test
    void signaturesAreTakenWithoutAnAnswerAndInOrder() throws IOException {
        Bytes hash = Bytes.copyOf(new byte[32]);
        mgm.send(4, new XrootdRequest.Signature(3017, 0, 0, 7, 1, hash));
        mgm.send(5, new XrootdRequest.Stat(0, 0, "/"));
        assertThat(mgm.answer()).matches(a -> a.streamId() == 5 && a.status() == 0);

        assertThat(mgm.ask(new XrootdRequest.Signature(3017, 0, 0, 7, 1, hash)).errorCode())
                .as("a number used twice")
                .isEqualTo(ErrorCode.SIGNATURE_ERROR);
        assertThat(mgm.ask(new XrootdRequest.Signature(3017, 3, 0, 8, 1, hash)).errorCode())
                .isEqualTo(ErrorCode.SIGNATURE_ERROR);
    }

    @Test
    void templatesOfOpensAreRefused() throws IOException {
        for (int more : List.of(1, 2)) {
            assertThat(mgm.ask(new XrootdRequest.Open(0644, 0x28, more, "/b")).errorCode())
                    .isEqualTo(ErrorCode.UNSUPPORTED);
        }
        assertThat(mgm.ask(new XrootdRequest.Open(0644, 0x28, 12, "/b")).status())
                .isEqualTo(XrootdResponse.REDIRECT);
    }

    @Test
    void hintsInOpenChangeNothing() throws IOException {
        int hints = 0x01 | 0x04 | 0x40 | 0x80 | 0x800 | 0x2000 | 0x4000;

        assertThat(mgm.ask(new XrootdRequest.Open(0, 0x10 | hints, 0, "/a")).status())
                .isEqualTo(XrootdResponse.REDIRECT);
        assertThat(cluster.site.opens.getLast().writing()).isEmpty();
    }

    @Test
    void whatAClientSaysOfItselfIsShownToIt() throws IOException {
        var stats = new XrootdRequest.Query(XrootdRequest.Query.STATS, 0, "a");
        assertThat(text(mgm.ask(stats))).contains("<appid></appid><note></note>");

        text(mgm.ask(new XrootdRequest.SetInfo(0, "appid my <app> " + "x".repeat(100))));
        text(mgm.ask(new XrootdRequest.SetInfo(0, "monitor info a & b\n")));

        String seen = text(mgm.ask(stats));
        assertThat(seen).contains("<appid>my &lt;app&gt; xxx", "<note>a &amp; b</note>");
        assertThat(seen).doesNotContain("x".repeat(80));
        try (RawConnection other = new RawConnection(cluster.mgm.port()).loggedIn()) {
            assertThat(text(other.ask(stats))).doesNotContain("my ");
        }
    }

    @Test
    void whatCannotBeSetIsRefused() throws IOException {
        for (String text : List.of("monitor on", "monitor on x", "monitor off")) {
            assertThat(mgm.ask(new XrootdRequest.SetInfo(0, text)).errorCode())
                    .as(text)
                    .isEqualTo(ErrorCode.UNSUPPORTED);
        }
        for (String text : List.of("", "clttl 5", "monitor", "monitor none", "\0")) {
            assertThat(mgm.ask(new XrootdRequest.SetInfo(0, text)).errorCode())
                    .as(text)
                    .isEqualTo(ErrorCode.ARG_INVALID);
        }
    }

    @Test
    void malformedAttributeRequestsAreRefusedAndTheConnectionLivesOn() throws IOException {
        byte[] good = RawConnection.bytes(9, set("/a", 0, "colour", "blue"));
        for (int cut = 25; cut < good.length; cut++) {
            ByteBuf wire = Unpooled.copiedBuffer(good, 0, cut);
            wire.setInt(20, cut - 24);
            mgm.send(ByteBufUtil.getBytes(wire));
            assertThat(mgm.answer().errorCode()).isEqualTo(ErrorCode.ARG_INVALID);
        }
        assertThat(mgm.ask(new XrootdRequest.Ping()).status()).isZero();
    }
}
