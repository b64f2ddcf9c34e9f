package org.cepheus.it.ceph;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Deadline;
import org.cepheus.it.harness.Ports;

/**
 * A Ceph on this machine: {@code integration-tests/ceph/cluster.py} as a process, which takes
 * commands as lines and ends everything when its input ends, so also when this JVM is killed.
 */
final class CephCluster implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration COMMAND = Duration.ofSeconds(100);
    private static final Duration END = Duration.ofSeconds(40);
    private static final Path SCRIPT =
            Path.of(System.getProperty("cepheus.root", "."), "integration-tests/ceph/cluster.py");

    private final Path directory;
    private final Path log;
    private final Process process;
    private final BufferedWriter commands;
    private int answers;

    private CephCluster(Path directory, Process process) {
        this.directory = directory;
        this.log = directory.resolve("answers");
        this.process = process;
        this.commands = process.outputWriter();
    }

    /** Starts one, or skips the test and says why this machine cannot. */
    static CephCluster start() {
        for (String program :
                List.of("ceph-mon", "ceph-mgr", "ceph-osd", "ceph-mds", "ceph-fuse")) {
            Client.named(program);
        }
        if (!Files.isReadable(Path.of("/dev/fuse"))
                || !"root".equals(System.getProperty("user.name"))) {
            abort("no CephFS can be mounted here: it needs root and /dev/fuse");
        }
        try {
            Path directory = Files.createTempDirectory("ceph");
            Process process =
                    new ProcessBuilder(
                                    SCRIPT.toString(),
                                    directory.resolve("c").toString(),
                                    Integer.toString(Ports.freeBase()))
                            .redirectErrorStream(true)
                            .redirectOutput(directory.resolve("answers").toFile())
                            .start();
            var cluster = new CephCluster(directory, process);
            cluster.awaitAnswer("the cluster runs", START);
            return cluster;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitAnswer(String what, Duration limit) {
        int before = answers;
        Deadline.await(
                what + ": " + log,
                limit,
                () -> {
                    answers = (int) said().filter(CephCluster::isAnswer).count();
                    return answers > before || !process.isAlive();
                });
        String last = said().filter(CephCluster::isAnswer).reduce((_, b) -> b).orElse("nothing");
        if (!last.startsWith("ok")) {
            String all = String.join("\n", said().toList());
            if (!process.isAlive()) {
                close();
            }
            throw new AssertionError("%s: %s".formatted(what, all));
        }
    }

    private static boolean isAnswer(String line) {
        return line.startsWith("ok") || line.startsWith("failed");
    }

    /** Whole lines only. */
    private Stream<String> said() {
        try {
            String text = Files.readString(log);
            return text.substring(0, text.lastIndexOf('\n') + 1).lines();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void command(String line) {
        try {
            commands.write(line + "\n");
            commands.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitAnswer(line, COMMAND);
    }

    /** Mounts a directory of the CephFS by ceph-fuse; the mount point is made if it is missing. */
    Path mount(String cephDirectory, String name, List<String> options) {
        Path point = directory.resolve(name);
        command("mount %s %s %s".formatted(cephDirectory, point, String.join(" ", options)));
        return point;
    }

    void umount(Path point) {
        command("umount " + point);
    }

    /** kill -9 of an OSD ({@code osd.0}) or of the ceph-fuse of a mount point. */
    void kill(Object name) {
        command("kill " + name);
    }

    void pause(Object name) {
        command("pause " + name);
    }

    void resume(Object name) {
        command("resume " + name);
    }

    /** Starts an OSD that was killed. */
    void restart(String osd) {
        command("start " + osd);
    }

    /** Waits until it has got over what was done to it: all OSDs up and all their data whole. */
    void settle() {
        command("settle");
    }

    /** Sets an attribute of the CephFS such as a quota. */
    static void set(Path path, String attribute, Object value) {
        Client.named("setfattr").run("-n", attribute, "-v", value, path).succeeded();
    }

    static String get(Path path, String attribute) {
        return Client.named("getfattr")
                .run("--only-values", "--absolute-names", "-n", attribute, path)
                .succeeded()
                .text();
    }

    @Override
    public void close() {
        try {
            commands.close();
        } catch (IOException _) {
            // It has ended already; its processes with it.
        }
        try {
            if (!process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroy();
                process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
