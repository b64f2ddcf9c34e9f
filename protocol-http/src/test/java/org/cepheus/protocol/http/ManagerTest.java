package org.cepheus.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.cepheus.domain.FsError;
import org.cepheus.domain.FsPath;
import org.cepheus.domain.MgmAddress;
import org.cepheus.domain.QuotaKind;
import org.cepheus.domain.QuotaUnit;
import org.cepheus.domain.command.LeaseCommand;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an MGM answers, byte by byte. */
final class ManagerTest {
    private Site site;

    @BeforeEach
    void start() throws IOException {
        site = Site.open(Duration.ofSeconds(20), Duration.ofMillis(600));
        site.namespace.directory("/d");
        site.namespace.file("/d/f", "hello".getBytes(StandardCharsets.US_ASCII));
    }

    @AfterEach
    void stop() {
        site.close();
    }

    private Raw.Answer ask(String head) throws IOException {
        return Raw.ask(site.manager, head.stripTrailing() + "\nHost: h\n\n");
    }

    @Test
    void redirectsReadersWithATicketAndSaysSo() throws IOException {
        Raw.Answer answer = ask("GET /d/f HTTP/1.1");

        assertThat(answer.status()).isEqualTo(307);
        assertThat(answer.header("Location")).isEqualTo(site.doorUrl("/d/f?cph.tkt=ticket-1"));
        assertThat(answer.text()).contains("curl -L");
        assertThat(answer.header("X-Trace-Id")).matches("[0-9a-f]{16}");
        assertThat(answer.header("Date")).endsWith("GMT");
    }

    @Test
    void redirectsNamesOfAnyLetters() throws IOException {
        site.namespace.file("/d/ä b?#%", new byte[1]);

        Raw.Answer answer = ask("GET /d//%C3%A4%20b%3F%23%25 HTTP/1.1");

        assertThat(answer.header("Location"))
                .isEqualTo(site.doorUrl("/d/%C3%A4%20b%3F%23%25?cph.tkt=ticket-1"));
    }

    @Test
    void passesTheMarkOfARetryOn() throws IOException {
        assertThat(ask("GET /d/f?x=1&cph.retry=6a0 HTTP/1.1").header("Location"))
                .endsWith("?cph.tkt=ticket-1&cph.retry=6a0");
    }

    @Test
    void answersHeadFromTheNamespace() throws IOException {
        Raw.Answer answer = ask("HEAD /d/f HTTP/1.1\nWant-Digest: md5;q=1, adler32;q=0.5");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Length")).isEqualTo("5");
        assertThat(answer.header("Digest")).isEqualTo("adler32=062c0215");
        assertThat(answer.header("ETag")).isNotEmpty();
        assertThat(answer.header("Last-Modified")).isEqualTo("Fri, 20 Nov 2026 12:00:00 GMT");
        assertThat(answer.header("Accept-Ranges")).isEqualTo("bytes");
    }

    @Test
    void answersDigestsInTheNewForm() throws IOException {
        assertThat(ask("HEAD /d/f HTTP/1.1\nWant-Repr-Digest: adler=3").header("Repr-Digest"))
                .isEqualTo("adler=:BiwCFQ==:");
        assertThat(
                        ask("HEAD /d/f HTTP/1.1\nWant-Repr-Digest: adler=3, crc32c=10")
                                .header("Repr-Digest"))
                .startsWith("crc32c=:");
        assertThat(ask("HEAD /d/f HTTP/1.1\nWant-Repr-Digest: adler=0").header("Repr-Digest"))
                .isEmpty();
        assertThat(ask("HEAD /d/f HTTP/1.1").header("Digest")).isEmpty();
    }

