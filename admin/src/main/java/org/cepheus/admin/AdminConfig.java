package org.cepheus.admin;

/** Where the admin port listens. Port 0 takes a free one. */
public record AdminConfig(String host, int port) {}
