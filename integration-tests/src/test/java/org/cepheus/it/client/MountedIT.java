package org.cepheus.it.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * davfs2: the door as a mounted file system. Needs root and /dev/fuse. Its default buffer of 16 KiB
 * is too small for how kernels from 6.16 on read directories: they hear EINVAL.
 */
class MountedIT {
    @RegisterExtension static final SharedUp UP = new SharedUp();

    private static final int LONGEST_NAME = 240;

    @TempDir Path directory;

    private Path mount;

    @BeforeEach
    void mountTheDoor() throws IOException {
        mount = Files.createDirectory(directory.resolve("mount"));
        Path conf =
                Files.writeString(
                        directory.resolve("davfs2.conf"),
                        """
                        use_locks 0
                        ask_auth 0
                        delay_upload 0
                        buf_size 128
                        """);
        Files.setPosixFilePermissions(conf, PosixFilePermissions.fromString("rw-------"));
        Client program = Client.named("mount.davfs");
        if (!Files.isReadable(Path.of("/dev/fuse"))
                || !"root".equals(System.getProperty("user.name"))) {
            abort("davfs2 cannot mount here: it needs root and /dev/fuse");
        }
        Run run = program.run(UP.get().door("/"), mount, "-o", "conf=" + conf);
        if (run.output().contains("fuse") && run.exitCode() != 0) {
            abort("davfs2 cannot mount here: " + run.text());
        }
        run.succeeded();
    }

    @AfterEach
    void unmount() {
        Client.named("umount").within(Duration.ofSeconds(30)).run(mount);
    }

    @Test
    void davfs2WritesListsReadsMovesAndDeletes() throws IOException {
        Sample sample = Sample.write(directory.resolve("sample"), 3_000_000, 7);
        Path tree = Files.createDirectory(mount.resolve("tree"));
        Path file = tree.resolve("büro #1 & \"2\"?");

        Files.copy(sample.file(), file);
        Deadline.await(
                "the upload is visible",
                Duration.ofSeconds(30),
                () -> UP.get().names("/tree").size() == 1);
        try (Stream<Path> names = Files.list(tree)) {
            assertThat(names.map(path -> path.getFileName().toString()))
                    .containsExactly("büro #1 & \"2\"?");
        }
        Path moved = Files.move(file, tree.resolve("moved"), StandardCopyOption.ATOMIC_MOVE);
        assertThat(UP.get().names("/tree")).containsExactly("moved");
        assertThat(Sample.adler32Of(moved)).isEqualTo(sample.adler32());
        Files.delete(moved);
        Files.delete(tree);

        assertThat(UP.get().names("/")).doesNotContain("tree");
    }

    @Test
    void davfs2KeepsNamesThatMeanSomethingInUrls() throws IOException {
        Path tree = Files.createDirectory(mount.resolve("names"));
        for (String each : StrangeNamesIT.NAMES) {
            // davfs2 itself keeps a local file of the name and more.
            String name = each.substring(0, Math.min(each.length(), LONGEST_NAME));
            Path file = Files.writeString(tree.resolve(name), name);
            Deadline.await(
                    "the upload is visible: " + name,
                    Duration.ofSeconds(30),
                    () -> UP.get().names("/names").equals(List.of(name)));
            try (Stream<Path> names = Files.list(tree)) {
                assertThat(names.map(path -> path.getFileName().toString())).containsExactly(name);
            }
            assertThat(file).hasContent(name);
            Path moved = Files.move(file, tree.resolve("moved"), StandardCopyOption.ATOMIC_MOVE);
            assertThat(UP.get().names("/names")).containsExactly("moved");
            Files.move(moved, file, StandardCopyOption.ATOMIC_MOVE);
            assertThat(UP.get().names("/names")).containsExactly(name);
            Files.delete(file);
            assertThat(UP.get().names("/names")).isEmpty();
        }
    }
}
