package org.cepheus.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigFileTest {
    private record Volume(int id, Path path) {}

    private record Config(
            String host,
            int port,
            Optional<String> site,
            List<String> peers,
            List<Volume> volumes) {
        static Config from(TomlTable file) {
            TomlTable listen = file.table("listen");
            return new Config(
                    listen.text("host").orElse("127.0.0.1"),
                    listen.port("port").orElse(1094),
                    file.text("site").optional("none"),
                    file.texts("peers").orElse(List.of()),
                    file.tables(
                            "volume",
                            volume ->
                                    new Volume(
                                            volume.number("id", 1, 9).required(),
                                            volume.path("path").required())));
        }
    }

    @TempDir Path directory;

    @Test
    void readsATreeAndFillsInDefaults() throws Exception {
        Path file =
                write(
                        """
                        peers = ["a:1", "b:2"]
                        [listen]
                        port = 2000
                        [[volume]]
                        id = 3
                        path = "/data/three"
                        """);

        Config config = ConfigFile.read(file, Config::from);

        assertThat(config)
                .isEqualTo(
                        new Config(
                                "127.0.0.1",
                                2000,
                                Optional.empty(),
                                List.of("a:1", "b:2"),
                                List.of(new Volume(3, Path.of("/data/three")))));
    }

    @Test
    void reportsEveryProblemAtOnceWithItsKey() throws Exception {
        Path file =
                write(
                        """
                        sight = "typo"
                        peers = ["a:1", 7]
                        [listen]
                        host = ""
                        port = 70000
                        colour = "blue"
                        [[volume]]
                        id = "three"
                        """);

        var thrown =
                catchThrowableOfType(
                        ConfigException.class, () -> ConfigFile.read(file, Config::from));

        assertThat(thrown.problems())
                .containsExactlyInAnyOrder(
                        "listen.host must be a text, is \"\"",
                        "listen.port must be a number 1..65535, is 70000",
                        "peers must be a text, is 7",
                        "volume[0].id must be a number 1..9, is \"three\"",
                        "volume[0].path is missing",
                        "sight is not known here; known are listen, site, peers, volume",
                        "listen.colour is not known here; known are host, port");
    }

    @Test
    void saysWhereTheFileIsNoToml() throws Exception {
        Path file = write("[listen]\nport = = 3\n");

        var thrown =
                catchThrowableOfType(
                        ConfigException.class, () -> ConfigFile.read(file, Config::from));

        assertThat(thrown.problems()).singleElement().asString().startsWith("line 2, column ");
    }

    @Test
    void saysThatThereIsNoFile() {
        var thrown =
                catchThrowableOfType(
                        ConfigException.class,
                        () -> ConfigFile.read(directory.resolve("none.toml"), Config::from));

        assertThat(thrown).hasMessageEndingWith("none.toml: there is no such file");
    }

    @Test
    void refusesATableWhereAValueIsWantedAndTheOtherWayRound() throws Exception {
        Path file = write("listen = 3\nvolume = 4\n[site]\nname = \"x\"\n");

        var thrown =
                catchThrowableOfType(
                        ConfigException.class, () -> ConfigFile.read(file, Config::from));

        assertThat(thrown.problems())
                .containsExactlyInAnyOrder(
                        "listen must be a table, [listen], is 3",
                        "site must be a text, is {\"name\":\"x\"}",
                        "volume must be a list of tables, [[volume]], is 4");
    }

    @Test
    void refusesAFileThatIsTooLargeToBeAConfiguration() throws Exception {
        Path file = write("#".repeat((int) ConfigFile.MAX_BYTES + 1));

        var thrown =
                catchThrowableOfType(
                        ConfigException.class, () -> ConfigFile.read(file, Config::from));

        assertThat(thrown.problems()).singleElement().asString().contains("the limit is");
    }

    @Test
    void listsItsKeysForTheManual() {
        assertThat(ConfigFile.keys(Config::from))
                .containsExactly(
                        new ConfigFile.Key("listen.host", "text", "127.0.0.1"),
                        new ConfigFile.Key("listen.port", "1..65535", "1094"),
                        new ConfigFile.Key("site", "text", "none"),
                        new ConfigFile.Key("peers", "list of texts", "[]"),
                        new ConfigFile.Key("volume[].id", "1..9", "required"),
                        new ConfigFile.Key("volume[].path", "path", "required"));
    }

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("test.toml"), text);
    }
}
