package org.cepheus.protocol.http;

import java.time.Duration;

/**
 * Where one HTTP listener binds, and its limits.
 *
 * @param host a name or address to bind
 * @param port 0 takes a free one
 * @param maxConnections more are answered 503 and closed
 * @param patience how long a client that sends nothing, or takes nothing, is waited for; also for
 *     the whole head of a request, however slowly it comes
 * @param hold how long a request is kept while the namespace has no leader, before it is answered
 *     503 (clients do not repeat after a 503)
 */
public record HttpServerConfig(
        String host, int port, int maxConnections, Duration patience, Duration hold) {
    public HttpServerConfig {
        if (port < 0 || port > 65_535 || maxConnections < 1) {
            throw new IllegalArgumentException(
                    "port %d or connection limit %d out of range".formatted(port, maxConnections));
        }
    }

    /** The usual limits: 10,000 connections, 30 s of patience, 15 s of holding. */
    public static HttpServerConfig at(String host, int port) {
        return new HttpServerConfig(
                host, port, 10_000, Duration.ofSeconds(30), Duration.ofSeconds(15));
    }
}
