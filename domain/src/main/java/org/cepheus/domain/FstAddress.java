package org.cepheus.domain;

/** Where clients reach one FST: its id, a host name or address, and its ports. */
public record FstAddress(int fstId, String host, int xrootdPort, int httpPort) {}
