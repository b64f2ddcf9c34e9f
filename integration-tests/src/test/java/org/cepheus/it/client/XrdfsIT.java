package org.cepheus.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
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
    void readsTheStartAndTheEndOfAFile() {
        put("/text", 5_000);

        xrdfs("cat", "/text").succeeded();
        xrdfs("tail", "-c", "10", "/text").succeeded();
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
