package org.cepheus.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.cepheus.domain.Checksum;
import org.cepheus.domain.ChecksumType;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an FST answers to tickets and at its door, byte by byte. */
final class DataServerTest {
    private Site site;
    private final byte[] content = new byte[3_000_000];

    @BeforeEach
    void start() throws IOException {
        site = Site.open();
        new Random(7).nextBytes(content);
        site.namespace.directory("/d");
        site.namespace.file("/d/f", content);
    }

    @AfterEach
    void stop() {
        site.close();
    }

    private String readTicket() {
        FsPath path = FsPath.parse("/d/f");
        return site.data.grantReading(path, site.namespace.node(path));
    }

    private String writeTicket(OptionalLong declared) {
        return site.data.grantWriting(FsPath.parse("/d/new"), 77, declared);
    }

    private Raw.Answer ask(String head) throws IOException {
        return Raw.ask(site.fst, head + "\nHost: h\n\n");
    }

    static void waitFor(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("deadline of: " + what).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    // ---- reading

    @Test
    void servesATicketAndIgnoresWhoeverBringsIt() throws IOException {
        Raw.Answer answer =
                ask(
                        "GET /d/f?cph.tkt="
                                + readTicket()
                                + " HTTP/1.1\nAuthorization: Bearer nonsense");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.bytes()).isEqualTo(content);
        assertThat(answer.header("X-Trace-Id")).isEqualTo(MemoryData.TICKET_TRACE.toString());
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        waitFor("the file is closed", () -> site.data.openFiles() == 0);
    }

    @ParameterizedTest
    @CsvSource({
        "0-0, 0, 1",
        "0-99, 0, 100",
        "2999999-, 2999999, 1",
        "524288-1572863, 524288, 1048576",
        "524287-524289, 524287, 3",
        "-5, 2999995, 5",
        "-9999999999, 0, 3000000",
        "10-99999999999, 10, 2999990",
    })
    void servesExactlyTheRangeAskedFor(String range, int offset, int length) throws IOException {
        Raw.Answer answer =
                ask("GET /d/f?cph.tkt=" + readTicket() + " HTTP/1.1\nRange: bytes=" + range);

        assertThat(answer.status()).isEqualTo(206);
        assertThat(answer.header("Content-Range"))
                .isEqualTo("bytes %d-%d/3000000".formatted(offset, offset + length - 1));
        assertThat(answer.bytes()).isEqualTo(Arrays.copyOfRange(content, offset, offset + length));
    }

    @ParameterizedTest
    @CsvSource({"bytes=3000000-", "bytes=5000000-6000000", "bytes=-0"})
    void saysHowLongTheFileIsWhenTheRangeLiesBehindIt(String range) throws IOException {
        Raw.Answer answer = ask("GET /d/f?cph.tkt=" + readTicket() + " HTTP/1.1\nRange: " + range);

        assertThat(answer.status()).isEqualTo(416);
        assertThat(answer.header("Content-Range")).isEqualTo("bytes */3000000");
        assertThat(site.data.openFiles()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"bytes=9-3", "bytes=a-b", "bytes=-", "lines=1-2", "bytes"})
    void servesTheWholeFileForRangesItDoesNotKnow(String range) throws IOException {
        Raw.Answer answer = ask("HEAD /d/f?cph.tkt=" + readTicket() + " HTTP/1.1\nRange: " + range);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Length")).isEqualTo("3000000");
    }

    @Test
    void servesARangeOnlyOfTheSameContent() throws IOException {
        String tag = ask("HEAD /d/f HTTP/1.1").header("ETag");
        String get = "GET /d/f HTTP/1.1\nRange: bytes=0-1\nIf-Range: ";

        assertThat(ask(get + tag).status()).isEqualTo(206);
        assertThat(ask(get + "\"other\"").status()).isEqualTo(200);
        assertThat(ask("GET /d/f HTTP/1.1\nIf-None-Match: " + tag).status()).isEqualTo(304);
    }

