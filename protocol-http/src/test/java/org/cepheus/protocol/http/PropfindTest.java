package org.cepheus.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.cepheus.domain.FsError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PROPFIND: what is asked for, and no more, in constant memory. */
final class PropfindTest {
    private Site site;

    @BeforeEach
    void start() throws IOException {
        site = Site.open();
        site.namespace.directory("/d");
        site.namespace.file("/d/f&1", "hello".getBytes(StandardCharsets.US_ASCII));
    }

    @AfterEach
    void stop() {
        site.close();
    }

    private Raw.Answer find(String path, String depth, String body) throws IOException {
        return Raw.ask(
                site.manager,
                "PROPFIND %s HTTP/1.1\nHost: h\nDepth: %s\nContent-Length: %d\n\n%s"
                        .formatted(path, depth, body.length(), body));
    }

    private static String prop(String names) {
        return "<?xml version=\"1.0\"?><a:propfind xmlns:a=\"DAV:\"><a:prop>"
                + names
                + "</a:prop></a:propfind>";
    }

    @Test
    void describesOneFile() throws IOException {
        Raw.Answer answer = find("/d/f%261", "0", "");

        assertThat(answer.status()).isEqualTo(207);
        assertThat(answer.header("Content-Type")).startsWith("application/xml");
        assertThat(answer.text())
                .contains("<D:href>/d/f%261</D:href>")
                .contains("<D:displayname>f&amp;1</D:displayname>")
                .contains("<D:getcontentlength>5</D:getcontentlength>")
                .contains("<D:getlastmodified>Fri, 20 Nov 2026 12:00:00 GMT</D:getlastmodified>")
                .contains("<D:creationdate>2026-11-20T12:00:00Z</D:creationdate>")
                .contains("<D:resourcetype/>")
                .contains("HTTP/1.1 200 OK")
                .doesNotContain("404")
                .doesNotContain("checksum")
                .doesNotContain("quota");
    }

    @Test
    void answersOnlyWhatWasAskedAndSaysWhatIsUnknown() throws IOException {
        String asked =
                "<a:getcontentlength/><x:colour xmlns:x=\"urn:x&amp;y\"/><a:resourcetype><a:collection/></a:resourcetype>";

        String text = find("/d", "0", prop(asked)).text();

        assertThat(text)
                .contains("<D:resourcetype><D:collection/></D:resourcetype>")
                .contains("<colour xmlns=\"urn:x&amp;y\"/>")
                .contains("<D:getcontentlength/>")
                .contains("404 Not Found")
                .doesNotContain("displayname");
    }

    @Test
    void givesQuotasAndChecksumsWhenAskedByName() throws IOException {
        String quotas = "<a:quota-available-bytes/><a:quota-used-bytes/>";
        String sums = "<o:checksums xmlns:o=\"http://owncloud.org/ns\"/>";

        assertThat(find("/d", "0", prop(quotas)).text())
                .contains("<D:quota-available-bytes>3500</D:quota-available-bytes>")
                .contains("<D:quota-used-bytes>1000</D:quota-used-bytes>");
        assertThat(find("/d/f%261", "0", prop(sums)).text()).contains("ADLER32:062c0215");
    }

    @Test
    void givesTheModeWithTheKindAsDavixNeedsIt() throws IOException {
        String mode = "<L:mode xmlns:L=\"LCGDM:\"/>";

        assertThat(find("/d", "0", prop(mode)).text()).contains("<L:mode>40755</L:mode>");
        assertThat(find("/d/f%261", "0", prop(mode)).text()).contains("<L:mode>100644</L:mode>");
    }

    @Test
    void namesAllPropertiesWithoutValues() throws IOException {
        String body = "<propfind xmlns=\"DAV:\"><propname/></propfind>";

        assertThat(find("/d/f%261", "0", body).text())
                .contains("<D:getcontentlength/>")
                .contains("<oc:checksums/>")
                .doesNotContain(">5<");
    }

