package org.cepheus.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cepheus.cli.ExitCode;
import org.cepheus.cli.ServerOptions;
import org.cepheus.runtime.ConfigFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code init}, {@code config check} and {@code config show}. */
final class InitTest {
    private static final Path MANUAL =
            Path.of(System.getProperty("cepheus.root", "..")).resolve("docs/operating");
    private static final Pattern KEY = Pattern.compile("^(?:# )?([a-z_]+) = ");
    private static final Pattern NAME = Pattern.compile("`([a-z_]+)`");

    @TempDir Path temporary;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void writesASiteWithoutAnyProblem() {
        Path site = init("--fsts", "4", "--port-base", "20000");

        assertThat(run(check(site))).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).endsWith("no problems in all of them\n");
        assertThat(site.resolve("fst4.toml")).exists();
        assertThat(site.resolve("fst5.toml")).doesNotExist();
    }

    @Test
    void keepsSecretsToTheirOwner() throws Exception {
        Path site = init();

        for (String file : List.of("cluster.secret", "admin.token", "fst1.key", "fst2.key")) {
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(site.resolve(file))))
                    .as(file)
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void tellsHowToStartWhatItWrote() throws Exception {
        Path site = init("--port-base", "20000");

        assertThat(out.toString())
                .contains("cepheus mgm --config " + site.resolve("mgm3.toml"))
                .contains("cepheus fst --config " + site.resolve("fst2.toml"))
                .contains("xrdcp FILE root://127.0.0.1:20000//name");
        assertThat(site.resolve("README")).hasContent(out.toString());
        assertThat(site.resolve(ServerOptions.CLIENT_FILE))
                .content()
                .contains(
                        "url=http://127.0.0.1:20002,http://127.0.0.1:20007,http://127.0.0.1:20012\n");
    }

    @Test
    void everyServerOfASiteHasAnAuditLogOfItsOwn() throws Exception {
        Path site = init();

        assertThat(auditFile(site, "mgm1")).isEqualTo(site.resolve("mgm1/audit.jsonl"));
        assertThat(auditFile(site, "mgm2")).isEqualTo(site.resolve("mgm2/audit.jsonl"));
        assertThat(auditFile(site, "fst1")).isEqualTo(site.resolve("fst1-audit.jsonl"));
        assertThat(auditFile(site, "fst2")).isEqualTo(site.resolve("fst2-audit.jsonl"));
    }

    @Test
    void makesVolumesOfTheDirectoriesThatAreNamed() throws Exception {
        Path one = temporary.resolve("mount one");
        Path two = temporary.resolve("mount\"two");

        Path site = init("--volume", one.toString(), "--volume", two.toString());

        assertThat(one).isNotEmptyDirectory();
        assertThat(two).isNotEmptyDirectory();
        assertThat(run(check(site))).isEqualTo(ExitCode.OK);
        assertThat(run("config", "show", site.resolve("fst1.toml").toString(), "-m"))
                .isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("key=volume[1].path value=" + two + " from=file\n");
    }

    @Test
    void touchesNoDirectoryThatIsInUse() throws Exception {
        Path used = Files.createDirectory(temporary.resolve("used"));
        Files.writeString(used.resolve("thesis.txt"), "mine");

        assertThat(run("init", used.toString())).isEqualTo(ExitCode.CONFLICT);
        assertThat(err.toString()).hasLineCount(1);
        assertThat(run("init", temporary.resolve("new").toString(), "--volume", used.toString()))
                .isEqualTo(ExitCode.FAILED);
        assertThat(temporary.resolve("new")).doesNotExist();
        assertThat(used.toFile().list()).containsExactly("thesis.txt");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--fsts=0", "--fsts=101", "--port-base=0", "--port-base=65530"})
    void refusesNumbersThatCannotBe(String option) {
        assertThat(run("init", temporary.resolve("new").toString(), option))
                .isEqualTo(ExitCode.USAGE);
        assertThat(temporary.resolve("new")).doesNotExist();
    }

    @Test
    void noticesWhatFilesSayDifferently() throws Exception {
        Path site = init();
        replace(site.resolve("mgm2.toml"), "member = \"mgm2\"", "member = \"mgm1\"");
        replace(site.resolve("mgm3.toml"), "raft = 1097", "raft = 1999");
        replace(site.resolve("fst2.toml"), "id = 2", "id = 1");
        replace(site.resolve("fst2.toml"), "\"127.0.0.1:1098\", ", "");

        assertThat(run(check(site))).isEqualTo(ExitCode.FAILED);
        assertThat(out.toString())
                .contains("mgm2.toml  member is mgm1, as in " + site.resolve("mgm1.toml"))
                .contains("mgm3.toml  members differ from those of")
                .contains("fst2.toml  id is 1, as in " + site.resolve("fst1.toml"))
                .contains("fst2.toml  mgms lacks 127.0.0.1:1098, the control port of a member")
                .contains("does not come from the members' secret for id 1");
    }

    @Test
    void noticesAnotherClusterAndAnOpenSecret() throws Exception {
        Path site = init();
        Files.setPosixFilePermissions(
                site.resolve("cluster.secret"), PosixFilePermissions.fromString("rw-r--r--"));
        Files.delete(site.resolve("fst1.key"));
        String cluster = "5f0c8a52-7c3e-4d0e-9b7a-0d6f3c1b2a94";
        Files.writeString(
                site.resolve("fst2.toml"),
                Files.readString(site.resolve("fst2.toml"))
                        .replaceFirst("cluster = \".*\"", "cluster = \"" + cluster + "\""));

        assertThat(run(check(site))).isEqualTo(ExitCode.FAILED);
        assertThat(out.toString())
                .contains("mgm1.toml  secret_file: ", "chmod 600")
                .contains("fst1.toml  key_file: ", "does not exist")
                .contains("fst2.toml  cluster is " + cluster + ", and others differ");
    }

    @Test
    void saysThatAFileIsOfNoServer() throws Exception {
        Path file = Files.writeString(temporary.resolve("other.toml"), "colour = 1\n");

        assertThat(run("config", "check", file.toString())).isEqualTo(ExitCode.FAILED);
        assertThat(out.toString()).contains("this is the file of no MGM and no FST");
        assertThat(run("config", "show", file.toString())).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void showsDefaultsBesideWhatTheFileSays() {
        Path site = init();
        out.getBuffer().setLength(0);

        int code = run("config", "show", site.resolve("mgm1.toml").toString());

        assertThat(code).isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .startsWith("key ")
                .containsPattern("member +mgm1 +file\n")
                .containsPattern("kept_entries +200000 +default\n")
                .containsPattern("admin_token_file +admin.token in data +default\n")
                .containsPattern("members\\[2\\]\\.control +1108 +file\n");
    }

    private static Path auditFile(Path site, String server) throws Exception {
        return switch (ConfigFile.read(site.resolve(server + ".toml"), ServerFile::from)) {
            case MgmFile mgm -> mgm.auditFile();
            case FstFile fst -> fst.auditFile();
        };
    }

    @Test
    void explainsEveryKeyInTheFilesThatItWrites() throws Exception {
        Path site = init();

        for (String example : List.of("mgm.toml", "fst.toml")) {
            List<ConfigFile.Key> keys =
                    ConfigFile.keys(example.equals("mgm.toml") ? MgmFile::from : FstFile::from);
            assertThat(keys).hasSizeGreaterThan(10);
            for (Path file :
                    List.of(site.resolve(example.replace(".", "1.")), MANUAL.resolve(example))) {
                assertThat(keys)
                        .extracting(key -> key.path().substring(key.path().indexOf('.') + 1))
                        .as(file.toString())
                        .isSubsetOf(explained(Files.readAllLines(file)));
            }
        }
    }

    /** The keys, used or not, that follow a comment or are named in one above. */
    private static Set<String> explained(List<String> lines) {
        var keys = new HashSet<String>();
        var named = new HashSet<String>();
        boolean follows = false;
        for (String line : lines) {
            Matcher key = KEY.matcher(line);
            if (key.find()) {
                if (follows || named.contains(key.group(1))) {
                    keys.add(key.group(1));
                }
                follows = false;
            } else {
                NAME.matcher(line).results().forEach(each -> named.add(each.group(1)));
                follows = line.startsWith("# ");
            }
        }
        return keys;
    }

    private Path init(String... options) {
        Path site = temporary.resolve("site");
        var words = new ArrayList<>(List.of("init", site.toString()));
        words.addAll(List.of(options));
        assertThat(run(words.toArray(String[]::new))).as(err::toString).isEqualTo(ExitCode.OK);
        return site;
    }

    private static String[] check(Path site) {
        var words = new ArrayList<>(List.of("config", "check"));
        for (String file : List.of("mgm1", "mgm2", "mgm3", "fst1", "fst2")) {
            words.add(site.resolve(file + ".toml").toString());
        }
        return words.toArray(String[]::new);
    }

    private static void replace(Path file, String old, String fresh) throws Exception {
        String text = Files.readString(file);
        assertThat(text).contains(old);
        Files.writeString(file, text.replace(old, fresh));
    }

    private int run(String... words) {
        return Cepheus.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words);
    }
}
