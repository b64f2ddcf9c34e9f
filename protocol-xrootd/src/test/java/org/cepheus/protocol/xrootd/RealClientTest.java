package org.cepheus.protocol.xrootd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.cepheus.domain.Identity;
import org.cepheus.domain.clients.RealClients;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Debian's xrdcp and xrdfs against a manager and a data server. */
final class RealClientTest {
    private TestCluster cluster;
    private String url;
    private String server;
    @TempDir private Path local;

    @BeforeAll
    static void requireClients() {
        RealClients.require("xrdcp", "xrootd-client");
        RealClients.require("xrdfs", "xrootd-client");
    }

    @BeforeEach
    void start() throws IOException {
        cluster = new TestCluster();
        server = "root://127.0.0.1:" + cluster.mgm.port();
        url = server + "/";
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static byte[] random(int size) {
        var bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private RealClient.Outcome xrdfs(String... words) throws Exception {
        var command = new String[words.length + 2];
        command[0] = "xrdfs";
        command[1] = server;
        System.arraycopy(words, 0, command, 2, words.length);
        return RealClient.run(command);
    }

    @Test
    void xrdcpUploadsWithPageChecksums() throws Exception {
        byte[] bytes = random(20_000_003);
        Path file = Files.write(local.resolve("a"), bytes);

        RealClient.run("xrdcp", "-s", file.toString(), url + "/a").succeeded();

        assertThat(cluster.site.content("/a")).contains(bytes);
        assertThat(cluster.site.opens.getLast().declaredSizeBytes()).hasValue(20_000_003);
    }

    @Test
    void xrdcpDownloadsWithPageChecksums() throws Exception {
        byte[] bytes = random(20_000_003);
        cluster.site.put("/a", bytes);

        RealClient.run("xrdcp", "-s", url + "/a", local.resolve("b").toString()).succeeded();

        assertThat(Files.readAllBytes(local.resolve("b"))).isEqualTo(bytes);
    }

    @Test
    void xrdcpCopiesWithPlainReadsAndWrites() throws Exception {
        byte[] bytes = random(9_000_001);
        Path file = Files.write(local.resolve("a"), bytes);
        List<String> plain = List.of("XRD_CPUSEPGWRTRD=0");

        RealClient.run(plain, "xrdcp", "-s", file.toString(), url + "/a").succeeded();
        RealClient.run(plain, "xrdcp", "-s", url + "/a", local.resolve("b").toString()).succeeded();

        assertThat(cluster.site.content("/a")).contains(bytes);
        assertThat(Files.readAllBytes(local.resolve("b"))).isEqualTo(bytes);
    }

    @Test
    void emptyFilesTravelBothWays() throws Exception {
        Path file = Files.write(local.resolve("a"), new byte[0]);

        RealClient.run("xrdcp", "-s", file.toString(), url + "/a").succeeded();
        RealClient.run("xrdcp", "-s", url + "/a", local.resolve("b").toString()).succeeded();

        assertThat(cluster.site.content("/a")).contains(new byte[0]);
        assertThat(local.resolve("b")).isEmptyFile();
    }

    @Test
    void checksumsAreComparedAfterBothWays() throws Exception {
        Path file = Files.write(local.resolve("a"), random(3_000_000));

        RealClient.run("xrdcp", "-s", "--cksum", "adler32", file.toString(), url + "/a")
                .succeeded();
        RealClient.run(
                        "xrdcp",
                        "-s",
                        "--cksum",
                        "crc32c:source",
                        url + "/a",
                        local.resolve("b").toString())
                .succeeded();
    }

    @Test
    void overwriteNeedsForce() throws Exception {
        Path file = Files.write(local.resolve("a"), random(1000));
        cluster.site.put("/a", random(2000));

        var refused = RealClient.run("xrdcp", "-s", file.toString(), url + "/a");
        RealClient.run("xrdcp", "-s", "-f", file.toString(), url + "/a").succeeded();

        assertThat(refused.code()).isNotZero();
        assertThat(cluster.site.content("/a")).contains(random(1000));
    }

    @Test
    void treesTravelBothWays() throws Exception {
        Path tree = Files.createDirectories(local.resolve("tree/deep/er"));
        for (int i = 0; i < 30; i++) {
            Files.write(tree.resolve("f" + i), random(1000 + i));
        }

        cluster.site.makeDirectory("/up");
        Files.createDirectory(local.resolve("down"));

        RealClient.run("xrdcp", "-s", "-r", local.resolve("tree").toString(), url + "/up")
                .succeeded();
        RealClient.run("xrdcp", "-s", "-r", url + "/up/tree", local.resolve("down").toString())
                .succeeded();

        for (int i = 0; i < 30; i++) {
            assertThat(cluster.site.content("/up/tree/deep/er/f" + i)).contains(random(1000 + i));
            assertThat(local.resolve("down/tree/deep/er/f" + i)).hasBinaryContent(random(1000 + i));
        }
    }

    @Test
    void aTreeIsCopiedIntoTheRoot() throws Exception {
        Path tree = Files.createDirectories(local.resolve("tree"));
        Files.write(tree.resolve("a"), random(10));
        Files.write(tree.resolve("b"), random(20));

        RealClient.run("xrdcp", "-r", "-s", tree.toString(), url + "/").succeeded();

        assertThat(cluster.site.content("/tree/a")).contains(random(10));
        assertThat(cluster.site.content("/tree/b")).contains(random(20));
    }

    @Test
    void parallelStreamsFallBackToOne() throws Exception {
        byte[] bytes = random(30_000_000);
        cluster.site.put("/a", bytes);

        RealClient.run("xrdcp", "-s", "-S", "4", url + "/a", local.resolve("b").toString())
                .succeeded();

        assertThat(Files.readAllBytes(local.resolve("b"))).isEqualTo(bytes);
    }

    @Test
    void serverSideCopyFallsBackToTheClient() throws Exception {
        byte[] bytes = random(100_000);
        cluster.site.put("/a", bytes);

        RealClient.run("xrdcp", "-s", "--tpc", "first", url + "/a", url + "/b").succeeded();

        assertThat(cluster.site.content("/b")).contains(bytes);
    }

    @Test
    void unixLoginTellsTheUser() throws Exception {
        xrdfs("stat", "/").succeeded();

        Identity identity = cluster.site.lastCaller.identity();
        assertThat(identity.user()).isEqualTo(System.getProperty("user.name"));
        assertThat(identity.primaryGroup()).isNotEmpty().doesNotContain(" ");
        assertThat(cluster.site.lastCaller.address()).isEqualTo("127.0.0.1");
    }

    @Test
    void statShowsSizeOwnerAndMode() throws Exception {
        cluster.site.put("/a", random(1234));

        String text = xrdfs("stat", "/a").succeeded().text();

        assertThat(text).contains("1234").contains("IsReadable|IsWritable").contains("ann");
        assertThat(xrdfs("stat", "/none").text())
                .contains("[3011]")
                .contains("; next: Check the path")
                .contains("[trace ");
    }

    @Test
    void listingShowsThousandsOfEntries() throws Exception {
        for (int i = 0; i < 2500; i++) {
            cluster.site.put("/f%04d".formatted(i), new byte[i % 7]);
        }
        cluster.site.makeDirectory("/sub");
        cluster.site.makeDirectory("/sub/empty");

        String plain = xrdfs("ls", "/").succeeded().text();
        String detailed = xrdfs("ls", "-l", "/").succeeded().text();

        assertThat(plain.lines()).hasSize(2501).startsWith("/f0000").endsWith("/sub");
        assertThat(detailed.lines()).hasSize(2501);
        assertThat(detailed).contains("/f2499").contains("drwx");
        assertThat(xrdfs("ls", "-l", "/sub/empty").succeeded().text()).isEmpty();
        assertThat(xrdfs("ls", "/sub/empty").succeeded().text()).isEmpty();
        assertThat(xrdfs("ls", "-R", "/sub").succeeded().text()).contains("/sub/empty");
    }

    @Test
    void namesAreMadeMovedAndRemoved() throws Exception {
        xrdfs("mkdir", "-p", "/x/y/z").succeeded();
        cluster.site.put("/x/f", random(10));
        xrdfs("mv", "/x/f", "/x/y/g").succeeded();
        xrdfs("chmod", "/x/y/g", "rw-------").succeeded();
        assertThat(cluster.site.content("/x/y/g")).isPresent();
        assertThat(xrdfs("rmdir", "/x/y").text()).contains("not empty");

        xrdfs("rm", "/x/y/g").succeeded();
        xrdfs("rmdir", "/x/y/z").succeeded();

        assertThat(xrdfs("stat", "/x/y/z").text()).contains("[3011]");
    }

    @Test
    void locateNamesTheManagerOnly() throws Exception {
        cluster.site.put("/a", random(10));

        String text = xrdfs("locate", "/a").succeeded().text();

        assertThat(text).contains("127.0.0.1:" + cluster.mgm.port()).contains("Server");
        assertThat(xrdfs("locate", "-h", "/a").succeeded().text()).contains("localhost:");
        assertThat(xrdfs("locate", "-d", "*").succeeded().text()).contains("Server");
    }

    @Test
    void queriesAreAnswered() throws Exception {
        cluster.site.put("/a", "hello".getBytes(java.nio.charset.StandardCharsets.US_ASCII));

        assertThat(xrdfs("query", "checksum", "/a").succeeded().text())
                .startsWith("adler32 062c0215");
        assertThat(xrdfs("query", "config", "role").succeeded().text()).startsWith("manager");
        assertThat(xrdfs("query", "space", "/").succeeded().text())
                .contains("oss.quota=1073741824");
        assertThat(xrdfs("spaceinfo", "/").succeeded().text()).contains("Total");
        assertThat(xrdfs("statvfs", "/").succeeded().text()).contains("Nodes with RW space");
    }

    @Test
    void catAndTailRead() throws Exception {
        cluster.site.put(
                "/a", "first\nlast\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));

        assertThat(xrdfs("cat", "/a").succeeded().text()).isEqualTo("first\nlast\n");
        assertThat(xrdfs("tail", "-c", "5", "/a").succeeded().text()).contains("last");
    }

    @Test
    void whatIsNotServedIsRefusedAndTheSessionLivesOn() throws Exception {
        cluster.site.put("/a", random(10));

        assertThat(xrdfs("query", "opaque", "a").text()).contains("[3013]");
        assertThat(xrdfs("query", "opaquefile", "/a").text()).contains("[3013]");
        assertThat(xrdfs("stat", "/a").text()).contains("Size:   10");
    }

    @Test
    void xrdcpReadsOverTheStreamsThatItBinds() throws Exception {
        byte[] bytes = random(50_000_003);
        cluster.site.put("/a", bytes);

        RealClient.run("xrdcp", "-s", "-S", "4", url + "/a", local.resolve("b").toString())
                .succeeded();
        assertThat(cluster.metrics.count("bind")).isGreaterThanOrEqualTo(3);
        RealClient.run(
                        List.of("XRD_CPUSEPGWRTRD=0"),
                        "xrdcp",
                        "-s",
                        "-S",
                        "4",
                        local.resolve("b").toString(),
                        url + "/c")
                .succeeded();
        RealClient.run(
                        List.of("XRD_CPUSEPGWRTRD=0"),
                        "xrdcp",
                        "-s",
                        "-S",
                        "4",
                        url + "/c",
                        local.resolve("d").toString())
                .succeeded();

        assertThat(Files.readAllBytes(local.resolve("b"))).isEqualTo(bytes);
        assertThat(Files.readAllBytes(local.resolve("d"))).isEqualTo(bytes);
        assertThat(cluster.metrics.count("pgread")).isPositive();
        assertThat(cluster.metrics.count("read")).isPositive();
    }

    @Test
    void xrdfsCutsPreparesAndSetsAttributes() throws Exception {
        cluster.site.put("/a", random(10));

        xrdfs("truncate", "/a", "5").succeeded();
        assertThat(xrdfs("prepare", "-s", "/a").succeeded().text()).startsWith("disk-");
        xrdfs("xattr", "/a", "set", "colour=blue").succeeded();
        assertThat(xrdfs("xattr", "/a", "list").succeeded().text()).contains("colour=\"blue\"");
        assertThat(xrdfs("xattr", "/a", "get", "colour").succeeded().text()).contains("blue");
        xrdfs("xattr", "/a", "del", "colour").succeeded();
        assertThat(xrdfs("xattr", "/a", "del", "colour").text()).contains("[3027]");
        assertThat(xrdfs("query", "stats", "a").succeeded().text()).contains("<statistics ");
        assertThat(xrdfs("statvfs", "/").succeeded().text())
                .contains("Nodes with RW space:                1");

        assertThat(cluster.site.content("/a").orElseThrow()).hasSize(5);
    }

    @Test
    void aDeadFstIsToldAsTried() throws Exception {
        cluster.site.put("/a", random(10));
        cluster.fst.close();

        RealClient.run(
                List.of(
                        "XRD_CONNECTIONWINDOW=2",
                        "XRD_CONNECTIONRETRY=1",
                        "XRD_STREAMERRORWINDOW=2"),
                "xrdcp",
                "-s",
                url + "/a",
                local.resolve("b").toString());

        assertThat(cluster.site.opens).hasSizeGreaterThan(1);
        assertThat(cluster.site.opens.get(1).avoidFsts()).containsExactly(1);
        assertThat(cluster.site.opens.get(1).avoidHosts()).isNotEmpty();
        assertThat(cluster.site.opens.getFirst().avoidFsts()).isEmpty();
        assertThat(Optional.of(local.resolve("b")).filter(Files::exists)).isEmpty();
    }
}
