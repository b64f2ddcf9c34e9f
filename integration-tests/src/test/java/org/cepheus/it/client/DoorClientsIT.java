package org.cepheus.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that follow no redirects, at the door of an FST. */
class DoorClientsIT {
    /** {@code 12. copy_init............. FAIL (reason)}. */
    private static final Pattern LITMUS_LINE =
            Pattern.compile("^\\s*\\d+\\. (\\w+)\\.* (FAIL|WARNING)?.*$");

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    @Test
    void rcloneCopiesListsAndChecksATree() throws IOException {
        Path tree = directory.resolve("tree");
        Files.createDirectories(tree.resolve("sub"));
        Sample.write(tree.resolve("sub/a"), 1_000_000, 1);
        Sample.write(tree.resolve("sub/b"), 0, 2);
        Sample.write(tree.resolve("c with space"), 10, 3);

        rclone("copy", tree.toString(), ":webdav:/rclone").succeeded();
        rclone("lsf", "-R", ":webdav:/rclone")
                .succeeded()
                .said("c with space", "sub/", "sub/a", "sub/b");
        rclone("check", "--download", tree.toString(), ":webdav:/rclone").succeeded();
        rclone("purge", ":webdav:/rclone").succeeded();

        assertThat(UP.get().names("/")).doesNotContain("rclone");
    }

    /** What is known to fail, and why, is in clients/not-supported.txt. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({"basic", "copymove", "props", "http"})
    void litmusFindsNothingNew(String suite) throws IOException {
        Client.named("curl")
                .run("-sS", "--fail", "-X", "MKCOL", UP.get().door("/" + suite))
                .succeeded();
        Run run =
                Client.named("litmus")
                        .with("TESTS", suite)
                        .with("HTDOCS", "/usr/share/litmus/htdocs")
                        .in(directory)
                        .run("-k", UP.get().door("/" + suite + "/"));

        assertThat(failures(suite, run)).as(run::toString).isEqualTo(known(suite));
    }

    private static Set<String> failures(String suite, Run run) {
        var failures = new TreeSet<String>();
        assertThat(run.output())
                .as("it ran, to its end")
                .contains("-> running `" + suite + "'")
                .contains("<- summary for `" + suite + "'");
        for (String line : run.output().split("\n", -1)) {
            var matcher = LITMUS_LINE.matcher(line.substring(line.lastIndexOf('\r') + 1));
            if (matcher.matches() && "FAIL".equals(matcher.group(2))) {
                failures.add(matcher.group(1));
            }
        }
        return failures;
    }

    private static Set<String> known(String suite) throws IOException {
        Path list =
                Path.of(System.getProperty("cepheus.root", "."))
                        .resolve("integration-tests/clients/not-supported.txt");
        var known = new TreeSet<String>();
        for (String line : Files.readAllLines(list)) {
            String[] words = line.strip().split("\\s+", 4);
            if (words.length > 3 && words[0].equals("litmus") && words[1].equals(suite)) {
                known.add(words[2]);
            }
        }
        return known;
    }

    private Run rclone(String... arguments) {
        Object[] all = new Object[arguments.length + 3];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "--config=" + directory.resolve("rclone.conf");
        all[arguments.length + 1] = "--webdav-url=" + UP.get().door("/");
        all[arguments.length + 2] = "--webdav-vendor=other";
        return Client.named("rclone").run(all);
    }
}
