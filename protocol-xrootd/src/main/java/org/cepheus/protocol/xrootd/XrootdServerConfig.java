package org.cepheus.protocol.xrootd;

/**
 * Where one XRootD server listens and what it is called.
 *
 * @param host the address to listen on
 * @param port 0 for any free one
 * @param advertisedHost the name that clients are told
 * @param siteName what {@code query config sitename} answers; empty for none
 */
public record XrootdServerConfig(String host, int port, String advertisedHost, String siteName) {
    public XrootdServerConfig {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port must be 0 to 65535, is " + port);
        }
    }
}
