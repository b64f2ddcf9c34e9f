package org.cepheus.it.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What operators let file systems and nodes be used for is what clients meet. */
class FileSystemStatesIT {
    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    @AfterEach
    void everythingIsForWritingAgain() {
        for (int id = 1; id <= 2; id++) {
            setState("fs/" + id, "rw");
            setState("nodes/fst" + id, "rw");
        }
    }

    @Test
    void newFilesGoWhereTheyMayBeWritten() {
        Sample sample = Sample.write(directory.resolve("sample"), 100_000, 1);
        setState("fs/1", "ro");
        JsonNode space = UP.get().rest("spaces").path("spaces").get(0);
        List<Path> before = UP.get().dataFiles();

        for (int i = 0; i < 4; i++) {
            put(sample, "/spread/" + i).succeeded();
        }

        var came = new ArrayList<>(UP.get().dataFiles());
        came.removeAll(before);
        assertThat(space.path("writable").asInt()).isEqualTo(1);
        assertThat(came)
                .hasSize(4)
                .extracting(file -> UP.get().data().relativize(file).getName(0).toString())
                .containsOnly("volume2");
    }

    @Test
    void aRefusalNamesWhatIsNotForWritingAndReadersDoNotMind() {
        Sample sample = Sample.write(directory.resolve("sample"), 100_000, 2);
        Path copy = directory.resolve("copy");
        put(sample, "/readers/file").succeeded();
        setState("fs/1", "ro");
        setState("fs/2", "drain");

        put(sample, "/readers/another")
                .failed()
                .said("no volume takes new files", "volume 1 is ro", "volume 2 is drain");
        curl("-T", sample.file(), UP.get().http("/readers/third")).failed().said("507");
        Client.named("xrdcp").run("-f", UP.get().root("/readers/file"), copy).succeeded();

        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
        JsonNode rows = UP.get().rest("fs?filter=state!=rw&sort=-id").path("fs");
        assertThat(rows.findValuesAsString("state")).containsExactly("drain", "ro");
    }

    @Test
    void nobodyNewIsSentToANodeThatIsDrained() {
        Sample sample = Sample.write(directory.resolve("sample"), 100_000, 3);
        setState("nodes/fst1", "drain");

        for (int i = 0; i < 4; i++) {
            put(sample, "/drained/" + i).succeeded();
            curl("-o", "/dev/null", "-w", "%{redirect_url}", UP.get().http("/drained/" + i))
                    .succeeded()
                    .said(":" + (UP.get().portBase() + 12) + "/");
        }

        JsonNode drained = UP.get().rest("nodes?filter=id=fst1").path("nodes").get(0);
        assertThat(drained.path("state").asString()).isEqualTo("drain");
        assertThat(drained.path("alive").asBoolean()).isTrue();
    }

    @Test
    void theStateIsThereAfterARestart() {
        setState("fs/2", "ro");

        UP.get().interrupt();
        UP.get().restart();

        assertThat(UP.get().rest("fs?filter=id=2").path("fs").get(0).path("state").asString())
                .isEqualTo("ro");
    }

    private static Run put(Sample sample, String path) {
        return Client.named("xrdcp").run("-p", "-f", sample.file(), UP.get().root(path));
    }

    private static Run curl(Object... arguments) {
        var all = new ArrayList<Object>(List.of("-sS", "--fail-with-body"));
        all.addAll(List.of(arguments));
        return Client.named("curl").run(all.toArray());
    }

    private static void setState(String what, String state) {
        var answer = UP.get().ask("PATCH", what, "{\"state\":\"" + state + "\"}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
    }
}
