package org.cepheus.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Every kind of limit refuses, and says at which node, whose it is, and how full, to everybody. */
class QuotaRefusalsIT {
    private static final int MIB = 1 << 20;
    private static final int NO_ROOM = 5;

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    /** A directory that everybody may write to, with a limit. */
    private static void makeNode(String path, String... limits) {
        Client.named("xrdfs").run(UP.get().server(), "mkdir", path).succeeded();
        Client.named("xrdfs").run(UP.get().server(), "chmod", path, "rwxrwxrwx").succeeded();
        limit(path, limits);
    }

    private static void limit(String path, String... limits) {
        var arguments = new ArrayList<>(List.of("quota", "set", path));
        arguments.addAll(List.of(limits));
        UP.get().cli(arguments.toArray(String[]::new)).succeeded();
    }

    /** A file that everybody may read. */
    private Path sample(int size) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path file = Sample.write(directory.resolve("of" + size), size, size).file();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        return file;
    }

    private static Run putAsNobody(Path file, String path) {
        Client.needsRoot("only root can run a client as somebody else");
        return Client.named("setpriv")
                .run(
                        "--reuid=nobody",
                        "--regid=nogroup",
                        "--clear-groups",
                        "xrdcp",
                        "-f",
                        file,
                        UP.get().root(path));
    }

    @Test
    void aUserAtItsLimitIsRefusedAndOthersAreNot() throws IOException {
        makeNode("/users", "--user", "nobody", "--bytes", "3MiB");
        putAsNobody(sample(2 * MIB), "/users/first").succeeded();

        putAsNobody(sample(2 * MIB), "/users/second")
                .failed()
                .said(
                        "quota exceeded at /users of user nobody: limit 3145728 bytes, used 2097152",
                        "wanted 2097152 more");

        Client.named("curl")
                .run("-sSf", "-L", "-T", sample(2 * MIB), UP.get().http("/users/other"))
                .succeeded();
        assertThat(UP.get().names("/users")).containsExactly("first", "other");
    }

    @Test
    void aGroupAtItsLimitIsRefused() throws IOException {
        makeNode("/groups", "--group", "nogroup", "--files", "1");
        putAsNobody(sample(10), "/groups/first").succeeded();

        putAsNobody(sample(10), "/groups/second")
                .failed()
                .said("quota exceeded at /groups of group nogroup: limit 1 files, used 1");
        assertThat(UP.get().names("/groups")).containsExactly("first");
    }

    @Test
    void theDefaultsOfANodeHoldForWhoHasNoLimitOfItsOwn() throws IOException {
        makeNode("/defaults", "--default", "users", "--bytes", "1MiB");
        limit("/defaults", "--default", "groups", "--files", "1");
        limit("/defaults", "--user", "root", "--bytes", "1GiB");

        putAsNobody(sample(2 * MIB), "/defaults/large")
                .failed()
                .said("quota exceeded at /defaults of user nobody: limit 1048576 bytes, used 0");
        putAsNobody(sample(10), "/defaults/small").succeeded();
        putAsNobody(sample(10), "/defaults/again")
                .failed()
                .said("quota exceeded at /defaults of group nogroup: limit 1 files, used 1");
        Client.named("curl")
                .run("-sSf", "-L", "-T", sample(2 * MIB), UP.get().http("/defaults/of-root"))
                .succeeded();
    }

    @Test
    void theCommandLineAndTheRestApiRefuseInTheSameWords() throws IOException {
        makeNode("/full", "--files", "1");
        Client.named("xrdcp").run(sample(10), UP.get().root("/full/one")).succeeded();
        Client.named("xrdcp").run(sample(10), UP.get().root("/loose")).succeeded();
        String sentence =
                "quota exceeded at /full: limit 1 files, used 1, reserved by running uploads 0, "
                        + "wanted 1 more; remove files or ask for a higher limit";

        Run mv = UP.get().cli("mv", "/loose", "/full/loose").failed().said(sentence);
        assertThat(mv.exitCode()).isEqualTo(NO_ROOM);

        HttpResponse<String> rename =
                UP.get()
                        .ask(
                                "POST",
                                "namespace/rename",
                                """
                                {"path": "/loose", "target": "/full/loose"}
                                """,
                                "Content-Type",
                                "application/json");
        assertThat(rename.statusCode()).isEqualTo(507);
        assertThat(JsonMapper.shared().readTree(rename.body()).path("detail").asString())
                .contains(sentence);
        Client.named("curl")
                .run("-sS", "-L", "-T", sample(10), UP.get().http("/full/two"))
                .said(sentence);
        Client.named("xrdcp").run(sample(10), UP.get().root("/full/two")).failed().said(sentence);
        assertThat(UP.get().names("/full")).containsExactly("one");
    }

    @Test
    void underALimitBelowWhatIsUsedFilesShrinkAndDoNotGrow() throws IOException {
        makeNode("/shrinks", "--bytes", "10MiB");
        Client.named("xrdcp").run(sample(3 * MIB), UP.get().root("/shrinks/a")).succeeded();
        Client.named("xrdcp").run(sample(2 * MIB), UP.get().root("/shrinks/b")).succeeded();

        limit("/shrinks", "--bytes", "1MiB");

        Client.named("xrdcp")
                .run(sample(10), UP.get().root("/shrinks/c"))
                .failed()
                .said("quota exceeded at /shrinks: limit 1048576 bytes, used 5242880");
        Client.named("xrdfs").run(UP.get().server(), "truncate", "/shrinks/a", "100").succeeded();
        Client.named("xrdfs").run(UP.get().server(), "rm", "/shrinks/b").succeeded();
        Client.named("xrdcp").run(sample(10), UP.get().root("/shrinks/c")).succeeded();
        assertThat(UP.get().quota("/shrinks").path("usedBytes").asLong()).isEqualTo(110);
    }
}
