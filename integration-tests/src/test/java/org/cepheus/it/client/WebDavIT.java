package org.cepheus.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** WebDAV beyond GET and PUT, as curl sends it, at the MGM and at a door. */
class WebDavIT {
    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    private static Run curl(Object... arguments) {
        return Client.named("curl")
                .run(
                        Stream.concat(
                                        Stream.of("-sS", "-L", "-w", "\n%{http_code}\n"),
                                        Arrays.stream(arguments))
                                .toArray());
    }

    private Sample put(String path, long size) {
        Sample sample = Sample.write(directory.resolve("sample"), size, size);
        curl("-T", sample.file(), UP.get().http(path)).succeeded();
        return sample;
    }

    private static String adler(String path) {
        return UP.get().rest("namespace?path=" + path).path("checksums").path("adler32").asString();
    }

    private static Run relocate(String method, String from, String to) {
        return curl("-X", method, "-H", "Destination: " + UP.get().http(to), UP.get().http(from));
    }

    @Test
    void copiesAFileAndATreeThroughAnFstWithoutTheClientsHelp() {
        curl("-X", "MKCOL", UP.get().http("/from")).succeeded();
        Sample sample = put("/from/a", 5_000_000);
        put("/from/empty", 0);

        relocate("COPY", "/from/a", "/copied").said("201");
        relocate("COPY", "/from/a", "/copied").said("204");
        relocate("COPY", "/from", "/to").said("201");

        assertThat(adler("/copied")).isEqualTo(sample.adler32());
        assertThat(adler("/to/a")).isEqualTo(sample.adler32());
        assertThat(UP.get().names("/to")).containsExactly("a", "empty");
    }

    @Test
    void deletesATreeOfManyFilesAndItsQuota() {
        curl("-X", "MKCOL", UP.get().http("/many")).succeeded();
        curl("-X", "MKCOL", UP.get().http("/many/sub")).succeeded();
        Sample sample = Sample.write(directory.resolve("small"), 10, 1);
        curl("-T", sample.file(), UP.get().http("/many/sub/[1-300]")).succeeded();
        assertThat(UP.get().names("/many/sub")).hasSize(300);

        curl("-X", "DELETE", UP.get().http("/many")).said("204");

        assertThat(UP.get().names("/")).doesNotContain("many");
    }

    @Test
    void movesOverADirectory() {
        curl("-X", "MKCOL", UP.get().http("/old")).succeeded();
        curl("-X", "MKCOL", UP.get().http("/new")).succeeded();
        put("/old/left", 5);
        put("/new/right", 6);

        relocate("MOVE", "/new", "/old").said("204");

        assertThat(UP.get().names("/old")).containsExactly("right");
        assertThat(UP.get().names("/")).doesNotContain("new").noneMatch(n -> n.startsWith(".re"));
    }

    @Test
    void replacesOnlyTheContentThatTheClientKnows() throws IOException {
        Sample first = put("/known", 1_000);
        String tag = tag("/known");
        Path file = Files.writeString(directory.resolve("next"), "next");

        curl("-T", file, "-H", "If-Match: \"0-0\"", UP.get().http("/known")).said("412");
        assertThat(adler("/known")).isEqualTo(first.adler32());
        curl("-T", file, "-H", "If-None-Match: *", UP.get().http("/known")).said("412");
        curl("-T", file, "-H", "If-Match: " + tag, UP.get().http("/known")).said("204");
        curl("-T", file, "-H", "If-Match: " + tag, UP.get().door("/known")).said("412");
        curl("-o", "/dev/null", "-H", "If-None-Match: " + tag, UP.get().http("/known")).said("200");
    }

    @Test
    void doesNotSendWhatTheClientHas() throws IOException {
        put("/cached", 1_000);
        String tag = tag("/cached");
        Path copy = directory.resolve("cached");

        for (String url : List.of(UP.get().http("/cached"), UP.get().door("/cached"))) {
            curl("-o", copy, "-H", "If-None-Match: " + tag, url).said("304");
            curl("-o", copy, "-z", "1 Jan 2037", url).said("304");
            assertThat(copy)
                    .satisfiesAnyOf(
                            none -> assertThat(none).doesNotExist(),
                            none -> assertThat(none).isEmptyFile());
            curl("-o", copy, "-z", "1 Jan 2000", url).said("200");
            assertThat(copy).hasSize(1_000);
            Files.delete(copy);
        }
    }

