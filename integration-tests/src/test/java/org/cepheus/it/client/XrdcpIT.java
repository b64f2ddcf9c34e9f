package org.cepheus.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Debian's xrdcp puts and gets. */
class XrdcpIT {
    private static final long GIB = 1L << 30;

    /** As the first users will try; -Dcepheus.big=1 where the disk is small. */
    private static final long BIG_BYTES = Long.getLong("cepheus.big", 4) * GIB;

    private static final Duration LONG = Duration.ofMinutes(3);
    private static final int TREE_FILES = 1_000;

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    @Test
    void copiesABigFileInAndOut() throws IOException {
        Sample sample = Sample.write(directory.resolve("big"), BIG_BYTES, 1);
        Path copy = directory.resolve("copy");
        Client xrdcp = Client.named("xrdcp").within(LONG);

        xrdcp.run("--cksum", "adler32", sample.file(), UP.get().root("/big")).succeeded();
        Files.delete(sample.file());
        xrdcp.run("--cksum", "adler32", UP.get().root("/big"), copy).succeeded();

        assertThat(copy).hasSize(BIG_BYTES);
        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
        Client.named("xrdfs").run(UP.get().server(), "rm", "/big").succeeded();
    }

    @Test
    void copiesATreeOfAThousandFilesInAndOut() throws IOException {
        Path tree = directory.resolve("tree");
        for (int i = 0; i < TREE_FILES; i++) {
            Path file = tree.resolve("d%02d/f%03d".formatted(i % 20, i));
            Files.createDirectories(file.getParent());
            Sample.write(file, i * 37L, i);
        }
        Client xrdcp = Client.named("xrdcp").within(LONG);

        xrdcp.run("-r", "--cksum", "adler32", tree, UP.get().root("/")).succeeded();
        Path out = Files.createDirectory(directory.resolve("out"));
        xrdcp.run("-r", "--cksum", "adler32", UP.get().root("/tree"), out).succeeded();

        assertThat(sums(out.resolve("tree"))).isEqualTo(sums(tree)).hasSize(TREE_FILES);
    }

    /** Their bytes go from the page cache to the socket, a pipe at a time. */
    @Test
    void copiesOutByReadsWithoutPageChecksums() {
        Sample sample = Sample.write(directory.resolve("plain"), 20_000_003, 1);
        Path copy = directory.resolve("copy");
        Client xrdcp = Client.named("xrdcp").with("XRD_CPUSEPGWRTRD", "0");

        xrdcp.run(sample.file(), UP.get().root("/plain")).succeeded();
        xrdcp.run("--cksum", "adler32", UP.get().root("/plain"), copy).succeeded();

        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
    }

    @Test
    void copiesAnEmptyFile() {
        Sample empty = Sample.write(directory.resolve("empty"), 0, 1);
        Path copy = directory.resolve("copy");

        Client.named("xrdcp")
                .run("--cksum", "adler32", empty.file(), UP.get().root("/empty"))
                .succeeded();
        Client.named("xrdcp").run(UP.get().root("/empty"), copy).succeeded();

        assertThat(copy).isEmptyFile();
    }

    @Test
    void writesFromStandardInputWithoutKnowingTheSize() {
        Sample sample = Sample.write(directory.resolve("piped"), 40_000_000, 7);

        Client.named("sh")
                .run("-c", "cat %s | xrdcp - %s".formatted(sample.file(), UP.get().root("/piped")))
                .succeeded();

        assertThat(checksum("/piped")).isEqualTo(sample.adler32());
    }

    @Test
    void makesParentsWhenAsked() {
        Sample sample = Sample.write(directory.resolve("leaf"), 10, 1);

        Client.named("xrdcp").run(sample.file(), UP.get().root("/x/y/z/leaf")).failed();
        Client.named("xrdcp").run("-p", sample.file(), UP.get().root("/x/y/z/leaf")).succeeded();

        assertThat(UP.get().names("/x/y/z")).containsExactly("leaf");
    }

