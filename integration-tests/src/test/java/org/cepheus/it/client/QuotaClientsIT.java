package org.cepheus.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Running;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What real clients read about quotas: the same from every side, also when many write at once. */
class QuotaClientsIT {
    private static final int MIB = 1 << 20;
    private static final int WRITERS = 64;
    private static final int PIECE = MIB / 16;
    private static final Duration CROWD = Duration.ofMinutes(3);

    private static final Pattern REFUSAL =
            Pattern.compile(
                    "quota exceeded at /race: limit 4194304 bytes, used (\\d+), "
                            + "reserved by running uploads (\\d+), wanted 65536 more");

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    private void put(String path, int size) {
        Path file = Sample.write(directory.resolve("put"), size, 1).file();
        Client.named("xrdcp").run("-f", "-p", file, UP.get().root(path)).succeeded();
    }

    private static void limit(String path, String... limits) {
        var arguments = new ArrayList<>(List.of("quota", "set", path));
        arguments.addAll(List.of(limits));
        UP.get().cli(arguments.toArray(String[]::new)).succeeded();
    }

    @Test
    void sixtyFourWritersOfBothProtocolsNeverPassTheLimitAndEachRefusedReadsWhy() {
        put("/race/first", 3 * MIB);
        limit("/race", "--bytes", "4MiB");
        Path piece = Sample.write(directory.resolve("piece"), PIECE, 2).file();
        var running = new ArrayList<Running>();
        for (int i = 0; i < WRITERS; i++) {
            running.add(
                    i % 2 == 0
                            ? Client.named("xrdcp").start(piece, UP.get().root("/race/x" + i))
                            : Client.named("curl")
                                    .start("-sS", "-L", "-T", piece, UP.get().http("/race/c" + i)));
        }

        var refused = new ArrayList<Run>();
        for (Running each : running) {
            Run run = each.finish(CROWD);
            if (run.output().contains("quota exceeded")) {
                refused.add(run);
            }
        }

        assertThat(refused).hasSize(WRITERS - 16).allSatisfy(QuotaClientsIT::explains);
        JsonNode row = UP.get().quota("/race");
        assertThat(row.path("usedBytes").asLong()).isEqualTo(4 * MIB);
        assertThat(row.path("usedFiles").asLong()).isEqualTo(17);
        assertThat(UP.get().names("/race")).hasSize(17);
        Deadline.await(
                "nothing is reserved",
                Duration.ofSeconds(20),
                () -> UP.get().quota("/race").path("reservedBytes").asLong() == 0);
    }

    private static void explains(Run run) {
        Matcher refusal = REFUSAL.matcher(run.output());
        assertThat(refusal.find()).as(run::toString).isTrue();
        long taken = Long.parseLong(refusal.group(1)) + Long.parseLong(refusal.group(2));
        assertThat(taken).isBetween(4L * MIB - PIECE + 1, 4L * MIB);
    }

    @Test
    void spaceinfoPropfindAndTheRestApiShowTheSameNumbersAlsoWhileAnUploadRuns()
            throws IOException {
        put("/same/file", 3 * MIB);
        put("/same/inner/file", MIB);
        limit("/same", "--bytes", "10MiB");
        limit("/same/inner", "--bytes", "1GiB");

        // The outer limit leaves less than the inner one: 10 - 3 - 1.
        everybodyShows("/same", 6 * MIB);
        everybodyShows("/same/inner", 6 * MIB);

        Path piece = Sample.write(directory.resolve("piece"), 2 * MIB, 2).file();
        Running upload =
                Client.named("curl")
                        .start(
                                "-sSf",
                                "-L",
                                "--limit-rate",
                                "100k",
                                "-T",
                                piece,
                                UP.get().http("/same/inner/slow"));
        try {
            Deadline.await(
                    "its room is reserved",
                    Duration.ofSeconds(20),
                    () -> UP.get().quota("/same").path("reservedBytes").asLong() == 2 * MIB);
            everybodyShows("/same", 4 * MIB);
            everybodyShows("/same/inner", 4 * MIB);
            assertThat(UP.get().transfers()).as("it held its room all the time").hasSize(1);
            String id = UP.get().transfers().getFirst().path("id").asString();
            UP.get().cli("transfer", "kill", id, "--yes").succeeded();
        } finally {
            upload.kill();
        }
        everybodyShows("/same", 6 * MIB);
    }

    /** What is left below the outer limit of 10 MiB, of which 4 are used by files. */
    private void everybodyShows(String path, long left) throws IOException {
        JsonNode space = UP.get().rest("namespace/space?path=" + path);
        assertThat(space.path("availableBytes").asLong()).isEqualTo(left);
        JsonNode outer = UP.get().quota("/same");
        assertThat(space.path("quotas").values()).contains(outer);
        assertThat(outer.path("usedBytes").asLong()).isEqualTo(4 * MIB);
        assertThat(
                        outer.path("limitBytes").asLong()
                                - outer.path("usedBytes").asLong()
                                - outer.path("reservedBytes").asLong())
                .isEqualTo(left);
        Client.named("xrdfs")
                .run(UP.get().server(), "query", "space", path)
                .succeeded()
                .said("oss.free=" + left, "oss.used=" + 4 * MIB, "oss.quota=" + 10 * MIB);
        Run spaceinfo = Client.named("xrdfs").run(UP.get().server(), "spaceinfo", path).succeeded();
        assertThat(spaceinfo.output())
                .containsPattern("Free:\\s+" + left)
                .containsPattern("Used:\\s+" + 4 * MIB);
        assertThat(propfind(path))
                .contains("quota-available-bytes>" + left + "<")
                .contains("quota-used-bytes>" + 4 * MIB + "<");
    }

    private String propfind(String path) throws IOException {
        Path ask =
                Files.writeString(
                        directory.resolve("ask"),
                        """
                        <propfind xmlns="DAV:"><prop>
                        <quota-available-bytes/><quota-used-bytes/>
                        </prop></propfind>
                        """);
        return Client.named("curl")
                .run(
                        "-sS",
                        "-X",
                        "PROPFIND",
                        "-H",
                        "Depth: 0",
                        "--data-binary",
                        "@" + ask,
                        UP.get().http(path))
                .succeeded()
                .output();
    }

    @Test
    void aLimitOverManyEntriesHoldsOnceTheyAreCounted() {
        Path piece = Sample.write(directory.resolve("small"), 10, 3).file();
        Client.named("xrdfs").run(UP.get().server(), "mkdir", "/crowd").succeeded();
        Client.named("curl")
                .within(CROWD)
                .run("-sSf", "-L", "-Z", "-T", piece, UP.get().http("/crowd/[1-1100]"))
                .succeeded();

        limit("/crowd", "--files", "1100");

        Deadline.await(
                "the node is counted",
                Duration.ofSeconds(30),
                () -> UP.get().quota("/crowd").path("usedFiles").asLong() == 1100);
        Client.named("xrdcp")
                .run(piece, UP.get().root("/crowd/more"))
                .failed()
                .said("quota exceeded at /crowd: limit 1100 files, used 1100");
        Client.named("xrdfs").run(UP.get().server(), "mkdir", "/other").succeeded();
        limit("/other", "--files", "500");
        Client.named("xrdfs")
                .run(UP.get().server(), "mv", "/crowd", "/other/crowd")
                .failed()
                .said("quota exceeded at /other: limit 500 files");
        limit("/other", "--files", "5000");
        Client.named("xrdfs").run(UP.get().server(), "mv", "/crowd", "/other/crowd").succeeded();
        assertThat(UP.get().quota("/other").path("usedFiles").asLong()).isEqualTo(1100);
    }
}
