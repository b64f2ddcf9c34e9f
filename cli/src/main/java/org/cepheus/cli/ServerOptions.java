package org.cepheus.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Which server a command asks: the one whose data directory is near, or an URL with a token file.
 */
public final class ServerOptions {
    /** The data directory of {@code up} unless another one is named. */
    public static final String DEFAULT_DATA = "cepheus-data";

    /** In the data directory: {@code url=} of the admin port, or of several with commas between. */
    public static final String CLIENT_FILE = "client.properties";

    /** In the data directory: the admin token. */
    public static final String TOKEN_FILE = "admin.token";

    private static final int MAX_TOKEN_BYTES = 4_096;

    private ServerOptions() {}

    static CommandSpec addTo(CommandSpec command) {
        return addServerTo(Form.addJson(command));
    }

    /** Without {@code --json}. */
    static CommandSpec addServerTo(CommandSpec command) {
        return command.addOption(
                        OptionSpec.builder("--data")
                                .type(Path.class)
                                .paramLabel("DIR")
                                .description(
                                        "Directory of 'cepheus up' or 'cepheus init' (./cepheus-data).")
                                .build())
                .addOption(
                        OptionSpec.builder("--url")
                                .type(URI.class)
                                .paramLabel("URL")
                                .description("Admin port of another server; needs --token-file.")
                                .build())
                .addOption(
                        OptionSpec.builder("--token-file")
                                .type(Path.class)
                                .paramLabel("FILE")
                                .description("File with the admin token of --url.")
                                .build());
    }

    /** Connects nowhere yet. */
    static AdminClient client(ParseResult given) {
        Optional<URI> url = Optional.ofNullable(given.matchedOptionValue("--url", null));
        Optional<Path> token = Optional.ofNullable(given.matchedOptionValue("--token-file", null));
        if (url.isPresent() != token.isPresent()) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--url and --token-file belong together: give both or none");
        }
        Path data = given.matchedOptionValue("--data", Path.of(DEFAULT_DATA));
        return new AdminClient(
                url.map(List::of).orElseGet(() -> urlsIn(data)),
                readToken(token.orElse(data.resolve(TOKEN_FILE))));
    }

    private static List<URI> urlsIn(Path data) {
        Path file = data.resolve(CLIENT_FILE);
        var properties = new Properties();
        try (var in = Files.newInputStream(file)) {
            properties.load(in);
            return Stream.of(properties.getProperty("url", "").split(",", -1))
                    .map(each -> URI.create(each.strip()))
                    .toList();
        } catch (NoSuchFileException e) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "no server is known here: %s does not exist; start './cepheus up', or give --data DIR, or --url and --token-file"
                            .formatted(file));
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandFailure(
                    ExitCode.FAILED, "cannot use %s: %s".formatted(file, e.getMessage()));
        }
    }

    private static String readToken(Path file) {
        try {
            if (Files.size(file) <= MAX_TOKEN_BYTES) {
                return Files.readString(file).strip();
            }
            throw new CommandFailure(ExitCode.FAILED, file + " is too long for an admin token");
        } catch (NoSuchFileException e) {
            throw new CommandFailure(
                    ExitCode.DENIED, "the token file %s does not exist".formatted(file));
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.DENIED, "cannot read the token file %s: %s".formatted(file, e));
        }
    }
}
