package org.cepheus.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.RawXrootd;
import org.cepheus.it.harness.Running;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What scripts read: {@code --json} of every command that shows something, and what is in it. */
class JsonOfCommandsIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir static Path directory;

    @BeforeAll
    static void fill() {
        Path file = Sample.write(directory.resolve("put"), 1_000, 1).file();
        Client.named("xrdcp").run("-p", file, UP.get().root("/tree/a.root")).succeeded();
        Client.named("xrdcp").run("-p", file, UP.get().root("/tree/deep/b.root")).succeeded();
        UP.get().cli("attr", "set", "user.comment=raw data", "/tree/a.root").succeeded();
        UP.get().cli("quota", "set", "/tree", "--bytes", "1MiB").succeeded();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "status, /role, leader",
        "health, /status, ok",
        "node ls --sort id, /nodes/0/id, fst1",
        "node ls --filter kind=mgm, /nodes/0/role, leader",
        "fs ls, /fs/1/state, rw",
        "fs ls --filter id=2, /fs/0/id, 2",
        "space ls, /spaces/0/files, 2",
        "ls /tree, /entries/0/name, a.root",
        "stat /tree/a.root, /sizeBytes, 1000",
        "find /tree, /entries/1/path, /tree/deep",
        "find /tree -f --count, /count, 2",
        "du /tree --depth 0, /entries/0/sizeBytes, 2000",
        "checksum /tree/a.root, /path, /tree/a.root",
        "attr ls /tree/a.root, /attributes/0/name, user.comment",
        "attr get user.comment /tree/a.root, /value, raw data",
        "quota verify, /state, equal",
        "quota verify --status, /differences, 0",
        "config show, /settings/0/key, member"
    })
    void isOneDocumentWithWhatWasAskedFor(String words, String pointer, String expected) {
        assertThat(json(words).at(pointer).asString()).isEqualTo(expected);
    }

    @Test
    void sessionLsHasWhoIsLoggedIn() {
        try (RawXrootd _ = RawXrootd.login(UP.get().portBase())) {
            assertThat(json("session ls").at("/sessions/0/client").asString())
                    .isEqualTo("127.0.0.1");
        }
    }

    @Test
    void transferLsHasWhatRuns() {
        Path file = Sample.write(directory.resolve("slow"), 8 << 20, 2).file();
        Running upload =
                Client.named("curl")
                        .start("-sSL", "--limit-rate", "100k", "-T", file, UP.get().http("/slow"));
        try {
            Deadline.await("the upload runs", LIMIT, () -> !UP.get().transfers().isEmpty());

            JsonNode transfers = json("transfer ls");

            assertThat(transfers.at("/transfers/0/path").asString()).isEqualTo("/slow");
            assertThat(transfers.at("/transfers/0/declaredBytes").asLong()).isEqualTo(8 << 20);
            String id = transfers.at("/transfers/0/id").asString();
            UP.get().cli("transfer", "kill", id, "--yes").succeeded();
            Deadline.await("it is gone", LIMIT, () -> UP.get().transfers().isEmpty());
        } finally {
            upload.kill();
        }
    }

    @Test
    void eventsTailHasADocumentInEachLine() {
        List<JsonNode> events =
                UP.get()
                        .cli("events", "tail", "/tree", "--from", "0", "-n", "3", "--json")
                        .succeeded()
                        .output()
                        .lines()
                        .map(JsonMapper.shared()::readTree)
                        .toList();

        assertThat(events)
                .extracting(event -> event.path("type").asString())
                .hasSize(3)
                .contains("committed");
    }

    @Test
    void aRefusalIsNoDocumentAndHasItsCode() {
        var refused = UP.get().cli("stat", "/nowhere", "--json");

        assertThat(refused.exitCode()).isEqualTo(3);
        refused.said("/nowhere", "trace");
    }

    private static JsonNode json(String words) {
        var all = new ArrayList<>(List.of(words.split(" ")));
        all.add("--json");
        return JsonMapper.shared()
                .readTree(UP.get().cli(all.toArray(String[]::new)).succeeded().output());
    }
}
