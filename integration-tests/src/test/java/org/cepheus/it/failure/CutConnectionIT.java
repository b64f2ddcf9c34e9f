package org.cepheus.it.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Running;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A connection that breaks in the middle of a transfer: the client comes back and goes on. */
class CutConnectionIT {
    private static final int MIB = 1 << 20;

    /**
     * Without page checksums: after a cut in the middle of a pgwrite, XrdCl 5.5 sends the head
     * again but only the rest of the body. The server sees damaged pages and refuses; C++ XRootD
     * likewise.
     */
    private static final String NO_PAGES = "0";

    private static final Duration SOON = Duration.ofSeconds(30);

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    @Test
    void anUploadIsTakenUpAgain() {
        Sample sample = Sample.write(directory.resolve("sample"), 48 * MIB, 1);
        Running xrdcp =
                Client.named("xrdcp")
                        .with("XRD_CPUSEPGWRTRD", NO_PAGES)
                        .start("--xrate", "8m", sample.file(), UP.get().root("/upload"));
        Deadline.await(
                "half of it has arrived",
                SOON,
                () ->
                        UP.get().dataFiles().stream()
                                .anyMatch(file -> file.toFile().length() > 16 * MIB));

        cutConnectionsToFsts();

        xrdcp.finish(Duration.ofSeconds(60)).succeeded();
        assertThat(
                        UP.get()
                                .rest("namespace?path=/upload")
                                .path("checksums")
                                .path("adler32")
                                .asString())
                .isEqualTo(sample.adler32());
        assertThat(UP.get().transfers()).isEmpty();
    }

    @Test
    void aDownloadGoesOn() {
        Sample sample = Sample.write(directory.resolve("sample"), 48 * MIB, 2);
        Path copy = directory.resolve("copy");
        Client.named("xrdcp").run(sample.file(), UP.get().root("/download")).succeeded();
        Running xrdcp =
                Client.named("xrdcp").start("--xrate", "8m", UP.get().root("/download"), copy);
        Deadline.await("half of it is here", SOON, () -> copy.toFile().length() > 16 * MIB);

        cutConnectionsToFsts();

        xrdcp.finish(Duration.ofSeconds(60)).succeeded();
        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
    }

    /** By a reset from the server side; root may ask the kernel for it. */
    private static void cutConnectionsToFsts() {
        Client.needsRoot("only root can cut a connection");
        var cut = new StringBuilder();
        for (int fst = 1; fst <= 2; fst++) {
            cut.append(
                    Client.named("ss")
                            .run("-K", "src", "127.0.0.1", "sport", "=", UP.get().portBase() + fst)
                            .output());
        }
        assertThat(cut.toString()).as("the connections that were cut").contains("ESTAB");
    }
}
