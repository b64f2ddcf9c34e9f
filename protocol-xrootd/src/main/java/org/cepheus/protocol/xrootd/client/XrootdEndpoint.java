package org.cepheus.protocol.xrootd.client;

/** Where a server listens. */
public record XrootdEndpoint(String host, int port) {
    /** The host without the brackets of a literal IPv6 address. */
    String bareHost() {
        return host.startsWith("[") && host.endsWith("]")
                ? host.substring(1, host.length() - 1)
                : host;
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
