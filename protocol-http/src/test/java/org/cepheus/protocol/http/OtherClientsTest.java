package org.cepheus.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.cepheus.domain.clients.RealClients;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clients of the grid and of WebDAV against a manager and a data server. */
final class OtherClientsTest {
    @TempDir Path directory;
    private Site site;

    @BeforeEach
    void start() throws IOException {
        site = Site.open();
    }

    @AfterEach
    void stop() {
        site.close();
    }

    private String run(String... command) throws Exception {
        Path log = directory.resolve("log");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        // Debian's gfal tools look for a python that is called so.
        builder.environment().putIfAbsent("GFAL_PYTHONBIN", "/usr/bin/python3");
        Process process = builder.start();
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        String output = Files.readString(log, StandardCharsets.UTF_8);
        process.destroyForcibly();
        assertThat(ended).as("ended in time: " + output).isTrue();
        return output + "\nexit " + process.exitValue();
    }

    private Path source(int size) throws IOException {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return Files.write(directory.resolve("source"), bytes);
    }

    @Test
    void davixPutsGetsListsAndDeletesThroughRedirects() throws Exception {
        RealClients.require("davix-put", "davix");
        Path source = source(2_000_000);
        // As dav:// davix speaks WebDAV, as http:// only plain HTTP.
        String directoryUrl = site.managerUrl("/d").replace("http:", "dav:");
        String url = directoryUrl + "/file";

        var outputs = new ArrayList<String>();
        outputs.add(run("davix-mkdir", directoryUrl));
        outputs.add(run("davix-put", source.toString(), url));
        outputs.add(run("davix-get", url, directory.resolve("copy").toString()));
        String listing = run("davix-ls", "-l", directoryUrl + "/");
        outputs.add(listing);
        run("davix-mv", url, url + "2"); // Its exit code is 255 even when it moved.
        assertThat(site.namespace.exists("/d/file2")).isTrue();
        outputs.add(run("davix-rm", url + "2"));

        assertThat(outputs).allSatisfy(output -> assertThat(output).endsWith("exit 0"));
        assertThat(listing).contains("file").contains("2000000");
        assertThat(Files.mismatch(source, directory.resolve("copy"))).isEqualTo(-1);
        assertThat(site.namespace.exists("/d/file2")).isFalse();
    }

    @Test
    void gfalCopiesWithChecksumsThroughRedirects() throws Exception {
        RealClients.require("gfal-copy", "gfal2-util-scripts");
        Path source = source(3_000_000);
        String url = site.managerUrl("/file");

        String put = run("gfal-copy", "-K", "ADLER32", "file://" + source, url);
        String replace = run("gfal-copy", "-f", "-K", "ADLER32", "file://" + source, url);
        String get = run("gfal-copy", "-K", "ADLER32", url, "file://" + directory.resolve("copy"));
        String stat = run("gfal-stat", url);
        String list = run("gfal-ls", "-l", site.managerUrl("/").replace("http:", "dav:"));

        assertThat(List.of(put, replace, get, stat, list))
                .allSatisfy(output -> assertThat(output).endsWith("exit 0"));
        assertThat(stat).contains("3000000");
        assertThat(list).contains("file");
        assertThat(Files.mismatch(source, directory.resolve("copy"))).isEqualTo(-1);
    }

    @Test
    void rcloneCopiesATreeThroughTheDoor() throws Exception {
        RealClients.require("rclone", "rclone");
        Path tree = Files.createDirectories(directory.resolve("tree/sub"));
        for (int i = 0; i < 20; i++) {
            Files.write(tree.resolve("file " + i), new byte[i * 10_000]);
        }
        String remote = ":webdav,url=\"%s\":".formatted(site.doorUrl("/"));

        String put = run("rclone", "copy", "tree", remote + "up");
        String check = run("rclone", "check", "--download", "tree", remote + "up");

        assertThat(List.of(put, check)).allSatisfy(output -> assertThat(output).endsWith("exit 0"));
        assertThat(site.namespace.bytes("/up/sub/file 19")).hasSize(190_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"basic", "copymove", "props", "http"})
    void litmusFindsNothingAmissAtTheDoor(String suite) throws Exception {
        RealClients.require("litmus", "litmus");
        site.namespace.directory("/dav");

        String said = run("env", "TESTS=" + suite, "litmus", "-k", site.doorUrl("/dav/"));

        assertThat(said).contains(" passed, 0 failed").doesNotContain("FAIL");
    }
}