    @Test
    void refusesAnExistingNameAndReplacesItByForce() {
        Sample first = Sample.write(directory.resolve("first"), 1_000, 1);
        Sample second = Sample.write(directory.resolve("second"), 2_000, 2);
        Client xrdcp = Client.named("xrdcp");
        xrdcp.run(first.file(), UP.get().root("/taken")).succeeded();

        xrdcp.run(second.file(), UP.get().root("/taken")).failed().said("exists");
        assertThat(checksum("/taken")).isEqualTo(first.adler32());
        xrdcp.run("-f", second.file(), UP.get().root("/taken")).succeeded();
        assertThat(checksum("/taken")).isEqualTo(second.adler32());
    }

    @Test
    void asksForAThirdPartyCopyFirstAndFallsBack() {
        Sample sample = Sample.write(directory.resolve("sample"), 2_000_000, 3);
        Client xrdcp = Client.named("xrdcp");
        xrdcp.run(sample.file(), UP.get().root("/source")).succeeded();

        xrdcp.run("--tpc", "first", UP.get().root("/source"), UP.get().root("/target")).succeeded();

        assertThat(checksum("/target")).isEqualTo(sample.adler32());
    }

    @Test
    void writesAndReadsOverSeveralStreams() {
        Sample sample = Sample.write(directory.resolve("sample"), 100_000_000, 4);
        Path copy = directory.resolve("copy");

        Client.named("xrdcp").run("-S", "4", sample.file(), UP.get().root("/streams")).succeeded();
        Client.named("xrdcp").run("-S", "4", UP.get().root("/streams"), copy).succeeded();

        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
    }

    @Test
    void asksForPersistenceOnSuccessOnly() {
        Sample sample = Sample.write(directory.resolve("sample"), 3_000_000, 5);

        Client.named("xrdcp").run("--posc", sample.file(), UP.get().root("/posc")).succeeded();

        assertThat(checksum("/posc")).isEqualTo(sample.adler32());
    }

    @Test
    void readsAMemberOfAZipFileByItsRange() throws IOException {
        Path zip = directory.resolve("some.zip");
        Sample stored = Sample.write(directory.resolve("stored"), 3_000_000, 11);
        Sample packed = Sample.write(directory.resolve("packed"), 100_000, 12);
        try (var out = new ZipOutputStream(Files.newOutputStream(zip))) {
            add(out, stored.file(), ZipEntry.STORED);
            add(out, packed.file(), ZipEntry.DEFLATED);
        }
        Client xrdcp = Client.named("xrdcp");
        xrdcp.run(zip, UP.get().root("/some.zip")).succeeded();

        for (Sample member : List.of(stored, packed)) {
            Path copy = directory.resolve("copy");
            String name = member.file().getFileName().toString();
            xrdcp.run("-f", UP.get().root("/some.zip?xrdcl.unzip=" + name), copy).succeeded();
            assertThat(Sample.adler32Of(copy)).isEqualTo(member.adler32());
            xrdcp.run("-f", "--zip", name, UP.get().root("/some.zip"), copy).succeeded();
            assertThat(Sample.adler32Of(copy)).isEqualTo(member.adler32());
        }
        Client.named("xrdfs")
                .run(UP.get().server(), "ls", "-Z", "/some.zip")
                .succeeded()
                .said("stored", "packed");
        xrdcp.run(UP.get().root("/some.zip?xrdcl.unzip=none"), directory.resolve("none")).failed();
    }

    private static void add(ZipOutputStream out, Path file, int method) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        var entry = new ZipEntry(file.getFileName().toString());
        entry.setMethod(method);
        if (method == ZipEntry.STORED) {
            var crc = new CRC32();
            crc.update(bytes);
            entry.setSize(bytes.length);
            entry.setCrc(crc.getValue());
        }
        out.putNextEntry(entry);
        out.write(bytes);
        out.closeEntry();
    }

    private static String checksum(String path) {
        return UP.get().rest("namespace?path=" + path).path("checksums").path("adler32").asString();
    }

    private static Map<String, String> sums(Path tree) throws IOException {
        var sums = new TreeMap<String, String>();
        try (Stream<Path> files = Files.walk(tree)) {
            files.filter(Files::isRegularFile)
                    .forEach(file ->
                            sums.put(tree.relativize(file).toString(), Sample.adler32Of(file)));
        }
        return sums;
    }
}
