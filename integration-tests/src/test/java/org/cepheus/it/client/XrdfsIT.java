package org.cepheus.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Debian's xrdfs looks and changes. */
class XrdfsIT {
    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    @Test
    void listsNamesWithSizesAndOwners() {
        put("/listed/a", 17);
        xrdfs("mkdir", "/listed/sub").succeeded();

        Run list = xrdfs("ls", "-l", "/listed").succeeded();

        assertThat(list.output().lines().toList()).hasSize(2);
        assertThat(list.output()).containsPattern("-rw.* 17 .*/listed/a\n");
        assertThat(list.output()).containsPattern("d.*/listed/sub\n");
    }

    @Test
    void listsADirectoryOfManyNames() {
        for (int i = 0; i < 3; i++) {
            xrdfs("mkdir", "-p", "/many/%0200d".formatted(i)).succeeded();
        }

        assertThat(xrdfs("ls", "/many").succeeded().output().lines()).hasSize(3);
    }

    @Test
    void listsAnEmptyDirectory() {
        xrdfs("mkdir", "/hollow").succeeded();

        assertThat(xrdfs("ls", "-l", "/hollow").succeeded().text()).isEmpty();
    }

    @Test
    void showsSizeAndFlagsOfAFile() {
        put("/shown", 4_711);

        xrdfs("stat", "/shown").succeeded().said("Size:   4711", "IsReadable");
        xrdfs("stat", "-q", "IsDir", "/").succeeded();
        xrdfs("stat", "/missing").failed().said("[3011]", "/missing");
    }

    @Test
    void movesFilesAndDirectories() {
        put("/from/file", 10);
        put("/from/other", 20);

        xrdfs("mv", "/from/file", "/from/renamed").succeeded();
        xrdfs("mv", "/from", "/to").succeeded();

        assertThat(UP.get().names("/to")).containsExactly("other", "renamed");
        xrdfs("stat", "/from").failed().said("[3011]");
        xrdfs("mv", "/to", "/to/inside").failed();
    }

    @Test
    void removesFilesAndEmptyDirectoriesOnly() {
        put("/waste/file", 10);

        xrdfs("rmdir", "/waste").failed().said("/waste");
        xrdfs("rm", "/waste").failed();
        xrdfs("rm", "/waste/file").succeeded();
        xrdfs("rm", "/waste/file").failed().said("[3011]");
        xrdfs("rmdir", "/waste").succeeded();

        xrdfs("stat", "/waste").failed().said("[3011]");
    }

    @Test
    void makesDirectoriesAndTheirParents() {
        xrdfs("mkdir", "/p/q/r").failed().said("/p");
        xrdfs("mkdir", "-p", "/p/q/r").succeeded();
        xrdfs("mkdir", "/p").failed().said("[3018]");

        assertThat(UP.get().names("/p/q")).containsExactly("r");
    }

    @Test
    void changesTheMode() {
        put("/private", 10);

        xrdfs("chmod", "/private", "rw-r-----").succeeded();

        assertThat(UP.get().rest("namespace?path=/private").path("mode").asString())
                .isEqualTo("0640");
    }

    @Test
    void asksForChecksumConfigurationAndSpace() {
        Sample sample = put("/summed", 100_000);

        xrdfs("query", "checksum", "/summed").succeeded().said("adler32 " + sample.adler32());
        xrdfs("query", "config", "chksum").succeeded().said("adler32");
        xrdfs("query", "config", "tpc").succeeded();
        xrdfs("query", "space", "/").succeeded().said("oss.free=");
        xrdfs("spaceinfo", "/").succeeded().said("Free");
    }

    @Test
    void locatesAtTheManagerItself() {
        put("/located", 10);

        xrdfs("locate", "/located").succeeded().said(":" + UP.get().portBase(), "Server ReadWrite");
        xrdfs("locate", "-d", "/located").succeeded();
    }

    @Test
    void locatesInAllForms() {
        put("/spread/file", 10);

        for (String option : List.of("-n", "-r", "-d", "-m", "-h", "-p")) {
            xrdfs("locate", option, "/spread/file").succeeded().said("Server ReadWrite");
        }
        xrdfs("locate", "*").succeeded().said("Server ReadWrite");
        xrdfs("locate", "/spread/none").failed().said("[3011]");
    }

    @Test
    void readsTheStartAndTheEndOfAFile() throws IOException {
        Path text = Files.writeString(directory.resolve("text"), "first line\nlast line\n");
        Client.named("xrdcp").run(text, UP.get().root("/text")).succeeded();

        assertThat(xrdfs("cat", "/text").succeeded().output()).isEqualTo("first line\nlast line\n");
        assertThat(xrdfs("tail", "-c", "10", "/text").succeeded().output())
                .isEqualTo("last line\n");
    }

