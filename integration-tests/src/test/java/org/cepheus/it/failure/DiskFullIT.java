package org.cepheus.it.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.cepheus.it.harness.CepheusUp;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Sample;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Volumes on small file systems of their own. */
class DiskFullIT {
    private static final int MIB = 1 << 20;
    private static final String SIZE = "24m";

    @TempDir Path directory;

    @Test
    void aFullDiskLeavesNothingAndTheNextFileFits() {
        Assumptions.assumeTrue(
                System.getProperty("user.name").equals("root"),
                "only root can mount a small file system");
        try (var up = CepheusUp.start()) {
            up.cli("quota", "set", "/", "--bytes", "1GiB").succeeded();
            up.interrupt().succeeded();
            mountSmall(up.data().resolve("volume1"));
            mountSmall(up.data().resolve("volume2"));
            try {
                up.restart();
                fillAndRecover(up);
            } finally {
                up.kill();
                Client.named("umount").run(up.data().resolve("volume1"));
                Client.named("umount").run(up.data().resolve("volume2"));
            }
        }
    }

    private void fillAndRecover(CepheusUp up) {
        Sample large = Sample.write(directory.resolve("large"), 40 * MIB, 1);
        Sample small = Sample.write(directory.resolve("small"), 2 * MIB, 2);

        Client.named("sh")
                .run("-c", "cat %s | xrdcp - %s".formatted(large.file(), up.root("/large")))
                .failed()
                .said("space");
        Client.named("curl")
                .run("-sS", "-L", "-w", "%{http_code}", "-T", large.file(), up.http("/large"))
                .succeeded()
                .said("507");

        assertThat(up.names("/")).isEmpty();
        Deadline.await(
                "what did not fit is given back",
                Duration.ofSeconds(30),
                () ->
                        up.quota("/").path("reservedBytes").asLong() == 0
                                && up.dataFiles().isEmpty());
        assertThat(up.quota("/").path("usedBytes").asLong()).isZero();
        Client.named("xrdcp")
                .run("--cksum", "adler32", small.file(), up.root("/small"))
                .succeeded();
    }

    /** Puts a small file system over the directory, with what is in it now. */
    private static void mountSmall(Path volume) {
        Client.named("sh")
                .run(
                        "-ec",
                        """
                        mkdir "$1.before" && cp -a "$1/." "$1.before/"
                        mount -t tmpfs -o size=$2 cepheus-it "$1"
                        cp -a "$1.before/." "$1/" && rm -r "$1.before"
                        """,
                        "mount",
                        volume,
                        SIZE)
                .succeeded();
    }
}
