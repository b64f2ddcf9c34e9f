package org.cepheus.protocol.xrootd.client;

import java.time.Duration;
import java.util.List;

/**
 * How a client presents itself and how long it waits.
 *
 * @param user the name it claims, with {@code groups}, where a server offers unix authentication
 * @param connectDeadline for the connection and the login together
 * @param requestDeadline for one request with its waits and redirects
 */
public record XrootdClientSettings(
        String user, List<String> groups, Duration connectDeadline, Duration requestDeadline) {
    public XrootdClientSettings {
        groups = List.copyOf(groups);
    }

    /** Ten seconds to connect, a minute for a request. */
    public static XrootdClientSettings of(String user, String group) {
        return new XrootdClientSettings(
                user, List.of(group), Duration.ofSeconds(10), Duration.ofMinutes(1));
    }
}
