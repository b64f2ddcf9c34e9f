package org.cepheus.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** curl against the MGM and against a door. */
class CurlIT {
    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    @Test
    void whatCurlPutsXrdcpGets() {
        Sample sample = sample(30_000_000);
        Path copy = directory.resolve("copy");

        curl("-T", sample.file(), UP.get().http("/by-curl")).succeeded();
        Client.named("xrdcp")
                .run("--cksum", "adler32", UP.get().root("/by-curl"), copy)
                .succeeded();

        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
    }

    @Test
    void whatXrdcpPutsCurlGets() {
        Sample sample = sample(30_000_001);
        Path copy = directory.resolve("copy");

        Client.named("xrdcp").run(sample.file(), UP.get().root("/by-xrdcp")).succeeded();
        curl("-o", copy, UP.get().http("/by-xrdcp")).succeeded();

        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
    }

    @Test
    void redirectsAPutToAnFstAndSaysSoToCurlWithoutL() {
        Sample sample = sample(10);

        Client.named("curl")
                .run("-sS", "-i", "-T", sample.file(), UP.get().http("/lost"))
                .saidInAnyCase("307", "Location: http://127.0.0.1:", "-L");

        assertThat(UP.get().names("/")).doesNotContain("lost");
    }

    @Test
    void takesAChunkedBodyAtTheDoor() {
        Sample sample = sample(5_000_000);

        curl("-T", sample.file(), "-H", "Transfer-Encoding: chunked", UP.get().door("/chunked"))
                .succeeded();

        assertThat(checksum("/chunked")).isEqualTo(sample.adler32());
    }

    @Test
    void putsAndGetsAtTheDoorWithoutARedirect() {
        Sample sample = sample(1_000_000);
        Path copy = directory.resolve("copy");
        Client curl = Client.named("curl");

        curl.run("-sS", "--fail", "-T", sample.file(), UP.get().door("/by-door")).succeeded();
        curl.run("-sS", "--fail", "-o", copy, UP.get().door("/by-door")).succeeded();

        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
    }

    @Test
    void readsARange() throws IOException {
        Sample sample = sample(1_000_000);
        Path part = directory.resolve("part");
        curl("-T", sample.file(), UP.get().http("/ranged")).succeeded();

        Run run =
                curl("-r", "500-1499", "-o", part, "-w", "%{http_code}", UP.get().http("/ranged"));

        run.succeeded().said("206");
        byte[] whole = Files.readAllBytes(sample.file());
        assertThat(Files.readAllBytes(part)).isEqualTo(Arrays.copyOfRange(whole, 500, 1_500));
    }

    @Test
    void readsRangesThatBeginAndEndWithinPages() throws IOException {
        Sample sample = Sample.write(directory.resolve("odd"), 3_000_001, 5);
        curl("-T", sample.file(), UP.get().http("/odd")).succeeded();
        byte[] all = Files.readAllBytes(sample.file());

        for (int[] range : new int[][] {{1, 2_999_999}, {4_095, 524_287}, {700_001, 3_000_000}}) {
            Path part = directory.resolve("part");
            curl("-r", range[0] + "-" + range[1], "-o", part, UP.get().http("/odd")).succeeded();
            assertThat(part).hasBinaryContent(Arrays.copyOfRange(all, range[0], range[1] + 1));
        }
    }

    @Test
    void resumesADownload() throws IOException {
        Sample sample = sample(1_000_000);
        Path copy = directory.resolve("copy");
        curl("-T", sample.file(), UP.get().http("/resumed")).succeeded();
        Files.write(copy, Arrays.copyOf(Files.readAllBytes(sample.file()), 300_000));

        curl("-C", "-", "-o", copy, UP.get().http("/resumed")).succeeded();

        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
    }

    @Test
    void tellsTheDigestOnHead() {
        Sample sample = sample(123_456);
        curl("-T", sample.file(), UP.get().http("/digest")).succeeded();

        curl("-I", "-H", "Want-Digest: adler32", UP.get().http("/digest"))
                .succeeded()
                .saidInAnyCase("Content-Length: 123456", "Digest: adler32=" + sample.adler32());
    }

    @Test
    void storesWhatHasTheDigestItSays() {
        Sample sample = sample(77_777);

        curl(
                        "-T",
                        sample.file(),
                        "-H",
                        "Digest: adler32=" + sample.adler32(),
                        UP.get().http("/right"))
                .succeeded();

        assertThat(UP.get().names("/")).contains("right");
    }

    @Test
    void makesMovesAndRemoves() {
        Sample sample = sample(10);

        curl("-X", "MKCOL", UP.get().http("/made")).succeeded();
        curl("-T", sample.file(), UP.get().http("/made/one")).succeeded();
        curl(
                        "-X",
                        "MOVE",
                        "-H",
                        "Destination: " + UP.get().http("/made/two"),
                        UP.get().http("/made/one"))
                .succeeded();
        assertThat(UP.get().names("/made")).containsExactly("two");
        curl("-X", "DELETE", UP.get().http("/made/two")).succeeded();

        assertThat(UP.get().names("/made")).isEmpty();
    }

    @Test
    void listsWithPropfind() {
        Sample sample = sample(4_711);
        curl("-T", sample.file(), UP.get().door("/found")).succeeded();

        curl("-X", "PROPFIND", "-H", "Depth: 1", UP.get().http("/"))
                .succeeded()
                .said("/found", "<D:getcontentlength>4711<");
    }

    @Test
    void namesWhatIsMissing() {
        Client.named("curl")
                .run("-sS", "-L", "-w", "%{http_code}", UP.get().http("/nowhere"))
                .succeeded()
                .said("/nowhere", "404");
        Client.named("curl")
                .run(
                        "-sS",
                        "-L",
                        "-w",
                        "%{http_code}",
                        "-T",
                        sample(10).file(),
                        UP.get().http("/no/parent"))
                .succeeded()
                .said("/no", "409");
    }

    private static Run curl(Object... arguments) {
        return Client.named("curl")
                .run(
                        Stream.concat(
                                        Stream.of("-sS", "--fail-with-body", "-L"),
                                        Arrays.stream(arguments))
                                .toArray());
    }

    private Sample sample(long size) {
        return Sample.write(directory.resolve("sample"), size, size);
    }

    private static String checksum(String path) {
        return UP.get().rest("namespace?path=" + path).path("checksums").path("adler32").asString();
    }
}
