package org.cepheus.it.journey;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** docs/journeys/an-admin-sets-a-quota.md, walked. */
class AnAdminSetsAQuotaIT {
    private static final int MIB = 1 << 20;

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    @Test
    void theLimitRefusesXrdcpAndNamesNodeLimitAndUse() {
        makeNode("/xrd", "--bytes", "3MiB");
        put(UP.get().root("/xrd/first"), 2 * MIB);
        Sample second = Sample.write(directory.resolve("second"), 2 * MIB, 2);

        Client.named("xrdcp")
                .run(second.file(), UP.get().root("/xrd/second"))
                .failed()
                .said("quota exceeded at /xrd", "limit 3145728 bytes", "used 2097152");

        assertThat(UP.get().names("/xrd")).containsExactly("first");
    }

    @Test
    void theLimitRefusesCurlWith507AndTheSameSentence() {
        makeNode("/http", "--bytes", "3MiB");
        put(UP.get().root("/http/first"), 2 * MIB);
        Sample second = Sample.write(directory.resolve("second"), 2 * MIB, 3);

        Client.named("curl")
                .run(
                        "-sS",
                        "-L",
                        "-T",
                        second.file(),
                        "-w",
                        "%{http_code}",
                        UP.get().http("/http/second"))
                .succeeded()
                .said("quota exceeded at /http", "limit 3145728 bytes", "used 2097152", "507");

        assertThat(UP.get().names("/http")).containsExactly("first");
    }

    @Test
    void aLimitOfFilesRefusesTheNextFile() {
        makeNode("/files", "--files", "2");
        put(UP.get().root("/files/1"), 10);
        put(UP.get().root("/files/2"), 10);
        Sample third = Sample.write(directory.resolve("third"), 10, 4);

        Client.named("xrdcp")
                .run(third.file(), UP.get().root("/files/3"))
                .failed()
                .said("quota exceeded at /files", "limit 2 files", "used 2");
    }

    @Test
    void aFileOfTheSameSizeIsReplacedAtTheLimit() {
        makeNode("/full", "--bytes", "2MiB");
        put(UP.get().root("/full/file"), 2 * MIB);
        Sample other = Sample.write(directory.resolve("other"), 2 * MIB, 5);

        Client.named("xrdcp").run("-f", other.file(), UP.get().root("/full/file")).succeeded();

        assertThat(UP.get().quota("/full").path("usedBytes").asLong()).isEqualTo(2 * MIB);
    }

    @Test
    void theListShowsTheSumOfTheFiles() {
        makeNode("/sum", "--bytes", "1GiB");
        put(UP.get().root("/sum/a"), 1_000);
        put(UP.get().root("/sum/deep/down/b"), 70_000);
        put(UP.get().http("/sum/c"), 500_000);

        JsonNode row = quotaRow("/sum");

        assertThat(row.path("usedBytes").asLong()).isEqualTo(571_000);
        assertThat(row.path("usedFiles").asLong()).isEqualTo(3);
        assertThat(row.path("reservedBytes").asLong()).isZero();
        assertThat(row.path("limitBytes").asLong()).isEqualTo(1L << 30);
    }

    @Test
    void removingAFileGivesItsRoomBack() {
        makeNode("/room", "--bytes", "2MiB");
        put(UP.get().root("/room/old"), 2 * MIB);

        Client.named("xrdfs").run(UP.get().server(), "rm", "/room/old").succeeded();

        put(UP.get().root("/room/new"), 2 * MIB);
        assertThat(UP.get().names("/room")).containsExactly("new");
    }

    @Test
    void removingTheLimitLetsEverythingIn() {
        makeNode("/gone", "--bytes", "1KiB");
        UP.get().cli("quota", "rm", "/gone", "--yes").succeeded();

        put(UP.get().root("/gone/file"), MIB);

        assertThat(UP.get().names("/gone")).containsExactly("file");
    }

    @Test
    void aNodeOverFilesThatAreThereCountsThem() {
        put(UP.get().root("/before/file"), 12_345);
        UP.get().cli("quota", "set", "/before", "--bytes", "1MiB").succeeded();

        Deadline.await(
                "the files of before are counted",
                Duration.ofSeconds(10),
                () -> quotaRow("/before").path("usedBytes").asLong() == 12_345);
    }

    private void makeNode(String path, String... limits) {
        Client.named("xrdfs").run(UP.get().server(), "mkdir", path).succeeded();
        var arguments = new java.util.ArrayList<>(java.util.List.of("quota", "set", path));
        arguments.addAll(java.util.List.of(limits));
        UP.get().cli(arguments.toArray(String[]::new)).succeeded();
    }

    private void put(String url, int size) {
        Path file = Sample.write(directory.resolve("put"), size, 1).file();
        if (url.startsWith("root:")) {
            Client.named("xrdcp").run("-p", file, url).succeeded();
        } else {
            Client.named("curl").run("-sS", "--fail", "-L", "-T", file, url).succeeded();
        }
    }

    private static JsonNode quotaRow(String path) {
        String json = UP.get().cli("quota", "ls", "--json").succeeded().output();
        for (JsonNode row : JsonMapper.shared().readTree(json).path("quotas")) {
            if (row.path("path").asString().equals(path)
                    && row.path("kind").asString().equals("project")) {
                return row;
            }
        }
        throw new AssertionError("no row of " + path + " in " + json);
    }
}
