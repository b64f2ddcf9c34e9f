package org.cepheus.domain;

/** Where clients and FSTs reach one MGM: a host name or address and its ports. */
public record MgmAddress(
        String host, int xrootdPort, int httpPort, int adminPort, int controlPort) {}