    private static String tag(String path) {
        return curl("-I", UP.get().http(path))
                .output()
                .lines()
                .filter(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith("etag:"))
                .map(line -> line.substring(5).strip())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void readsSeveralRangesInOneRequest() throws IOException {
        Sample sample = put("/ranges", 100_000);
        byte[] whole = Files.readAllBytes(sample.file());
        Path parts = directory.resolve("parts");

        curl("-r", "0-9,50000-50009,-10", "-o", parts, UP.get().http("/ranges")).said("206");

        String got = Files.readString(parts, StandardCharsets.ISO_8859_1);
        for (int offset : new int[] {0, 50_000, 99_990}) {
            assertThat(got)
                    .contains("bytes %d-%d/100000\r\n\r\n".formatted(offset, offset + 9))
                    .contains(new String(whole, offset, 10, StandardCharsets.ISO_8859_1));
        }
    }

    @Test
    void verifiesAndTellsMd5AndSha256() throws IOException, NoSuchAlgorithmException {
        Sample sample = Sample.write(directory.resolve("summed"), 3_000_000, 9);
        byte[] bytes = Files.readAllBytes(sample.file());
        String md5 = base64("MD5", bytes);
        String sha = base64("SHA-256", bytes);

        curl("-T", sample.file(), "-H", "Digest: md5=" + md5, UP.get().http("/summed")).said("201");
        curl("-T", sample.file(), "-H", "Repr-Digest: sha-256=:" + sha + ":", UP.get().door("/s2"))
                .said("201");
        curl(
                        "-T",
                        sample.file(),
                        "-H",
                        "Digest: md5=" + base64("MD5", new byte[0]),
                        UP.get().http("/wrong"))
                .said("400");

        assertThat(UP.get().names("/")).doesNotContain("wrong");
        curl("-I", "-H", "Want-Digest: md5", UP.get().http("/summed"))
                .saidInAnyCase("Digest: md5=" + md5);
        // Not known of this file: an FST reads it.
        curl("-I", "-H", "Want-Digest: sha-256", UP.get().http("/summed"))
                .saidInAnyCase("Digest: sha-256=" + sha);
        curl(
                        "-o",
                        "/dev/null",
                        "-D",
                        "-",
                        "-H",
                        "Want-Repr-Digest: sha-256=1",
                        UP.get().door("/summed"))
                .saidInAnyCase("Repr-Digest: sha-256=:" + sha + ":");
    }

    private static String base64(String algorithm, byte[] bytes) throws NoSuchAlgorithmException {
        return Base64.getEncoder()
                .encodeToString(MessageDigest.getInstance(algorithm).digest(bytes));
    }

    @Test
    void keepsPropertiesAndTellsQuotas() throws IOException {
        put("/owned", 10);
        Path set =
                Files.writeString(
                        directory.resolve("set"),
                        """
                        <D:propertyupdate xmlns:D="DAV:"><D:set><D:prop>
                        <e:run xmlns:e="urn:experiment">4711</e:run>
                        </D:prop></D:set></D:propertyupdate>
                        """);
        Path ask =
                Files.writeString(
                        directory.resolve("ask"),
                        """
                        <propfind xmlns="DAV:" xmlns:o="http://owncloud.org/ns"><prop>
                        <run xmlns="urn:experiment"/><quota-available-bytes/>
                        <quota-used-bytes/><o:checksums/><colour/>
                        </prop></propfind>
                        """);

        curl("-X", "PROPPATCH", "--data-binary", "@" + set, UP.get().http("/owned")).said("207");
        Run run =
                curl(
                        "-X",
                        "PROPFIND",
                        "-H",
                        "Depth: 0",
                        "--data-binary",
                        "@" + ask,
                        UP.get().door("/owned"));

        run.said(
                ">4711</e:run>",
                "<D:quota-available-bytes>",
                "<D:quota-used-bytes>",
                "<oc:checksum>ADLER32:",
                "<D:colour/>",
                "404 Not Found");
        Client.named("xrdfs").run(UP.get().server(), "mv", "/owned", "/owned2").succeeded();
        curl("-X", "PROPFIND", "-H", "Depth: 0", UP.get().http("/owned2")).said(">4711</e:run>");
    }

    @Test
    void speaksHttp10AndListsForBrowsers() throws IOException {
        Sample sample = put("/old-style", 20_000);
        Path copy = directory.resolve("copy");

        curl("-0", "-o", copy, UP.get().http("/old-style")).said("200");
        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
        curl("-0", "-T", sample.file(), UP.get().door("/old-style2")).said("201");
        curl("-X", "MKCOL", UP.get().http("/%3Cb%3E%22&'")).said("201");
        curl("-0", UP.get().http("/"))
                .said("<a href=\"/old-style\">old-style</a>", "&lt;b&gt;", "200");
    }

    @Test
    void listsAnEntryWithAsManyAndAsLargePropertiesAsThereMayBe() throws IOException {
        put("/laden", 10);
        var requests = new StringBuilder();
        for (int i = 0; i < 128; i++) {
            Path body =
                    Files.writeString(
                            directory.resolve("property" + i),
                            """
                            <?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:"><D:set><D:prop>\
                            <p%d xmlns="urn:x">%s</p%d></D:prop></D:set></D:propertyupdate>\
                            """
                                    .formatted(i, "v".repeat(65_000), i));
            requests.append(i == 0 ? "" : "next\n")
                    .append("request = PROPPATCH\nfail\nsilent\noutput = /dev/null\n")
                    .append(
                            "data-binary = @%s\nurl = %s\n"
                                    .formatted(body, UP.get().door("/laden")));
        }
        Path config = Files.writeString(directory.resolve("requests"), requests);
        Client.named("curl").run("-K", config).succeeded();

        Path answer = directory.resolve("answer");
        curl("-X", "PROPFIND", "-H", "Depth: 0", "-o", answer, UP.get().door("/laden")).said("207");

        assertThat(Files.readString(answer)).contains("<p0 ", "<p127 ", "</D:multistatus>");
        assertThat(Files.size(answer)).isGreaterThan(128 * 65_000L);
    }

    @Test
    void refusesAPartOfAFileAndLocks() throws IOException {
        Path file = Files.writeString(directory.resolve("part"), "part");

        curl("-T", file, "-H", "Content-Range: bytes 0-3/8", UP.get().http("/part")).said("400");
        curl("-X", "LOCK", UP.get().http("/part")).said("405");
        curl("-X", "PROPFIND", "-H", "Depth: infinity", UP.get().http("/"))
                .said("403", "propfind-finite-depth");
        assertThat(UP.get().names("/")).doesNotContain("part");
    }
}