    @Test
    void givesTheDigestToATicketToo() throws IOException {
        String adler = MemoryData.checksums(content).getFirst().hex();

        Raw.Answer answer =
                ask("HEAD /d/f?cph.tkt=" + readTicket() + " HTTP/1.1\nWant-Digest: ADLER32");

        assertThat(answer.header("Digest")).isEqualTo("adler32=" + adler);
    }

    @Test
    void givesNoDigestOfAnotherContent() throws IOException {
        String ticket = readTicket();
        site.namespace.file("/d/f", new byte[3_000_000]);

        Raw.Answer answer = ask("HEAD /d/f?cph.tkt=" + ticket + " HTTP/1.1\nWant-Digest: adler32");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Digest")).isEmpty();
    }

    @Test
    void opensFilesItselfAtTheDoor() throws IOException {
        Raw.Answer answer = ask("GET /d/f HTTP/1.1\nWant-Digest: adler32");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.bytes()).isEqualTo(content);
        assertThat(answer.header("Digest")).isNotEmpty();
        assertThat(site.namespace.opens().getFirst().atFst()).hasValue(1);
        assertThat(site.audited()).containsExactly("allowed GET /d/f");
    }

    @Test
    void doesTheMethodsOfTheNamespaceAtTheDoor() throws IOException {
        assertThat(ask("MKCOL /d/sub HTTP/1.1").status()).isEqualTo(201);
        assertThat(ask("DELETE /d/sub HTTP/1.1").status()).isEqualTo(204);
        assertThat(ask("GET /d HTTP/1.1").text()).contains("/d/f");
        assertThat(ask("PROPFIND /d HTTP/1.1\nDepth: 1").status()).isEqualTo(207);
        assertThat(ask("GET /no HTTP/1.1").status()).isEqualTo(404);
    }

    @Test
    void stopsReadingWhenTheClientIsGone() throws IOException {
        site.namespace.file("/d/big", new byte[50_000_000]);
        try (Raw raw = Raw.connect(site.fst)) {
            raw.say("GET /d/big HTTP/1.1\nHost: h\n\n");
            waitFor("the file is open", () -> site.data.openFiles() == 1);
        }
        waitFor("the file is closed", () -> site.data.openFiles() == 0);
    }

    // ---- old tickets

    @Test
    void sendsTheHolderOfAnOldTicketBackByAnotherUrl() throws IOException {
        site.data.failOpens(new FsError.TicketExpired("too old"));

        Raw.Answer answer = ask("GET /d/f?cph.tkt=old HTTP/1.1");

        assertThat(answer.status()).isEqualTo(307);
        assertThat(answer.header("Location"))
                .startsWith(site.managerUrl("/d/f?cph.retry="))
                .doesNotContain("old");
    }

    @Test
    void endsTheCircleWhenAFreshTicketIsRefusedToo() throws IOException {
        site.data.failOpens(new FsError.TicketExpired("too old"));
        String mark =
                ask("GET /d/f?cph.tkt=old HTTP/1.1").header("Location").split("cph.retry=")[1];

        assertThat(ask("GET /d/f?cph.tkt=new&cph.retry=" + mark + " HTTP/1.1").status())
                .isEqualTo(403);
        assertThat(ask("GET /d/f?cph.tkt=new&cph.retry=1 HTTP/1.1").status()).isEqualTo(307);
    }

    @Test
    void sendsAnUploadWithAnOldTicketBackWithoutReadingIt() throws IOException {
        site.data.failOpens(new FsError.LeaseGone("aborted meanwhile"));

        Raw.Answer answer =
                ask("PUT /d/new?cph.tkt=old HTTP/1.1\nContent-Length: 9\nExpect: 100-continue");

        assertThat(answer.status()).isEqualTo(307);
        assertThat(answer.header("Connection")).isEqualTo("close");
    }

    @Test
    void refusesAForgedTicket() throws IOException {
        assertThat(ask("GET /d/f?cph.tkt=forged HTTP/1.1").status()).isEqualTo(403);
        assertThat(site.audited()).containsExactly("refused GET /d/f");
    }

    @Test
    void usesATicketOnlyForWhatItWasMade() throws IOException {
        String put = "PUT /d/f?cph.tkt=" + readTicket() + " HTTP/1.1\nContent-Length: 0";
        String get = "GET /d/new?cph.tkt=" + writeTicket(OptionalLong.empty()) + " HTTP/1.1";
        String other = "GET /d/other?cph.tkt=" + readTicket() + " HTTP/1.1";

        assertThat(ask(put).header("Location")).contains("/d/f?cph.retry=");
        assertThat(ask(get).header("Location")).contains("/d/new?cph.retry=");
        assertThat(ask(other).header("Location")).contains("/d/other?cph.retry=");
        assertThat(site.data.openFiles()).isZero();
        assertThat(site.data.aborts()).isEmpty();
    }

    // ---- writing

    @Test
    void letsTheBodyComeOnlyAfterTheTicketIsOpen() throws IOException {
        try (Raw raw = Raw.connect(site.fst)) {
            raw.say(
                    "PUT /d/new?cph.tkt=%s HTTP/1.1\nHost: h\nContent-Length: 5\nExpect: 100-continue\n\n"
                            .formatted(writeTicket(OptionalLong.of(5))));
            assertThat(raw.answer().status()).isEqualTo(100);

            raw.say("hello");
            assertThat(raw.answer().status()).isEqualTo(201);
        }
        assertThat(site.namespace.bytes("/d/new"))
                .isEqualTo("hello".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void refusesATicketBeforeTheBodyIsSent() throws IOException {
        assertThat(
                        ask("PUT /d/new?cph.tkt=forged HTTP/1.1\nContent-Length: 5\nExpect: 100-continue")
                                .status())
                .isEqualTo(403);
    }

    @Test
    void storesChunksOfAnySizeAndKeepsTheConnection() throws IOException {
        try (Raw raw = Raw.connect(site.fst)) {
            raw.say("PUT /d/new HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n");
            var random = new Random(3);
            for (int at = 0; at < content.length; ) {
                int length = Math.min(content.length - at, 1 + random.nextInt(300_000));
                raw.say(Integer.toHexString(length) + "\n");
                raw.send(Arrays.copyOfRange(content, at, at + length));
                raw.say("\n");
                at += length;
            }
            raw.say("0\n\nHEAD /d/new HTTP/1.1\nHost: h\n\n");

            assertThat(raw.answer().status()).isEqualTo(201);
            assertThat(raw.answer(true).header("Content-Length")).isEqualTo("3000000");
        }
        assertThat(site.namespace.bytes("/d/new")).isEqualTo(content);
    }

    @Test
    void storesABodyThatComesByteByByte() throws IOException {
        try (Raw raw = Raw.connect(site.fst)) {
            raw.say("PUT /d/new HTTP/1.1\nHost: h\nContent-Length: 500\n\n");
            for (int i = 0; i < 500; i++) {
                raw.send(new byte[] {content[i]});
            }
            assertThat(raw.answer().status()).isEqualTo(201);
        }
        assertThat(site.namespace.bytes("/d/new")).isEqualTo(Arrays.copyOf(content, 500));
    }

    @Test
    void checksTheDigestsThatTheClientDeclares() throws IOException {
        for (Checksum sum : MemoryData.checksums("hello".getBytes(StandardCharsets.US_ASCII))) {
            String base64 = Base64.getEncoder().encodeToString(HexFormat.of().parseHex(sum.hex()));
            String word = sum.type().word();
            String repr = word.replace("adler32", "adler") + "=:" + base64 + ":";

            assertThat(put("Digest: " + word + "=" + sum.hex().toUpperCase(Locale.ROOT)).status())
                    .isIn(201, 204);
            assertThat(put("Repr-Digest: " + repr).status()).isEqualTo(204);
            assertThat(put("Digest: md5=AAAA, " + word + "=00000001").status()).isEqualTo(400);
            assertThat(put("Repr-Digest: " + word + "=:AAAAAA==:").status()).isEqualTo(400);
        }
        assertThat(put("Digest: adler32=xyz").status()).isEqualTo(400);
    }

    private Raw.Answer put(String header) throws IOException {
        return Raw.ask(
                site.fst,
                "PUT /d/new HTTP/1.1\nHost: h\nContent-Length: 5\n" + header + "\n\nhello");
    }

    @Test
    void answersTheDigestOfWhatItStored() throws IOException {
        assertThat(put("Want-Digest: adler32").header("Digest")).isEqualTo("adler32=062c0215");
    }

    @ParameterizedTest
    @CsvSource({
        "Digest, md5=XUFAKrxLKna5cZ2REBfFkg==",
        "Digest, sha-256=LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=",
        "Digest, SHA-256=LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=",
        "Repr-Digest, md5=:XUFAKrxLKna5cZ2REBfFkg==:",
        "Repr-Digest, sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:",
        "Content-Digest, sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:",
        "OC-Checksum, MD5:5d41402abc4b2a76b9719d911017c592",
        "OC-Checksum, SHA1:0 ADLER32:62c0215",
    })
    void verifiesEveryDigestItKnows(String header, String value) throws IOException {
        assertThat(put(header + ": " + value).status()).isEqualTo(201);
        int digit = value.length() - 1;
        while (!Character.isDigit(value.charAt(digit))) {
            digit--;
        }
        String wrong =
                value.substring(0, digit)
                        + (value.charAt(digit) == '7' ? '8' : '7')
                        + value.substring(digit + 1);

        Raw.Answer answer =
                Raw.ask(
                        site.fst,
                        "PUT /d/wrong HTTP/1.1\nHost: h\nContent-Length: 5\n%s: %s\n\nhello"
                                .formatted(header, wrong));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(site.namespace.exists("/d/wrong")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "Digest: adler32=062c0215, 201",
        "Repr-Digest: sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:, 201",
        "Content-Digest: md5=:XUFAKrxLKna5cZ2REBfFkg==:, 201",
        "X-Other: adler32=00000001, 201",
        "Digest: adler32=00000001, 400",
        "Digest: adler32=xyz, 400",
        "Repr-Digest: sha-256=:MPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:, 400",
        "Content-Digest: md5=:AUFAKrxLKna5cZ2REBfFkg==:, 400",
    })
    void verifiesTheDigestBehindAChunkedBody(String trailer, int status) throws IOException {
        try (Raw raw = Raw.connect(site.fst)) {
            raw.say("PUT /d/new HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n5\nhello\n");
            raw.say("0\n" + trailer + "\n\n");

            assertThat(raw.answer().status()).isEqualTo(status);
        }
        assertThat(site.namespace.exists("/d/new")).isEqualTo(status == 201);
    }

    @Test
    void takesADigestThatIsNotKnownByReading() throws IOException {
        String sha = MemoryData.checksums(content, Set.of(ChecksumType.SHA256)).getFirst().hex();
        String expected = Base64.getEncoder().encodeToString(HexFormat.of().parseHex(sha));

        Raw.Answer door = ask("HEAD /d/f HTTP/1.1\nWant-Digest: sha-256");
        Raw.Answer ticket =
                ask("GET /d/f?cph.tkt=" + readTicket() + " HTTP/1.1\nWant-Repr-Digest: sha-256=3");
        Raw.Answer manager =
                Raw.ask(site.manager, "HEAD /d/f HTTP/1.1\nHost: h\nWant-Digest: sha-256\n\n");

        assertThat(door.header("Digest")).isEqualTo("sha-256=" + expected);
        assertThat(ticket.header("Repr-Digest")).isEqualTo("sha-256=:" + expected + ":");
        assertThat(manager.status()).isEqualTo(307);
        waitFor("the files are closed", () -> site.data.openFiles() == 0);
    }

    @Test
    void answersWithAKnownDigestRatherThanReadingForABetterOne() throws IOException {
        Raw.Answer answer = ask("HEAD /d/f HTTP/1.1\nWant-Digest: sha-256, adler32;q=0.1, sha;q=1");

        assertThat(answer.header("Digest")).startsWith("adler32=");
    }

    @Test
    void tellsTheDigestOfTheContentOnlyWhenAllOfItIsSent() throws IOException {
        String want = "GET /d/f HTTP/1.1\nWant-Content-Digest: crc32c=1\nWant-Repr-Digest: adler=1";

        assertThat(ask(want).header("Content-Digest")).startsWith("crc32c=:");
        Raw.Answer part = ask(want + "\nRange: bytes=0-1");
        assertThat(part.header("Content-Digest")).isEmpty();
        assertThat(part.header("Repr-Digest")).startsWith("adler=:");
    }

    @Test
    void storesTheDigestsThatWereAskedForWithTheUpload() throws IOException {
        Raw.Answer answer = put("Want-Digest: md5");

        assertThat(answer.header("Digest")).isEqualTo("md5=XUFAKrxLKna5cZ2REBfFkg==");
        assertThat(ask("HEAD /d/new HTTP/1.1\nWant-Digest: md5").header("Digest"))
                .isEqualTo("md5=XUFAKrxLKna5cZ2REBfFkg==");
    }

    @Test
    void abortsAnUploadThatIsCutShort() throws IOException {
        try (Raw raw = Raw.connect(site.fst)) {
            raw.say("PUT /d/new HTTP/1.1\nHost: h\nContent-Length: 1000\n\nonly this");
            waitFor("the file is open", () -> site.data.openFiles() == 1);
        }

        waitFor("the upload is aborted", () -> !site.data.aborts().isEmpty());
        assertThat(site.data.aborts().getFirst()).contains("connection was lost");
        assertThat(site.namespace.exists("/d/new")).isFalse();
        assertThat(site.data.openFiles()).isZero();
    }

    @Test
    void abortsAnUploadWhoseChunksAreBroken() throws IOException {
        Raw.Answer answer =
                Raw.ask(
                        site.fst,
                        "PUT /d/new HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n5\nhello\nzz\n");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.header("Connection")).isEqualTo("close");
        waitFor("the upload is aborted", () -> site.data.aborts().size() == 1);
        assertThat(site.namespace.exists("/d/new")).isFalse();
    }

    @Test
    void tellsAClientThatStillSendsWhyItsUploadFailed() throws IOException {
        site.data.failWrites(new FsError.NoSpace("no volume has room"));
        try (Raw raw = Raw.connect(site.fst)) {
            raw.say("PUT /d/new HTTP/1.1\nHost: h\nContent-Length: 9000000\n\n");
            raw.send(new byte[9_000_000]);

            Raw.Answer answer = raw.answer();

            assertThat(answer.status()).isEqualTo(507);
            assertThat(answer.text()).startsWith("no volume has room");
        }
        waitFor("the upload is aborted", () -> site.data.aborts().size() == 1);
    }

    @Test
    void anUploadThatIsEndedIsAnsweredWhileItsClientSaysNothing() throws Exception {
        try (Raw raw = Raw.connect(site.fst)) {
            raw.say("PUT /d/new HTTP/1.1\nHost: h\nContent-Length: 9000000\n\n");
            raw.send(new byte[1_000]);
            waitFor("the upload runs", () -> site.data.openFiles() == 1);

            site.data.endUploads(new FsError.LeaseGone("the upload of /d/new was ended by ana"));

            Raw.Answer answer = raw.answer();
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.text()).startsWith("the upload of /d/new was ended by ana");
        }
        waitFor("the upload is aborted", () -> site.data.aborts().size() == 1);
    }
}