    @Test
    void streamsALargeDirectoryPageByPage() throws IOException {
        for (int i = 0; i < 2345; i++) {
            site.namespace.file("/d/n%05d".formatted(i), new byte[0]);
        }

        Raw.Answer answer = find("/d/", "1", prop("<a:resourcetype/>"));

        assertThat(answer.header("Transfer-Encoding")).isEqualTo("chunked");
        assertThat(answer.text().split("<D:response>", -1)).hasSize(1 + 1 + 1 + 2345);
        assertThat(answer.text()).contains("/d/n02344</D:href>").endsWith("</D:multistatus>\n");
    }

    @Test
    void holdsAFewPagesOfAMillionEntriesForAClientThatDoesNotRead() throws IOException {
        site.namespace.hugeDirectory("/huge", 1_000_000);
        try (Raw raw = Raw.connect(site.manager)) {
            raw.say("PROPFIND /huge HTTP/1.1\nHost: h\nDepth: 1\nConnection: close\n\n");
            int asked = pagesWhenNoMoreAreAsked();

            assertThat(asked).as("pages of 500 entries, the socket's buffers full").isLessThan(100);
            assertThat(raw.endsAfter(100_000_000, "</D:multistatus>\n")).isTrue();
        }
        assertThat(site.namespace.pages()).isEqualTo(2000);
    }

    private int pagesWhenNoMoreAreAsked() {
        long quietSince = System.nanoTime();
        int asked = 0;
        while (System.nanoTime() - quietSince < 500_000_000) {
            int now = site.namespace.pages();
            if (now != asked) {
                asked = now;
                quietSince = System.nanoTime();
            }
            Thread.onSpinWait();
        }
        return asked;
    }

    @Test
    void breaksOffWhenALaterPageFails() throws IOException {
        for (int i = 0; i < 600; i++) {
            site.namespace.file("/d/n" + i, new byte[0]);
        }
        site.namespace.breakListings();

        assertThatThrownBy(() -> find("/d", "1", "")).isInstanceOf(IOException.class);
    }

    @Test
    void endsTheConnectionAfterAStreamToHttp10() throws IOException {
        Raw.Answer answer =
                Raw.ask(site.manager, "PROPFIND /d HTTP/1.0\nDepth: 1\nConnection: keep-alive\n\n");

        assertThat(answer.header("Transfer-Encoding")).isEmpty();
        assertThat(answer.text()).endsWith("</D:multistatus>\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"infinity", "", "2"})
    void refusesEndlessDepth(String depth) throws IOException {
        Raw.Answer answer = find("/d", depth, "");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.text()).contains("<D:propfind-finite-depth/>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<propfind",
                "<propfind xmlns=\"DAV:\"></propfind>",
                "<other xmlns=\"DAV:\"/>",
                "<propfind><prop/></propfind>",
                "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><propfind xmlns=\"DAV:\"><prop>&b;</prop></propfind>",
                "<!DOCTYPE propfind><propfind xmlns=\"DAV:\"><allprop/></propfind>",
                "<D:propfind xmlns:D=\"DAV:\"><D:prop><bar:foo xmlns:bar=\"\"/></D:prop></D:propfind>",
                "not xml at all",
            })
    void refusesBodiesThatAreNoQuestion(String body) throws IOException {
        assertThat(find("/d", "0", body).status()).isEqualTo(400);
    }

    /** The JDK's parser would write a line of its own for each of them. */
    @Test
    void refusesBytesThatAreNoTextWithoutPrintingAnything() throws IOException {
        PrintStream before = System.err;
        var printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            String broken = prop("<a\u00f0:x/>");

            assertThat(find("/d", "0", broken).status()).isEqualTo(400);
            assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
        } finally {
            System.setErr(before);
        }
    }

    @Test
    void refusesBodiesThatAreTooLong() throws IOException {
        String long1 = prop("<a:x/>".repeat(20_000));

        assertThat(find("/d", "0", long1).status()).isEqualTo(413);
        assertThat(find("/d", "0", prop("<a:x/>".repeat(300))).status()).isEqualTo(414);
    }

    @Test
    void doesNotFindWhatIsNotThere() throws IOException {
        site.namespace.refuseNext(new FsError.PermissionDenied("not for ada"));

        assertThat(find("/d", "1", "").status()).isEqualTo(403);
        assertThat(find("/no", "1", "").status()).isEqualTo(404);
    }
}
