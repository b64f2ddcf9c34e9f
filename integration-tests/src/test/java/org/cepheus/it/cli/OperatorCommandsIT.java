package org.cepheus.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.RawXrootd;
import org.cepheus.it.harness.Running;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.cepheus.it.harness.XrootdWire;
import org.cepheus.protocol.xrootd.wire.XrootdRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What operators ask of a whole cluster, against a real one. */
class OperatorCommandsIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir static Path directory;

    private static void put(String path, int size) {
        Path file = Sample.write(directory.resolve("put"), size, 1).file();
        Client.named("xrdcp").run("-f", "-p", file, UP.get().root(path)).succeeded();
    }

    @Test
    void nodeLsShowsMgmsAndFsts() {
        assertThat(UP.get().cli("node", "ls", "-m").succeeded().output().lines().toList())
                .anyMatch(line -> line.matches("type=nodesview kind=mgm id=mgm1 .*role=leader.*"))
                .anyMatch(line ->
                        line.matches(
                                "type=nodesview kind=fst .*status=online configstatus=rw .*nofs=2 .*"));
    }

    @Test
    void fsSetTakesAVolumeOutOfServiceAndBack() {
        UP.get().cli("fs", "set", "2", "ro").succeeded();
        UP.get().cli("fs", "ls", "--filter", "id=2", "-m").said("configstatus=ro");
        assertThat(UP.get().cli("fs", "set", "2", "off").exitCode()).isEqualTo(9);
        UP.get().cli("fs", "set", "2", "rw").succeeded();
        UP.get().cli("fs", "ls", "--filter", "id=2", "-m").said("configstatus=rw");
    }

    @Test
    void nodeSetDrainsAnFstAndBack() {
        UP.get().cli("node", "set", "fst2", "drain").succeeded();
        UP.get().cli("node", "ls", "--filter", "id=fst2", "-m").said("configstatus=drain");
        UP.get().cli("node", "set", "fst2", "rw").succeeded();
    }

    @Test
    void spaceLsCountsFiles() {
        put("/space/file", 10);

        assertThat(UP.get().cli("space", "ls", "-m").succeeded().text())
                .startsWith("type=spaceview name=")
                .contains(" nofs=2 nofs.rw=");
    }

    @Test
    void eventsTailShowsAFileAppear() {
        Running tail =
                Client.cepheus()
                        .start(
                                "events",
                                "tail",
                                "/seen",
                                "-m",
                                "-n",
                                "1",
                                "--type",
                                "committed",
                                "--from",
                                "0",
                                "--data",
                                UP.get().data());
        try {
            put("/seen/file", 4_321);

            tail.finish(LIMIT).succeeded().said("type=committed", "size=4321", "path=/seen/file");
        } finally {
            tail.kill();
        }
    }

    @Test
    void sessionLsShowsWhoIsLoggedIn() {
        try (RawXrootd _ = RawXrootd.login(UP.get().portBase())) {
            UP.get().cli("session", "ls", "-m").succeeded().said("protocol=");
        }
    }

    @Test
    void transferKillEndsAnUpload() {
        Path file = Sample.write(directory.resolve("slow"), 8 << 20, 2).file();
        Running upload =
                Client.named("curl")
                        .start("-sSL", "--limit-rate", "100k", "-T", file, UP.get().http("/slow"));
        try {
            Deadline.await("the upload runs", LIMIT, () -> !UP.get().transfers().isEmpty());
            String id = UP.get().transfers().getFirst().path("id").asString();

            UP.get().cli("transfer", "kill", id, "--yes").succeeded();

            Deadline.await("it is gone", LIMIT, () -> UP.get().transfers().isEmpty());
            assertThat(UP.get().cli("stat", "/slow").exitCode()).isEqualTo(3);
        } finally {
            upload.kill();
        }
    }

    @Test
    void transferLsShowsADownloadAndTransferKillEndsIt() {
        put("/fetched", 64 << 20); // More than the sockets hold.
        Running reading =
                Client.named("curl")
                        .start(
                                "-sSL",
                                "--limit-rate",
                                "100k",
                                "-o",
                                "/dev/null",
                                UP.get().http("/fetched"));
        try {
            Deadline.await("it is shown", LIMIT, () -> listedDownload().contains("path=/fetched"));
            String id = listedDownload().replaceFirst("(?s).*\\bid=(\\S+).*", "$1");

            UP.get().cli("transfer", "kill", id, "--yes").succeeded().said(id + " is ended");

            Deadline.await("it is gone", LIMIT, () -> listedDownload().isEmpty());
        } finally {
            reading.kill();
        }
    }

    private static String listedDownload() {
        return UP.get()
                .cli("transfer", "ls", "-m", "--filter", "way=down")
                .succeeded()
                .text()
                .strip();
    }

    @Test
    void statFindsAnEntryByItsInode() {
        put("/numbered/before", 100);
        String inode = UP.get().rest("namespace?path=/numbered/before").path("inode").asString();
        UP.get().cli("mv", "/numbered", "/renamed").succeeded();

        UP.get().cli("stat", "inode:" + inode, "-m").succeeded().said("file=/renamed/before");
        assertThat(UP.get().cli("stat", "inode:999999").exitCode()).isEqualTo(3);
        assertThat(UP.get().cli("stat", "inode:x").exitCode()).isEqualTo(3);
    }

    @Test
    void quotaVerifyFindsEveryCounterEqual() {
        UP.get().cli("mkdir", "/verified").succeeded();
        UP.get().cli("quota", "set", "/verified", "--bytes", "1GiB").succeeded();
        put("/verified/a", 12_345);

        UP.get().cli("quota", "verify").succeeded().said("equal: ");
    }

    @Test
    void mvTakesALargeDirectoryAcrossQuotaNodes() {
        UP.get().cli("mkdir", "/counted").succeeded();
        UP.get().cli("quota", "set", "/counted", "--bytes", "1GiB").succeeded();
        makeManyDirectories("/large");
        put("/large/file", 777);

        UP.get()
                .cli("mv", "/large", "/counted/large")
                .succeeded()
                .said("/large is large", "is renamed to /counted/large");

        assertThat(UP.get().quota("/counted").path("usedBytes").asLong()).isEqualTo(777);
        UP.get().cli("quota", "verify").succeeded().said("equal: ");
        assertThat(UP.get().cli("quota", "ls", "/counted/large", "-m").text()).isEmpty();
        assertThat(UP.get().cli("attr", "ls", "/counted/large", "-m").text()).isEmpty();
    }

    /** More than one log entry moves or counts. */
    private static void makeManyDirectories(String parent) {
        int count = 1_100;
        try (XrootdWire mgm = XrootdWire.loggedIn(UP.get().portBase())) {
            mgm.ask(new XrootdRequest.MakeDirectory(0, 0755, parent));
            for (int i = 0; i < count; i++) {
                mgm.send(
                        XrootdWire.bytes(
                                new XrootdRequest.MakeDirectory(0, 0755, parent + "/" + i)));
            }
            for (int i = 0; i < count; i++) {
                assertThat(mgm.answer().status()).isZero();
            }
        }
    }

    @Test
    void softLimitsAndDefaultsShow() {
        UP.get().cli("mkdir", "/soft").succeeded();
        UP.get()
                .cli("quota", "set", "/soft", "--bytes", "1MiB", "--soft-bytes", "1000")
                .succeeded();
        UP.get().cli("quota", "set", "/soft", "--default", "users", "--files", "7").succeeded();
        put("/soft/a", 1_500);

        UP.get()
                .cli("quota", "ls", "/soft", "-m")
                .said("softbytes=1000", "statusbytes=warning", "uid=*", "maxfiles=7");
    }

    @Test
    void configShowAsksTheServer() {
        UP.get().cli("config", "show", "-m").succeeded().said("from=server");
    }
}