    @Test
    void redirectsAnUploadThatWaitsWithoutReadingIt() throws IOException {
        Raw.Answer answer = ask("PUT /d/new HTTP/1.1\nContent-Length: 1000\nExpect: 100-continue");

        assertThat(answer.status()).isEqualTo(307);
        assertThat(answer.header("Location")).contains("/d/new?cph.tkt=");
        assertThat(answer.header("Connection")).isEqualTo("close");
        assertThat(site.namespace.opens().getFirst().declaredSizeBytes())
                .isEqualTo(OptionalLong.of(1000));
        assertThat(site.namespace.opens().getFirst().writing())
                .isEqualTo(Optional.of(LeaseCommand.Intent.REPLACE));
    }

    @Test
    void redirectsAChunkedUploadThatWaits() throws IOException {
        Raw.Answer answer =
                ask("PUT /d/new HTTP/1.1\nTransfer-Encoding: chunked\nExpect: 100-continue");

        assertThat(answer.status()).isEqualTo(307);
        assertThat(site.namespace.opens().getFirst().declaredSizeBytes()).isEmpty();
    }

    @Test
    void letsAClientReadTheRedirectWhileItSends() throws IOException {
        try (Raw raw = Raw.connect(site.manager)) {
            raw.say("PUT /d/new HTTP/1.1\nHost: h\nContent-Length: 4000000\n\n");
            raw.send(new byte[4_000_000]);

            assertThat(raw.answer().status()).isEqualTo(307);
            assertThat(raw.isClosed()).isTrue();
        }
    }

    @Test
    void keepsTheConnectionAfterAnEmptyUpload() throws IOException {
        try (Raw raw = Raw.connect(site.manager)) {
            raw.say("PUT /d/new HTTP/1.1\nHost: h\nContent-Length: 0\n\n");
            assertThat(raw.answer().status()).isEqualTo(307);

            raw.say("HEAD /d/f HTTP/1.1\nHost: h\n\n");
            assertThat(raw.answer(true).status()).isEqualTo(200);
        }
    }

    @Test
    void refusesAChunkedUploadThatDoesNotWait() throws IOException {
        Raw.Answer answer =
                Raw.ask(
                        site.manager,
                        "PUT /d/new HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\n");

        assertThat(answer.status()).isEqualTo(411);
        assertThat(answer.text()).contains("Expect: 100-continue").contains("trace: ");
        assertThat(site.namespace.opens()).isEmpty();
    }

    @Test
    void refusesAnUploadWithoutALength() throws IOException {
        assertThat(ask("PUT /d/new HTTP/1.1").status()).isEqualTo(411);
    }

    @Test
    void refusesPartsOfFiles() throws IOException {
        assertThat(ask("PUT /d/f HTTP/1.1\nContent-Length: 0\nContent-Range: bytes 0-4/9").status())
                .isEqualTo(400);
    }

    @Test
    void createsOnlyNewFilesWhenAsked() throws IOException {
        assertThat(ask("PUT /d/f HTTP/1.1\nContent-Length: 0\nIf-None-Match: *").status())
                .isEqualTo(412);
    }

    @Test
    void refusesUploadsWhereThereIsNoDirectory() throws IOException {
        assertThat(ask("PUT /no/f HTTP/1.1\nContent-Length: 0").status()).isEqualTo(409);
        assertThat(ask("PUT /d HTTP/1.1\nContent-Length: 0").status()).isEqualTo(405);
    }

    @Test
    void explainsAFullQuota() throws IOException {
        site.namespace.refuseNext(
                new FsError.QuotaExceeded(
                        FsPath.parse("/d"),
                        QuotaKind.PROJECT,
                        "",
                        QuotaUnit.BYTES,
                        100,
                        90,
                        5,
                        50));

        Raw.Answer answer = ask("PUT /d/f HTTP/1.1\nContent-Length: 50\nExpect: 100-continue");

        assertThat(answer.status()).isEqualTo(507);
        assertThat(answer.text()).contains("limit 100 bytes, used 90").contains("trace: ");
        assertThat(site.audited()).containsExactly("refused PUT /d/f");
    }

