package org.cepheus.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** How a running server is configured, for {@code cepheus config show} without a file. */
public final class ServerSettings {
    private ServerSettings() {}

    /** Adds the options that name a server. */
    public static CommandSpec addTo(CommandSpec command) {
        return ServerOptions.addServerTo(command);
    }

    /** Rows of key, value and {@code server}; secrets are not among them. */
    public static List<List<String>> rows(ParseResult given) {
        try (AdminClient client = ServerOptions.client(given)) {
            return client.get("/api/v1/config").path("settings").values().stream()
                    .map(each ->
                            List.of(
                                    each.path("key").asString(),
                                    each.path("value").asString(),
                                    "server"))
                    .toList();
        }
    }
}