    @Test
    void listsRecursivelyWithAddressesAndChecksums() {
        Sample sample = put("/deep/one/two/file", 4_000);

        xrdfs("ls", "-R", "/deep").succeeded().said("/deep/one/two/file");
        xrdfs("ls", "-l", "-R", "/deep").succeeded().said(" 4000 ", "/deep/one/two/file");
        xrdfs("ls", "-u", "/deep/one")
                .succeeded()
                .said("root://", ":" + UP.get().portBase() + "//deep/one/two");
        xrdfs("ls", "-D", "/deep/one/two").succeeded().said("/deep/one/two/file");
        xrdfs("ls", "-l", "-C", "/deep/one/two").succeeded().said("adler32:" + sample.adler32());
    }

    @Test
    void cutsAFileShorterAndLonger() {
        put("/cut", 100_000);

        xrdfs("truncate", "/cut", "70000").succeeded();
        xrdfs("stat", "/cut").said("Size:   70000");
        xrdfs("truncate", "/cut", "0").succeeded();
        xrdfs("stat", "/cut").said("Size:   0");
        xrdfs("truncate", "/cut", "5000000").succeeded();

        xrdfs("stat", "/cut").said("Size:   5000000");
        xrdfs("query", "checksum", "/cut").succeeded().said("adler32");
        xrdfs("truncate", "/none", "5").failed().said("[3011]", "/none");
        xrdfs("truncate", "/", "5").failed();
    }

    @Test
    void keepsExtendedAttributes() {
        put("/tagged", 10);
        xrdfs("mkdir", "/tagged.d").succeeded();

        for (String path : List.of("/tagged", "/tagged.d")) {
            xrdfs("xattr", path, "set", "colour=deep blue").succeeded();
            xrdfs("xattr", path, "set", "empty=").succeeded();
            xrdfs("xattr", path, "get", "colour").succeeded().said("colour=\"deep blue\"");
            xrdfs("xattr", path, "list").succeeded().said("colour=\"deep blue\"", "empty=\"\"");
            xrdfs("xattr", path, "del", "colour").succeeded();
            assertThat(xrdfs("xattr", path, "list").succeeded().output()).doesNotContain("colour");
            xrdfs("xattr", path, "get", "colour").failed();
            xrdfs("xattr", path, "del", "colour").failed().said("[3027]", "colour");
        }
        xrdfs("xattr", "/none", "set", "colour=blue").failed().said("[3011]", "/none");
    }

    @Test
    void preparesWhatIsOnDiskAtOnce() {
        put("/staged", 10);

        String id = xrdfs("prepare", "-s", "-p", "2", "/staged").succeeded().text();
        xrdfs("query", "prepare", id, "/staged", "/none")
                .succeeded()
                .said("\"online\":true", "\"path_exists\":false");
        xrdfs("prepare", "-a", id).succeeded();
        xrdfs("prepare", "-e", "/staged").succeeded();
        xrdfs("prepare", "-s", "/none").failed().said("[3011]", "/none");
        xrdfs("stat", "/staged").succeeded().said("Size:   10");
    }

    @Test
    void tellsOfItselfAndRefusesWhatIsForPlugins() {
        put("/told", 10);

        xrdfs("query", "stats", "a").succeeded().said("<statistics ");
        xrdfs("query", "xattr", "/told").succeeded().said("oss.type=f", "oss.used=10&");
        xrdfs("query", "checksumcancel", "/told").succeeded();
        xrdfs("query", "config", "role").succeeded().said("manager");
        xrdfs("query", "config", "fattr").succeeded().said("248 65536");
        xrdfs("query", "opaque", "x").failed().said("[3013]", "plug-in");
        xrdfs("query", "opaquefile", "/told").failed().said("[3013]", "plug-in");
        xrdfs("statvfs", "/").succeeded().said("Nodes with RW space:                1");
        xrdfs("spaceinfo", "/").succeeded().said("Total", "Largest");
    }

    @Test
    void copiesBetweenPaths() {
        Sample sample = put("/here", 3_000_000);

        Client.named("xrdcp").run(UP.get().root("/here"), UP.get().root("/there")).succeeded();

        xrdfs("query", "checksum", "/there").said(sample.adler32());
    }

    @Test
    void copiesBetweenPathsWithTheirAttributes() {
        put("/marked", 1_000);
        xrdfs("xattr", "/marked", "set", "colour=blue").succeeded();

        Client.named("xrdcp")
                .run("--xattr", UP.get().root("/marked"), UP.get().root("/marked.copy"))
                .succeeded();

        xrdfs("xattr", "/marked.copy", "list").succeeded().said("colour=\"blue\"");
    }

    private static Run xrdfs(String... arguments) {
        Object[] all = new Object[arguments.length + 1];
        all[0] = UP.get().server();
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Client.named("xrdfs").run(all);
    }

    private Sample put(String path, long size) {
        Sample sample = Sample.write(directory.resolve("put"), size, size);
        Client.named("xrdcp").run("-p", sample.file(), UP.get().root(path)).succeeded();
        return sample;
    }
}
