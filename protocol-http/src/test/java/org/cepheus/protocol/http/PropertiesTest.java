package org.cepheus.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.cepheus.domain.codec.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PROPPATCH, and PROPFIND of what it set (RFC 4918 section 9.2). */
final class PropertiesTest {
    private Site site;

    @BeforeEach
    void start() throws IOException {
        site = Site.open();
        site.namespace.directory("/d");
        site.namespace.file("/d/f", "hello".getBytes(StandardCharsets.US_ASCII));
        site.namespace.file("/d/g", "hello".getBytes(StandardCharsets.US_ASCII));
    }

    @AfterEach
    void stop() {
        site.close();
    }

    private Raw.Answer ask(String method, String path, String depth, String body)
            throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        try (Raw raw = Raw.connect(site.manager)) {
            raw.say(
                    "%s %s HTTP/1.1\nHost: h\nDepth: %s\nContent-Length: %d\n\n"
                            .formatted(method, path, depth, bytes.length));
            return raw.send(bytes).answer();
        }
    }

    private Raw.Answer patch(String path, String changes) throws IOException {
        return ask(
                "PROPPATCH",
                path,
                "0",
                "<?xml version=\"1.0\"?><D:propertyupdate xmlns:D=\"DAV:\" xmlns:x=\"urn:x\">"
                        + changes
                        + "</D:propertyupdate>");
    }

    private static String set(String property) {
        return "<D:set><D:prop>" + property + "</D:prop></D:set>";
    }

    private static String remove(String property) {
        return "<D:remove><D:prop>" + property + "</D:prop></D:remove>";
    }

    private String find(String path, String depth, String names) throws IOException {
        return ask(
                        "PROPFIND",
                        path,
                        depth,
                        "<D:propfind xmlns:D=\"DAV:\" xmlns:x=\"urn:x\"><D:prop>"
                                + names
                                + "</D:prop></D:propfind>")
                .text();
    }

    @Test
    void keepsPropertiesAsTheyWereSet() throws IOException {
        Raw.Answer answer =
                patch(
                        "/d/f",
                        set(
                                "<x:colour a=\"1 &amp; 2\" x:b=\"2\">r&lt;e <y:d xmlns:y='urn:y'><z xmlns=''/></y:d>\ud800\udc00</x:colour>"));

        assertThat(answer.status()).isEqualTo(207);
        assertThat(answer.text())
                .contains("<D:href>/d/f</D:href>")
                .contains("<colour xmlns=\"urn:x\"/>")
                .contains("HTTP/1.1 200 OK");
        assertThat(find("/d/f", "0", "<x:colour/>"))
                .contains(
                        "<x:colour xmlns:x=\"urn:x\" a=\"1 &amp; 2\" x:b=\"2\">r&lt;e <y:d xmlns:y=\"urn:y\"><z xmlns=\"\"></z></y:d>\ud800\udc00</x:colour>")
                .doesNotContain("404");
        assertThat(find("/d/g", "0", "<x:colour/>")).contains("404 Not Found");
    }

    @Test
    void keepsTheLanguageOfTheElementsAround() throws IOException {
        patch(
                "/d/f",
                "<D:set><D:prop xml:lang=\"de\"><x:a>Haus</x:a><x:b xml:lang=\"fr\">maison</x:b></D:prop></D:set>");

        assertThat(find("/d/f", "0", "<x:a/><x:b/>"))
                .contains("<x:a xmlns:x=\"urn:x\" xml:lang=\"de\">Haus</x:a>")
                .contains("<x:b xmlns:x=\"urn:x\" xml:lang=\"fr\">maison</x:b>");
    }

    @Test
    void doesWhatTheDocumentSaysLastOfEachProperty() throws IOException {
        patch("/d/f", set("<x:a>1</x:a>") + remove("<x:a/>"));
        assertThat(find("/d/f", "0", "<x:a/>")).contains("404 Not Found");

        patch("/d/f", remove("<x:a/>") + set("<x:a>2</x:a>"));
        assertThat(find("/d/f", "0", "<x:a/>")).contains(">2</x:a>");

        Raw.Answer nothing = patch("/d/f", remove("<x:never/>"));
        assertThat(nothing.text()).contains("200 OK").doesNotContain("404");
    }

    @Test
    void showsThemInAllpropAndPropnameAndListings() throws IOException {
        patch("/d", set("<x:of>dir</x:of>"));
        patch("/d/f", set("<x:of>file</x:of>"));

        String all = ask("PROPFIND", "/d", "1", "").text();
        String names =
                ask("PROPFIND", "/d", "1", "<propfind xmlns=\"DAV:\"><propname/></propfind>")
                        .text();

        assertThat(all).contains(">dir</x:of>").contains(">file</x:of>").doesNotContain("404");
        assertThat(names.split("<of xmlns=\"urn:x\"/>", -1)).hasSize(3);
        assertThat(find("/d", "1", "<x:of/>")).contains(">dir<").contains(">file<").contains("404");
    }

    @Test
    void showsTheProperAttributesOfEveryEntryOfALongListing() throws IOException {
        site.namespace.directory("/long");
        for (int i = 0; i < 1100; i++) {
            String path = "/long/n%04d".formatted(i);
            site.namespace.file(path, new byte[0]);
            if (i % 3 == 0) {
                site.namespace.attributes(
                        path,
                        Map.of(
                                "user.dav.{urn:x}of",
                                bytes("<x:of xmlns:x=\"urn:x\">%d</x:of>".formatted(i))));
            }
        }

        String text = find("/long", "1", "<x:of/>");

        assertThat(text.split("<D:response>", -1)).hasSize(1 + 1 + 1100);
        for (int i = 0; i < 1100; i++) {
            String property =
                    "%04d</D:href><D:propstat><D:prop><x:of xmlns:x=\"urn:x\">%d</x:of>"
                            .formatted(i, i);
            assertThat(text.contains(property)).as(property).isEqualTo(i % 3 == 0);
        }
    }

    @Test
    void includesWhatAllpropLeavesOut() throws IOException {
        String body =
                "<propfind xmlns=\"DAV:\"><allprop/><include><quota-used-bytes/></include></propfind>";

        assertThat(ask("PROPFIND", "/d", "0", body).text())
                .contains("<D:quota-used-bytes>1000</D:quota-used-bytes>")
                .contains("<D:displayname>d</D:displayname>");
    }

    @Test
    void changesNothingWhenOnePropertyIsProtected() throws IOException {
        Raw.Answer answer = patch("/d/f", set("<x:a>1</x:a><D:getetag>\"mine\"</D:getetag>"));

        assertThat(answer.status()).isEqualTo(207);
        assertThat(answer.text())
                .contains("424 Failed Dependency")
                .contains("403 Forbidden")
                .contains("<D:cannot-modify-protected-property/>");
        assertThat(find("/d/f", "0", "<x:a/>")).contains("404 Not Found");
    }

    @Test
    void refusesPropertiesBeyondTheLimitsOfAttributes() throws IOException {
        String longName = "n".repeat(250);

        assertThat(patch("/d/f", set("<x:" + longName + "/>")).text())
                .contains("507 Insufficient Storage");
        assertThat(patch("/d/f", set("<x:a>" + "v".repeat(70_000) + "</x:a>")).status())
                .isEqualTo(413);
    }

    @Test
    void showsAttributesOfOtherProtocolsAsText() throws IOException {
        site.namespace.attributes(
                "/d/f",
                Map.of(
                        "user.dav.{urn:x}a", bytes("</D:prop><evil/>"),
                        "user.dav.{urn:x}b c", bytes("no name"),
                        "user.other", bytes("none of WebDAV's")));

        String all = ask("PROPFIND", "/d/f", "0", "").text();

        assertThat(all)
                .contains("<a xmlns=\"urn:x\">&lt;/D:prop&gt;&lt;evil/&gt;</a>")
                .doesNotContain("no name")
                .doesNotContain("none of");
    }

    private static Bytes bytes(String text) {
        return Bytes.copyOf(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void goesAlongWithCopiesAndMoves() throws IOException {
        patch("/d/f", set("<x:a>1</x:a>"));
        patch("/d/g", set("<x:b>2</x:b>"));

        assertThat(Raw.ask(site.fst, "COPY /d/f HTTP/1.1\nHost: h\nDestination: /d/g\n\n").status())
                .isEqualTo(204);
        assertThat(find("/d/g", "0", "<x:a/><x:b/>")).contains(">1</x:a>").doesNotContain(">2<");

        assertThat(Raw.ask(site.fst, "MOVE /d/g HTTP/1.1\nHost: h\nDestination: /d/h\n\n").status())
                .isEqualTo(201);
        assertThat(find("/d/h", "0", "<x:a/>")).contains(">1</x:a>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not xml",
                "<propertyupdate/>",
                "<propertyupdate xmlns=\"DAV:\"/>",
                "<propfind xmlns=\"DAV:\"><allprop/></propfind>",
                "<!DOCTYPE a [<!ENTITY b \"c\">]><propertyupdate xmlns=\"DAV:\"><set><prop><a>&b;</a></prop></set></propertyupdate>",
                "<propertyupdate xmlns=\"DAV:\"><set><prop><a></prop></set></propertyupdate>",
            })
    void refusesBodiesThatAreNoUpdate(String body) throws IOException {
        assertThat(ask("PROPPATCH", "/d/f", "0", body).status()).isEqualTo(400);
    }

    @Test
    void refusesValuesNestedWithoutEnd() throws IOException {
        String deep = "<x:a>".repeat(100) + "</x:a>".repeat(100);

        assertThat(patch("/d/f", set(deep)).status()).isEqualTo(400);
    }

    @Test
    void findsNothingToPatch() throws IOException {
        assertThat(patch("/d/none", set("<x:a>1</x:a>")).status()).isEqualTo(404);
    }
}
