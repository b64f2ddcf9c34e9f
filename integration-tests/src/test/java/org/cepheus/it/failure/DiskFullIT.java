package org.cepheus.it.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.cepheus.it.harness.CepheusUp;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Running;
import org.cepheus.it.harness.Sample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Volumes on small file systems of their own. */
class DiskFullIT {
    private static final int MIB = 1 << 20;
    private static final String SIZE = "160m";
    private static final List<String> VOLUMES = List.of("volume1", "volume2");
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir Path directory;

    @Test
    void aFullDiskLeavesNothingAndTheNextFileFits() {
        Client.needsRoot("only root can mount a small file system");
        try (var up = CepheusUp.start()) {
            up.cli("quota", "set", "/", "--bytes", "1GiB").succeeded();
            up.interrupt();
            VOLUMES.forEach(volume -> mountSmall(up.data().resolve(volume)));
            try {
                up.restart();
                fillAndRecover(up);
                up.recount();
            } finally {
                up.kill();
                VOLUMES.forEach(volume -> Client.named("umount").run(up.data().resolve(volume)));
            }
        }
    }

    private void fillAndRecover(CepheusUp up) {
        Sample large = Sample.write(directory.resolve("large"), 64 * MIB, 1);
        Sample small = Sample.write(directory.resolve("small"), 2 * MIB, 2);
        Running xrdcp =
                Client.named("xrdcp").start("--xrate", "8m", large.file(), up.root("/large"));
        Deadline.await(
                "the upload runs: " + up.rest("status"),
                SOON,
                () -> !up.dataFiles().isEmpty() || !xrdcp.isAlive());
        assertThat(xrdcp.isAlive()).as(() -> xrdcp.output()).isTrue();

        for (String volume : VOLUMES) {
            Client.named("dd")
                    .run(
                            "if=/dev/zero",
                            "of=" + up.data().resolve(volume).resolve("other"),
                            "bs=1M")
                    .failed();
        }

        xrdcp.finish(Duration.ofMinutes(1)).failed().said("no space left");
        assertThat(up.names("/")).isEmpty();
        Deadline.await(
                "what did not fit is given back",
                SOON,
                () ->
                        up.quota("/").path("reservedBytes").asLong() == 0
                                && up.dataFiles().isEmpty());
        assertThat(up.quota("/").path("usedBytes").asLong()).isZero();
        Deadline.await(
                "the MGM has heard that the disks are full",
                SOON,
                () ->
                        Client.named("curl")
                                .run("-sS", "-L", "-T", small.file(), up.http("/small"))
                                .output()
                                .contains("no volume has"));
        for (String volume : VOLUMES) {
            up.data().resolve(volume).resolve("other").toFile().delete();
        }
        Deadline.await(
                "the MGM has heard that there is room",
                SOON,
                () ->
                        Client.named("xrdcp")
                                        .run(
                                                "-f",
                                                "--cksum",
                                                "adler32",
                                                small.file(),
                                                up.root("/small"))
                                        .exitCode()
                                == 0);
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
