package org.cepheus.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** gfal2 and davix, the clients of the grid. */
class GridClientsIT {
    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    enum Protocol {
        XROOTD,
        HTTP;

        String url(String path) {
            return this == XROOTD ? UP.get().root(path) : UP.get().http(path);
        }
    }

    static Stream<Protocol> protocols() {
        return Stream.of(Protocol.values());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("protocols")
    void gfalCopiesInAndOutWithAChecksum(Protocol protocol) {
        Sample sample = sample(12_345_678);
        String url = protocol.url("/gfal-" + protocol);
        Path copy = directory.resolve("copy");
        Client gfal = Client.named("gfal-copy");

        gfal.run("-K", "ADLER32", "file://" + sample.file(), url).succeeded();
        gfal.run("-K", "ADLER32", url, "file://" + copy).succeeded();

        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("protocols")
    void gfalReplacesByForceAndMakesParents(Protocol protocol) {
        Sample sample = sample(1_000);
        String url = protocol.url("/forced-%s/a/b".formatted(protocol));
        Client gfal = Client.named("gfal-copy");

        gfal.run("-p", "file://" + sample.file(), url).succeeded();
        gfal.run("file://" + sample.file(), url).failed();
        gfal.run("-f", "file://" + sample.file(), url).succeeded();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("protocols")
    void gfalListsShowsSumsAndRemoves(Protocol protocol) {
        Sample sample = sample(4_711);
        String parent = protocol.url("/seen-" + protocol);
        Client.named("gfal-mkdir").run(parent).succeeded();
        Client.named("gfal-copy").run("file://" + sample.file(), parent + "/one").succeeded();

        Client.named("gfal-ls").run("-l", parent).succeeded().said("4711", "one");
        Client.named("gfal-stat").run(parent + "/one").succeeded().said("4711");
        Client.named("gfal-sum").run(parent + "/one", "ADLER32").succeeded().said(sample.adler32());
        Client.named("gfal-rename").run(parent + "/one", parent + "/two").succeeded();
        Client.named("gfal-rm").run(parent + "/two").succeeded();
        Client.named("gfal-rm").run("-r", parent).succeeded();

        Client.named("gfal-stat").run(parent).failed();
    }

    @Test
    void davixPutsGetsListsMovesAndRemoves() {
        Sample sample = sample(7_654_321);
        Path copy = directory.resolve("copy");

        Client.named("davix-mkdir").run(UP.get().http("/davix")).succeeded();
        Client.named("davix-put").run(sample.file(), UP.get().http("/davix/one")).succeeded();
        Client.named("davix-ls")
                .run("-l", UP.get().http("/davix"))
                .succeeded()
                .said("7654321", "one");
        // Its exit code is 255 even when it has moved.
        Client.named("davix-mv").run(UP.get().http("/davix/one"), UP.get().http("/davix/two"));
        Client.named("davix-get").run(UP.get().http("/davix/two"), copy).succeeded();
        Client.named("davix-rm").run(UP.get().http("/davix/two")).succeeded();

        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
        assertThat(UP.get().names("/davix")).isEmpty();
    }

    private Sample sample(long size) {
        return Sample.write(directory.resolve("sample"), size, size);
    }
}