    @Test
    void tellsTheAuditOfEveryRefusalToChangeOrOpen() throws IOException {
        site.namespace.refuseNext(
                new FsError.FileLocked("somebody updates it"),
                new FsError.NoSpace("no volume has room"));

        assertThat(ask("GET /d/f HTTP/1.1").status()).isEqualTo(423);
        assertThat(ask("PUT /d/g HTTP/1.1\nContent-Length: 1").status()).isEqualTo(507);
        assertThat(ask("GET /none HTTP/1.1").status()).isEqualTo(404);
        assertThat(ask("MKCOL /d HTTP/1.1").status()).isEqualTo(405);

        assertThat(site.audited())
                .containsExactly(
                        "refused GET /d/f",
                        "refused PUT /d/g",
                        "refused GET /none",
                        "refused MKCOL /d");
    }

    @Test
    void tellsTheAuditNothingOfWhoOnlyLooksOrIsPutOffOrCannotBeUnderstood() throws IOException {
        site.admission.refuses = true;
        assertThat(ask("PUT /d/g HTTP/1.1\nContent-Length: 1").status()).isEqualTo(503);
        site.admission.refuses = false;

        assertThat(ask("HEAD /none HTTP/1.1").status()).isEqualTo(404);
        assertThat(ask("PROPFIND /none HTTP/1.1\nDepth: 0").status()).isEqualTo(404);
        assertThat(ask("GET /d/%zz HTTP/1.1").status()).isEqualTo(400);

        assertThat(site.audited()).isEmpty();
    }

    @Test
    void makesDirectories() throws IOException {
        assertThat(ask("MKCOL /d/sub/ HTTP/1.1").status()).isEqualTo(201);
        assertThat(ask("MKCOL /d/sub HTTP/1.1").status()).isEqualTo(405);
        assertThat(ask("MKCOL /no/sub HTTP/1.1").status()).isEqualTo(409);
        assertThat(ask("MKCOL /d/body HTTP/1.1\nContent-Length: 3").status()).isEqualTo(415);
        assertThat(site.namespace.exists("/d/sub")).isTrue();
        assertThat(site.namespace.exists("/d/body")).isFalse();
    }

    @Test
    void deletesFilesAndDirectories() throws IOException {
        assertThat(ask("DELETE /d/f HTTP/1.1").status()).isEqualTo(204);
        assertThat(ask("DELETE /d/f HTTP/1.1").status()).isEqualTo(404);
        assertThat(ask("DELETE /d/ HTTP/1.1").status()).isEqualTo(204);
        assertThat(ask("DELETE / HTTP/1.1").status()).isEqualTo(403);
        assertThat(site.namespace.exists("/d")).isFalse();
    }

    @Test
    void movesFilesAndDirectories() throws IOException {
        site.namespace.file("/d/g", new byte[2]);

        assertThat(move("/d/f", "http://h/d/f%202").status()).isEqualTo(201);
        assertThat(move("/d/f%202", "/d/g").status()).isEqualTo(204);
        assertThat(move("/d", "http://h/e").status()).isEqualTo(201);

        assertThat(site.namespace.bytes("/e/g"))
                .isEqualTo("hello".getBytes(StandardCharsets.US_ASCII));
        assertThat(site.namespace.exists("/d")).isFalse();
    }

    @Test
    void refusesMovesThatCannotBe() throws IOException {
        site.namespace.file("/d/g", new byte[2]);

        assertThat(move("/d/no", "http://h/d/x").status()).isEqualTo(404);
        assertThat(move("/d/f", "http://h/no/x").status()).isEqualTo(409);
        assertThat(move("/d/f", "http://elsewhere/d/x").status()).isEqualTo(409);
        assertThat(move("/d/f", "http://h/d/f").status()).isEqualTo(403);
        assertThat(move("/d/f", "http://h/d").status()).isEqualTo(403);
        assertThat(move("/d/f", "http://h/d/../x").status()).isEqualTo(400);
        assertThat(ask("MOVE /d/f HTTP/1.1").status()).isEqualTo(400);
        assertThat(ask("MOVE /d/f HTTP/1.1\nDestination: /d/g\nOverwrite: F").status())
                .isEqualTo(412);
        assertThat(site.namespace.exists("/d/f")).isTrue();
    }

