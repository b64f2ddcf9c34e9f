package org.cepheus.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.cepheus.it.harness.Tree;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Each command against a real server; nobody sits at a terminal here. */
class CommandLineIT {
    private static final int DECLINED = 9;
    private static final int NOT_FOUND = 3;
    private static final int CONFLICT = 8;

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir static Path directory;

    @BeforeAll
    static void putFiles() {
        put("/tree/a.root", 1_000);
        put("/tree/deep/b.root", 70_000);
        put("/tree/deep/er/c.txt", 5);
    }

    private static void put(String path, int size) {
        Path file = Sample.write(directory.resolve("put"), size, 1).file();
        Client.named("xrdcp").run("-f", "-p", file, UP.get().root(path)).succeeded();
    }

    @Test
    void statusTellsScriptsWhatEosTellsThem() {
        Run run = UP.get().cli("status", "-m").succeeded();

        assertThat(run.output().lines().toList())
                .anyMatch(line -> line.matches("uid=all gid=all .*ns\\.total\\.files=\\d+ .*"))
                .anyMatch(line -> line.matches("type=nodesview id=1 .*status=online .*"))
                .anyMatch(line -> line.matches("id=1 stat\\.active=online .*"));
    }

    @Test
    void lsFiltersByColumns() {
        assertThat(UP.get().cli("ls", "/tree", "--filter", "type=file", "-m").text())
                .matches("name=a\\.root type=file size=1000 .*xstype=adler32 xs=[0-9a-f]{8}");
    }

    @Test
    void aTerminalHasColoursUnlessNoColorIsSet() {
        String word = "status --data " + UP.get().data();
        Client terminal = Client.named("script").with("TERM", "xterm").with("NO_COLOR", "");
        String[] line = {"-qec", Tree.ROOT.resolve("cepheus") + " " + word, "/dev/null"};

        terminal.run((Object[]) line).succeeded().said("leader", "\u001b[32monline");
        assertThat(terminal.with("NO_COLOR", "1").run((Object[]) line).succeeded().output())
                .contains("leader", "online")
                .doesNotContain("\u001b");
    }

    @Test
    void findMeetsEveryLevel() {
        Run run = UP.get().cli("find", "/tree", "-f", "--name", "*.root").succeeded();

        assertThat(run.output().lines()).containsExactly("/tree/a.root", "/tree/deep/b.root");
    }

    @Test
    void duAddsUpWhatThereIs() {
        assertThat(UP.get().cli("du", "/tree", "--depth", "0", "-m").text())
                .isEqualTo("treesize=71005 treefiles=3 treecontainers=2 path=/tree");
    }

    @Test
    void quotaLsShowsWhatIsUsedOfWhat() {
        UP.get().cli("mkdir", "-p", "/limited").succeeded();
        UP.get().cli("quota", "set", "/limited", "--bytes", "10000", "--files", "3").succeeded();
        put("/limited/file", 9_500);

        Run people = UP.get().cli("quota", "ls", "/limited").succeeded();
        Run scripts = UP.get().cli("quota", "ls", "/limited", "-m").succeeded();

        people.said("Quota Node: /limited/", "[#########.]  95.0 %", "warning");
        assertThat(scripts.text())
                .contains("quota=node gid=project space=/limited/ usedbytes=9500 ")
                .contains(" maxbytes=10000 ", " percentageusedbytes=95.00 statusbytes=warning ")
                .contains(" maxfiles=3 statusfiles=ok");
    }

    @Test
    void quotaRmAsksFirst() {
        UP.get().cli("mkdir", "/asked").succeeded();
        UP.get().cli("quota", "set", "/asked", "--files", "3").succeeded();

        Run refused = UP.get().cli("quota", "rm", "/asked");

        assertThat(refused.exitCode()).isEqualTo(DECLINED);
        refused.said("this removes all limits of /asked", "--yes");
        UP.get().cli("quota", "rm", "/asked", "--yes").succeeded();
    }

    @Test
    void mkdirMvAndRmChangeTheNamespace() {
        UP.get().cli("mkdir", "-p", "/made/by/hand").succeeded();
        assertThat(UP.get().cli("mkdir", "/made").exitCode()).isEqualTo(CONFLICT);
        UP.get().cli("mv", "/made/by/hand", "/made/other").succeeded();
        assertThat(UP.get().cli("rm", "/made", "-y").exitCode()).isEqualTo(CONFLICT);
        UP.get().cli("rm", "/made/other", "-y").succeeded();

        assertThat(UP.get().names("/made")).containsExactly("by");
        assertThat(UP.get().cli("rm", "/made/other", "-y").exitCode()).isEqualTo(NOT_FOUND);
    }

    @Test
    void rmRemovesATreeAndItsBytes() {
        for (int i = 0; i < 20; i++) {
            put("/old/%d/file".formatted(i % 4) + i, 100);
        }

        assertThat(UP.get().cli("rm", "-r", "/old").exitCode()).isEqualTo(DECLINED);
        UP.get().cli("rm", "-r", "/old", "--yes").succeeded().said("25 entries are removed");

        assertThat(UP.get().cli("stat", "/old").exitCode()).isEqualTo(NOT_FOUND);
    }

    @Test
    void attributesAreWhatXrdfsSees() {
        put("/noted", 1);
        UP.get().cli("attr", "set", "user.comment=raw data", "/noted").succeeded();

        assertThat(UP.get().cli("attr", "get", "user.comment", "/noted").text())
                .isEqualTo("raw data");
        UP.get().cli("attr", "ls", "/noted", "-m").said("name=user.comment value=raw%20data");
        UP.get().cli("attr", "rm", "user.comment", "/noted", "-y").succeeded();
        assertThat(UP.get().cli("attr", "get", "user.comment", "/noted").exitCode())
                .isEqualTo(NOT_FOUND);
    }

    @Test
    void checksumPrintsWhatWasStored() {
        Sample sample = Sample.write(directory.resolve("sum"), 12_345, 7);
        Client.named("xrdcp").run("-f", sample.file(), UP.get().root("/sum")).succeeded();

        assertThat(UP.get().cli("checksum", "/sum", "--type", "adler32").text())
                .isEqualTo("adler32  %s  /sum".formatted(sample.adler32()));
    }

    @Test
    void healthIsGood() {
        UP.get().cli("health").succeeded().said("health: ok");
    }

    @Test
    void topShowsOnePicture() {
        UP.get().cli("top", "-n", "1").succeeded().said("mgm1 leader", "uploads: 0 running");
    }

    @Test
    void everyJsonIsOneDocument() {
        for (List<String> words :
                List.of(
                        List.of("status"),
                        List.of("health"),
                        List.of("ls", "/tree"),
                        List.of("stat", "/tree"),
                        List.of("find", "/tree"),
                        List.of("du", "/tree"),
                        List.of("checksum", "/tree/a.root"),
                        List.of("attr", "ls", "/tree"),
                        List.of("quota", "ls"),
                        List.of("transfer", "ls"))) {
            var all = new java.util.ArrayList<>(words);
            all.add("--json");
            JsonNode document =
                    JsonMapper.shared()
                            .readTree(
                                    UP.get().cli(all.toArray(String[]::new)).succeeded().output());

            assertThat(document.isObject()).as(words.toString()).isTrue();
        }
    }
}
