package org.cepheus.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.cepheus.it.harness.Client;
import org.cepheus.it.harness.Run;
import org.cepheus.it.harness.Sample;
import org.cepheus.it.harness.SharedUp;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every HTTP client puts, lists, gets, moves and deletes files whose names mean something in URLs.
 */
class StrangeNamesIT {
    /** What means something in a URL or a shell, and the longest there may be. */
    static final List<String> NAMES =
            List.of(
                    "n".repeat(255),
                    "büro 日本語 😀",
                    "two  spaces",
                    "ha#sh",
                    "100%",
                    "%41",
                    "what?",
                    "a&b=c",
                    "a+b",
                    "q'uo\"te",
                    "semi;colon,comma",
                    "~tilde(1)[2]{3}",
                    "back\\slash");

    @RegisterExtension static final SharedUp UP = new SharedUp();

    @TempDir Path directory;

    enum Program {
        CURL,
        DAVIX,
        GFAL,
        RCLONE,
        CADAVER
    }

    static Stream<Arguments> each() {
        return Stream.of(Program.values())
                .flatMap(program -> NAMES.stream().map(name -> Arguments.of(program, name)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("each")
    void putsListsGetsMovesAndDeletes(Program program, String name) throws IOException {
        String parent = "/names-%s-%d".formatted(program, NAMES.indexOf(name));
        Client.named("curl").run("-sS", "--fail", "-X", "MKCOL", UP.get().door(parent)).succeeded();
        Sample sample = Sample.write(directory.resolve("sample"), 12_345, 3);
        Path copy = directory.resolve("copy");
        String moved = name.length() == 255 ? "m".repeat(255) : name + " moved";
        var client = new Files5(program, parent);

        client.put(sample.file(), name);
        assertThat(UP.get().names(parent)).containsExactly(name);
        assertThat(client.list()).contains(client.shown(name));
        client.get(name, copy);
        assertThat(Sample.adler32Of(copy)).isEqualTo(sample.adler32());
        client.move(name, moved);
        assertThat(UP.get().names(parent)).containsExactly(moved);
        client.delete(moved);
        assertThat(UP.get().names(parent)).isEmpty();
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%7E", "~")
                .replace("*", "%2A");
    }

    /** The five things that each program does, in its own words. */
    private final class Files5 {
        private final Program program;
        private final String parent;

        Files5(Program program, String parent) {
            this.program = program;
            this.parent = parent;
        }

        private String url(String name) {
            return UP.get().http(parent) + "/" + encoded(name);
        }

        void put(Path file, String name) {
            switch (program) {
                case CURL -> run("curl", "-sS", "--fail", "-L", "-T", file, url(name));
                case DAVIX -> run("davix-put", file, url(name));
                case GFAL -> run("gfal-copy", "file://" + file, url(name));
                case RCLONE -> rclone("copyto", file, remote(name));
                case CADAVER -> cadaver("put " + file + " " + quoted(name));
            }
        }

        /** What it printed, names decoded. */
        String list() {
            return switch (program) {
                case CURL ->
                        run("curl", "-sS", "--fail", "-L", UP.get().http(parent + "/"))
                                .output()
                                .replace("&amp;", "&")
                                .replace("&quot;", "\"")
                                .replace("&#39;", "'");
                case DAVIX -> run("davix-ls", UP.get().http(parent)).output();
                case GFAL -> run("gfal-ls", UP.get().http(parent)).output();
                case RCLONE -> rclone("lsf", ":webdav:" + parent).output();
                case CADAVER -> cadaver("ls");
            };
        }

        /** davix shows names as they stand in URLs, and the first 254 bytes of them. */
        String shown(String name) {
            return switch (program) {
                case DAVIX, GFAL ->
                        encoded(name).substring(0, Math.min(254, encoded(name).length()));
                case CURL, RCLONE, CADAVER -> name;
            };
        }

        void get(String name, Path to) throws IOException {
            Files.deleteIfExists(to);
            switch (program) {
                case CURL -> run("curl", "-sS", "--fail", "-L", "-o", to, url(name));
                case DAVIX -> run("davix-get", url(name), to);
                case GFAL -> run("gfal-copy", url(name), "file://" + to);
                case RCLONE -> rclone("copyto", remote(name), to);
                case CADAVER -> cadaver("get " + quoted(name) + " " + to);
            }
        }

        void move(String from, String to) {
            switch (program) {
                case CURL ->
                        run(
                                "curl",
                                "-sS",
                                "--fail",
                                "-X",
                                "MOVE",
                                "-H",
                                "Destination: " + url(to),
                                url(from));
                // Its exit code is 255 even when it has moved.
                case DAVIX -> Client.named("davix-mv").run(url(from), url(to));
                case GFAL -> run("gfal-rename", url(from), url(to));
                case RCLONE -> rclone("moveto", remote(from), remote(to));
                case CADAVER -> cadaver("move " + quoted(from) + " " + quoted(to));
            }
        }

        void delete(String name) {
            switch (program) {
                case CURL -> run("curl", "-sS", "--fail", "-X", "DELETE", url(name));
                case DAVIX -> run("davix-rm", url(name));
                case GFAL -> run("gfal-rm", url(name));
                case RCLONE -> rclone("deletefile", remote(name));
                case CADAVER -> cadaver("delete " + quoted(name));
            }
        }

        private static Run run(String program, Object... arguments) {
            return Client.named(program).run(arguments).succeeded();
        }

        private String remote(String name) {
            return ":webdav:" + parent + "/" + name;
        }

        private Run rclone(Object... arguments) {
            Object[] all = Arrays.copyOf(arguments, arguments.length + 3);
            all[arguments.length] = "--config=" + directory.resolve("rclone.conf");
            all[arguments.length + 1] = "--webdav-url=" + UP.get().door("/");
            all[arguments.length + 2] = "--webdav-vendor=other";
            return Client.named("rclone").run(all).succeeded();
        }

        /** It reads commands from a file, and its exit code means nothing. */
        private String cadaver(String command) {
            try {
                Path script = Files.writeString(directory.resolve("script"), command + "\nquit\n");
                return Client.named("cadaver")
                        .with("HOME", directory.toString())
                        .run("-r", script, UP.get().door(parent + "/"))
                        .output();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static String quoted(String name) {
            return '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }
    }
}