    private Raw.Answer move(String from, String to) throws IOException {
        return ask("MOVE " + from + " HTTP/1.1\nDestination: " + to);
    }

    @Test
    void saysWhatItOffers() throws IOException {
        Raw.Answer answer = ask("OPTIONS * HTTP/1.1");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("DAV")).isEqualTo("1");
        assertThat(answer.header("MS-Author-Via")).isEqualTo("DAV");
        assertThat(answer.header("Allow")).contains("PROPFIND");
        assertThat(ask("LOCK /d HTTP/1.1").status()).isEqualTo(405);
        assertThat(ask("BREW /d HTTP/1.1").status()).isEqualTo(501);
    }

    @Test
    void listsADirectoryForPeople() throws IOException {
        site.namespace.file("/d/<b>&", new byte[3]);

        Raw.Answer answer = ask("GET /d HTTP/1.1");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text())
                .contains("<a href=\"/d/f\">f</a>")
                .contains("<a href=\"/d/%3Cb%3E%26\">&lt;b&gt;&amp;</a>")
                .doesNotContain("<b>");
    }

    @Test
    void sendsClientsToTheLeader() throws IOException {
        site.namespace.refuseNext(
                new FsError.NotLeader(Optional.of(new MgmAddress("::1", 1, 8080, 2, 3))));

        Raw.Answer answer = ask("DELETE /d/f?a=b HTTP/1.1");

        assertThat(answer.status()).isEqualTo(307);
        assertThat(answer.header("Location")).isEqualTo("http://[::1]:8080/d/f?a=b");
    }

    @Test
    void acceptsTheOldHostInADestinationAfterGoingToTheLeader() throws IOException {
        site.namespace.refuseNext(
                new FsError.NotLeader(Optional.of(new MgmAddress("leader", 1, 8080, 2, 3))));

        Raw.Answer answer = move("/d/f", "http://h/d/x");
        String query = answer.header("Location").split("\\?")[1];
        Raw.Answer atLeader =
                Raw.ask(
                        site.manager,
                        "MOVE /d/f?%s HTTP/1.1\nHost: leader:8080\nDestination: http://h/d/x\n\n"
                                .formatted(query));

        assertThat(answer.status()).isEqualTo(307);
        assertThat(atLeader.status()).isEqualTo(201);
    }

    @Test
    void waitsWhileThereIsNoLeader() throws IOException {
        site.namespace.refuseNext(
                new FsError.Unavailable("election", 1), new FsError.NotLeader(Optional.empty()));

        assertThat(ask("HEAD /d/f HTTP/1.1").status()).isEqualTo(200);
    }

    @Test
    void saysWhenToComeBackAfterWaitingInVain() throws IOException {
        var error = new FsError.Unavailable("no leader, come back", 7);
        site.namespace.refuseNext(error, error, error, error, error, error, error, error);

        Raw.Answer answer = ask("GET /d/f HTTP/1.1");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isEqualTo("7");
        assertThat(answer.text())
                .startsWith("no leader, come back\nnext: Repeat: it is safe.\ntrace: ");
    }

    @Test
    void takesItsOwnEarlierDeletionForDone() throws IOException {
        site.namespace.file("/d/g", new byte[1]);
        try (Raw raw = Raw.connect(site.manager)) {
            site.namespace.failChangesAfterDoingThem(1);
            raw.say("DELETE /d/g HTTP/1.1\nHost: h\n\n");

            assertThat(raw.answer().status()).isEqualTo(204);
        }
        assertThat(site.namespace.exists("/d/g")).isFalse();
    }
}
